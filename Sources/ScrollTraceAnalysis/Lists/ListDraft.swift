import ScrollTraceModel

/// A list that is being measured.
struct ListDraft {
  let name: String
  var cells = CellMeasures()
  var data = DataMeasures()
  var images = ImageMeasures()
  var steps: [StringID: DurationStatistics] = [:]
  private var kinds: [StringID: DurationStatistics] = [:]
  private var registrations: [ArgumentValue: (count: Int, reused: Int)] = [:]
  private var snapshots: [StringID: SnapshotMeasures] = [:]
  private var sizes = SizeMeasures()
  private var preparations: [TimeSpan] = []
  private var leads: [TimeSpan] = []
  private var leadsAhead: [TimeSpan] = []
  private var leadsOnDemand: [TimeSpan] = []
  private var waysToDisplay: [TimeSpan] = []
  private var placeholders: [TimeSpan] = []
  private var visibility = CellVisibility()
  /// The cells of a host that marks only what they show, not when they are displayed.
  private var visibilityOfContent = CellVisibility()
  var evidence = ListEvidence()
  var requests = RequestLog()
  var applied: [AppliedSnapshot] = []
  private var jumps = JumpDetector()

  init(name: String) { self.name = name }

  // MARK: - Reading

  /// Adds the preparation of a cell, and returns whether it was ahead of need and whether the cell
  /// is new.
  mutating func addPreparation(
    _ range: TimeRange, of list: ArgumentListID, in trace: Trace, _ keys: ListKeys
  ) -> (isAhead: Bool, isCreated: Bool) {
    let length = range.length
    func value(_ key: StringID?) -> ArgumentValue? { trace.arguments.value(of: key, in: list) }
    cells.prepared += 1
    preparations.append(length)
    let isAhead = value(keys.ahead) == .bool(true)
    if isAhead { cells.preparedAhead += 1 }
    let reused: Bool? = if case .bool(let reused) = value(keys.reused) { reused } else { nil }
    if reused == true { cells.reused += 1 }
    if reused == false { cells.created += 1 }
    if case .string(let kind) = value(keys.kind) {
      kinds[kind, default: DurationStatistics()].add(length)
    }
    if let registration = value(keys.registration), registration != .null {
      let known = registrations[registration] ?? (0, 0)
      registrations[registration] = (known.count + 1, known.reused + (reused == true ? 1 : 0))
    }
    return (isAhead, reused == false)
  }

  /// Adds a size, if it has an estimate.
  mutating func addSize(of list: ArgumentListID, in trace: Trace, _ keys: ListKeys) {
    func number(_ key: StringID?) -> Double? {
      switch trace.arguments.value(of: key, in: list) {
      case .double(let value) where value.isFinite: value
      case .unsigned(let value): Double(value)
      case .integer(let value): Double(value)
      default: nil
      }
    }
    guard let guess = number(keys.estimatedSize), let size = number(keys.size) else { return }
    sizes.estimated += 1
    evidence.size = min(evidence.size + abs(size), .greatestFiniteMagnitude)
    if guess != size { sizes.corrected += 1 }
    sizes.add(error: abs(guess - size))
  }

  mutating func addSnapshot(
    _ range: TimeRange, of list: ArgumentListID, in trace: Trace, _ keys: ListKeys
  ) {
    func add(_ key: StringID?, to sum: inout Int) {
      let count =
        switch trace.arguments.value(of: key, in: list) {
        case .unsigned(let value): Int(clamping: value)
        case .integer(let value): max(0, Int(clamping: value))
        default: 0
        }
      sum = sum.saturatingAdd(count)
    }
    var kind = StringID.empty
    if case .string(let value) = trace.arguments.value(of: keys.kind, in: list) {
      kind = value
    }
    var one = SnapshotMeasures(kind: trace.strings[kind], count: 1, total: range.length)
    add(keys.inserted, to: &one.inserted)
    add(keys.deleted, to: &one.deleted)
    add(keys.reconfigured, to: &one.reconfigured)
    add(keys.reloaded, to: &one.reloaded)
    snapshots[kind] = snapshots[kind]?.merged(with: one) ?? one
    applied.append(AppliedSnapshot(range, one))
  }

  /// Adds the events of one item, in order.
  ///
  /// - Parameters:
  ///   - end: The end of the recording.
  ///   - isAhead: Returns whether the event's preparation was ahead of need.
  mutating func follow(
    _ events: ArraySlice<ItemEvent>, until end: Timestamp, isAhead: (ItemEvent) -> Bool
  ) {
    followContent(events, until: end.nanoseconds)
    var prepared: Int64?
    var wasAhead = false
    var wasDisplayed = false
    var requested: Int64?
    var isLoaded = false
    for event in events {
      switch event.kind {
      case .prepared:
        if prepared != nil { cells.neverDisplayed += 1 }
        (prepared, wasAhead) = (event.time, isAhead(event))
      case .discarded:
        if prepared != nil { cells.neverDisplayed += 1 }
        prepared = nil
      case .displayed:
        if let ready = prepared {
          let lead = TimeSpan(nanoseconds: event.time - ready)
          leads.append(lead)
          if wasAhead { leadsAhead.append(lead) } else { leadsOnDemand.append(lead) }
        } else if wasDisplayed {
          cells.redisplayed += 1
        }
        (prepared, wasDisplayed) = (nil, true)
        guard let time = requested else { continue }
        requested = nil
        waysToDisplay.append(TimeSpan(nanoseconds: event.time - time))
        if isLoaded { data.onTime += 1 } else { data.late += 1 }
      case .requested: (requested, isLoaded) = (event.time, false)
      case .cancelled: requested = nil
      case .loaded: isLoaded = true
      case .hidden, .placeholder, .final: break
      }
    }
    if prepared != nil { cells.neverDisplayed += 1 }
    if wasDisplayed { cells.displayedItems += 1 }
  }

  /// Follows what the cell of one item displays: a placeholder or content.
  ///
  /// A placeholder is displayed until the final content, the end of the cell's display, or the end
  /// of the recording, whichever is first. Without marks for the display of the item, its cell is
  /// displayed from the first mark of its content on.
  private mutating func followContent(_ events: ArraySlice<ItemEvent>, until end: Int64) {
    let knowsDisplay = events.contains { $0.kind == .displayed }
    let store: WritableKeyPath<ListDraft, CellVisibility> =
      knowsDisplay ? \.visibility : \.visibilityOfContent
    var (displayed, blank): (Int64?, Int64?) = (nil, nil)
    var (hasPlaceholder, hasLeft) = (false, false)
    func showContent(at time: Int64) {
      if !knowsDisplay, displayed == nil, !hasLeft { displayed = time }
    }
    for event in events {
      switch event.kind {
      case .displayed:
        if displayed == nil { displayed = event.time }
        if hasPlaceholder, blank == nil { blank = event.time }
      case .hidden:
        endPlaceholder(&blank, at: event.time, isFinal: false, in: store)
        endDisplay(&displayed, at: event.time, in: store)
        hasLeft = true
      case .placeholder:
        (hasPlaceholder, hasLeft) = (true, false)
        showContent(at: event.time)
        if blank == nil, displayed != nil { blank = event.time }
      case .final:
        hasPlaceholder = false
        showContent(at: event.time)
        endPlaceholder(&blank, at: event.time, isFinal: true, in: store)
      default: break
      }
    }
    endPlaceholder(&blank, at: end, isFinal: false, in: store)
    endDisplay(&displayed, at: end, in: store)
  }

  private mutating func endPlaceholder(
    _ blank: inout Int64?, at time: Int64, isFinal: Bool,
    in store: WritableKeyPath<ListDraft, CellVisibility>
  ) {
    guard let start = blank else { return }
    blank = nil
    let end = max(start, time)
    placeholders.append(TimeSpan(nanoseconds: end) - TimeSpan(nanoseconds: start))
    if !isFinal { images.neverFinal += 1 }
    self[keyPath: store].addPlaceholder(from: start, to: end)
  }

  private mutating func endDisplay(
    _ displayed: inout Int64?, at time: Int64, in store: WritableKeyPath<ListDraft, CellVisibility>
  ) {
    guard let start = displayed else { return }
    displayed = nil
    self[keyPath: store].addCell(from: start, to: max(start, time))
  }

  mutating func merge(_ other: ListDraft) {
    let counts: [WritableKeyPath<ListDraft, Int>] = [
      \.cells.prepared, \.cells.preparedAhead, \.cells.reused, \.cells.created, \.cells.displayed,
      \.cells.displayedItems,
      \.cells.redisplayed, \.cells.neverDisplayed, \.data.prefetches, \.data.cancelled,
      \.data.onTime, \.data.late, \.data.staleResults, \.sizes.estimated, \.sizes.corrected,
    ]
    for count in counts { self[keyPath: count] += other[keyPath: count] }
    let times: [WritableKeyPath<ListDraft, [TimeSpan]>] = [
      \.preparations, \.leads, \.leadsAhead, \.leadsOnDemand, \.waysToDisplay, \.placeholders,
    ]
    for list in times { self[keyPath: list] += other[keyPath: list] }
    images.merge(other.images)
    for (id, sum) in other.steps { steps[id, default: DurationStatistics()].merge(sum) }
    for (id, sum) in other.kinds { kinds[id, default: DurationStatistics()].merge(sum) }
    registrations.merge(other.registrations) { ($0.count + $1.count, $0.reused + $1.reused) }
    snapshots.merge(other.snapshots) { $0.merged(with: $1) }
    sizes.add(error: other.sizes.error)
    visibility.merge(other.visibility)
    visibilityOfContent.merge(other.visibilityOfContent)
    evidence.merge(other.evidence)
    requests.merge(other.requests)
    applied += other.applied
  }

  // MARK: - Evidence for findings

  /// Collects evidence from the events of one item, in order.
  ///
  /// - Parameters:
  ///   - preparations: All preparations of cells; receives the time the item left the view.
  ///   - moving: The time in motion, or `nil` to count everything.
  ///   - refresh: The refresh interval.
  mutating func collectEvidence(
    _ events: ArraySlice<ItemEvent>, preparations: inout [PreparedCell], moving: TimeRangeSet?,
    refresh: TimeSpan
  ) {
    var (isInView, leftView): (Bool, Timestamp?) = (false, nil)
    var ready: PreparedCell?
    var (requested, loaded): (Timestamp?, Timestamp?) = (nil, nil)
    var (hasData, waitingSince): (Bool, Timestamp?) = (false, nil)
    for event in events {
      let time = Timestamp(clamping: event.time)
      switch event.kind {
      case .prepared:
        if let ready { evidence.wastedCells.add(ready.range.length, at: ready.range.start) }
        let index = Int(event.preparation)
        preparations[index].leftView = isInView ? preparations[index].range.start : leftView
        ready = preparations[index].isAhead ? preparations[index] : nil
      case .discarded:
        if let ready { evidence.wastedCells.add(ready.range.length, at: ready.range.start) }
        ready = nil
      case .hidden: (isInView, leftView) = (false, time)
      case .displayed:
        (isInView, ready) = (true, nil)
        if let since = requested { requests.displayed.append((since, time)) }
        requested = nil
        let counts = moving.map { $0.index(containing: time) != nil } ?? true
        if counts, hasData { evidence.displayedInMotion += 1 }
        waitingSince = counts && !hasData ? time : nil
      case .requested: (requested, loaded) = (time, nil)
      case .cancelled: requested = nil
      case .loaded:
        (hasData, loaded) = (true, time)
        guard let since = waitingSince else { continue }
        evidence.displayedInMotion += 1
        if time - since > refresh { evidence.waits.add(time - since, at: since) }
        waitingSince = nil
      case .placeholder, .final: break
      }
    }
    if let requested { requests.open.append((requested, loaded)) }
  }

  /// Sorts the snapshots, as `collectEvidence(_:)` needs them.
  mutating func sortSnapshots() {
    applied = applied.stablySorted { $0.range.start < $1.range.start }
  }

  /// Attributes the preparation of a cell to a snapshot or to the frame that needed it. The cells are
  /// passed in order of time.
  ///
  /// - Parameter newCells: The number of new cells without a position in the same late frame.
  mutating func collectEvidence(_ cell: PreparedCell, newCells: Int) {
    let isAfterJump = jumps.isAfterJump(
      cell, cellsInView: evidence.maximumInView, newCells: newCells)
    let next = applied.partitionPoint { $0.range.start > cell.range.start }
    if next > 0, applied[next - 1].discarded(cell) {
      applied[next - 1].preparedAgain += 1
      evidence[keyPath: applied[next - 1].evidence].add(cell)
    } else if !cell.isAhead, let window = cell.window {
      let work: WritableKeyPath<ListEvidence, WindowSums> = isAfterJump ? \.afterJump : \.onDemand
      evidence[keyPath: work].add(cell.range.length, in: window, cell.arguments)
    }
    if cell.isCreated, let window = cell.window {
      evidence.created.add(cell.range.length, in: window, cell.arguments)
    }
  }

  // MARK: - Concluding

  /// Returns the measurements.
  ///
  /// - Parameters:
  ///   - measured: The measured time.
  ///   - refreshInterval: The refresh interval, or `nil` if it is unknown.
  func conclude(
    in trace: Trace, measured: TimeRangeSet, refreshInterval: TimeSpan?
  ) -> ListAnalysis {
    func longest(_ sums: [StringID: DurationStatistics]) -> [DurationStatistics] {
      sums.map { id, sum in
        DurationStatistics(name: trace.strings[id], count: sum.count, total: sum.total)
      }.sorted { ($0.total, $1.name) > ($1.total, $0.name) }
    }
    /// The part as a share of both, or `nil` if there is neither.
    func share(_ part: some BinaryInteger, and rest: some BinaryInteger) -> Double? {
      let all = Double(part) + Double(rest)
      return all > 0 ? Double(part) / all : nil
    }
    var result = ListAnalysis(name: name, cells: cells, data: data, images: images)
    result.cells.reuseRate = share(cells.reused, and: cells.created)
    result.data.hitRate = share(data.onTime, and: data.late)
    result.images.cacheHitRate = share(images.cacheHits, and: images.cacheMisses)
    result.images.cacheHitRateByBytes = share(
      images.cacheHitBytes ?? 0, and: images.cacheMissBytes ?? 0)
    result.cells.preparation = Percentiles(of: preparations)
    result.cells.steps = longest(steps)
    result.cells.kinds = longest(kinds)
    result.cells.registrations = registrations.count
    result.cells.registrationsWithoutReuse = registrations.values.count { $0.reused == 0 }
    result.cells.leadTime = LeadTime(of: leads)
    result.cells.leadTimeAhead = Percentiles(of: leadsAhead)
    result.cells.leadTimeOnDemand = Percentiles(of: leadsOnDemand)
    result.data.requestToDisplay = Percentiles(of: waysToDisplay)
    result.images.placeholder = Percentiles(of: placeholders)
    result.images.placeholderCount = placeholders.count
    if let refreshInterval {
      let cells = self.cells.displayed > 0 ? visibility : visibilityOfContent
      result.blank = cells.blankTime(in: measured, refreshInterval: refreshInterval)
    }
    result.snapshots = snapshots.values.sorted { $0.kind < $1.kind }
    if sizes.estimated > 0 {
      result.sizes = sizes
      result.sizes?.meanError = sizes.error / Double(sizes.estimated)
    }
    result.evidence = concludedEvidence
    return result
  }

  private var concludedEvidence: ListEvidence {
    var result = evidence
    for snapshot in applied where snapshot.isReload {
      let items = max(snapshot.reloaded, snapshot.preparedAgain)
      result[keyPath: snapshot.evidence].add(snapshotOf: items)
    }
    (result.unseenRequests, result.uncancelledRequests) = requests.passedBy()
    return result
  }
}
