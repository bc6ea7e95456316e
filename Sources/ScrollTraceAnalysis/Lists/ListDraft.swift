import ScrollTraceModel

/// How often and how long.
struct StepSum {
  var count = 0
  var total = TimeSpan.zero

  /// Adds once more.
  mutating func add(_ length: TimeSpan) {
    count += 1
    total += length
  }

  /// Both together; the time saturates.
  static func + (left: StepSum, right: StepSum) -> StepSum {
    StepSum(count: left.count + right.count, total: left.total + right.total)
  }
}

/// What is being measured of a list.
struct ListDraft {
  let name: String
  var cells = CellMeasures()
  var data = DataMeasures()
  var images = ImageMeasures()
  var steps: [StringID: StepSum] = [:]
  private var kinds: [StringID: StepSum] = [:]
  private var registrations: [UInt64: (count: Int, reused: Int)] = [:]
  private var snapshots: [StringID: SnapshotMeasures] = [:]
  private var sizes = SizeMeasures()
  private var preparations: [TimeSpan] = []
  private var leads: [TimeSpan] = []
  private var placeholders: [TimeSpan] = []
  var evidence = ListEvidence()
  var requests = RequestLog()
  var applied: [AppliedSnapshot] = []

  init(name: String) { self.name = name }

  // MARK: - Reading

  /// Adds the preparation of a cell, and gives what is known of it.
  mutating func addPreparation(
    _ range: TimeRange, of list: ArgumentListID, in trace: Trace, _ keys: ListKeys
  ) -> (isAhead: Bool, isCreated: Bool) {
    let length = range.length
    func value(_ key: StringID?) -> ArgumentValue? {
      key.flatMap { trace.arguments.value(of: $0, in: list) }
    }
    cells.prepared += 1
    preparations.append(length)
    let isAhead = value(keys.ahead) == .bool(true)
    if isAhead { cells.preparedAhead += 1 }
    let reused: Bool? = if case .bool(let reused) = value(keys.reused) { reused } else { nil }
    if reused == true { cells.reused += 1 }
    if reused == false { cells.created += 1 }
    if case .string(let kind) = value(keys.kind) {
      kinds[kind, default: StepSum()].add(length)
    }
    if case .unsigned(let registration) = value(keys.registration) {
      let known = registrations[registration] ?? (0, 0)
      registrations[registration] = (known.count + 1, known.reused + (reused == true ? 1 : 0))
    }
    return (isAhead, reused == false)
  }

  /// Adds a size that was worked out, where it says what was guessed.
  mutating func addSize(of list: ArgumentListID, in trace: Trace, _ keys: ListKeys) {
    func number(_ key: StringID?) -> Double? {
      switch key.flatMap({ trace.arguments.value(of: $0, in: list) }) {
      case .double(let value) where value.isFinite: value
      case .unsigned(let value): Double(value)
      case .integer(let value): Double(value)
      default: nil
      }
    }
    guard let guess = number(keys.estimatedSize), let size = number(keys.size) else { return }
    sizes.guessed += 1
    evidence.size = min(evidence.size + abs(size), .greatestFiniteMagnitude)
    if guess != size { sizes.corrected += 1 }
    sizes.add(error: abs(guess - size))
  }

  /// Adds a snapshot.
  mutating func addSnapshot(
    _ range: TimeRange, of list: ArgumentListID, in trace: Trace, _ keys: ListKeys
  ) {
    func add(_ key: StringID?, to sum: inout Int) {
      let count =
        switch key.flatMap({ trace.arguments.value(of: $0, in: list) }) {
        case .unsigned(let value): Int(clamping: value)
        case .integer(let value): max(0, Int(clamping: value))
        default: 0
        }
      sum.add(upToMost: count)
    }
    var kind = StringID.empty
    if let key = keys.kind, case .string(let value) = trace.arguments.value(of: key, in: list) {
      kind = value
    }
    let name = trace.strings[kind]
    var one = SnapshotMeasures(
      kind: name, time: StepTime(name: name, count: 1, total: range.length))
    add(keys.inserted, to: &one.inserted)
    add(keys.deleted, to: &one.deleted)
    add(keys.reconfigured, to: &one.reconfigured)
    add(keys.reloaded, to: &one.reloaded)
    snapshots[kind] = snapshots[kind]?.merged(with: one) ?? one
    applied.append(AppliedSnapshot(range, one))
  }

  /// Goes through what happened to one item, in its order.
  mutating func follow(_ events: ArraySlice<ItemEvent>) {
    var prepared: Int64?
    var wasShown = false
    var isRequested = false
    var isLoaded = false
    var placeholder: Int64?
    for event in events {
      switch event.kind {
      case .prepared:
        if prepared != nil { cells.neverShown += 1 }
        prepared = event.time
      case .discarded:
        if prepared != nil { cells.neverShown += 1 }
        prepared = nil
      case .shown:
        if let ready = prepared {
          leads.append(TimeSpan(nanoseconds: event.time - ready))
        } else if wasShown {
          cells.shownAgain += 1
        }
        (prepared, wasShown) = (nil, true)
        guard isRequested else { continue }
        isRequested = false
        if isLoaded { data.onTime += 1 } else { data.late += 1 }
      case .requested: (isRequested, isLoaded) = (true, false)
      case .cancelled: isRequested = false
      case .loaded: isLoaded = true
      case .hidden: break
      case .placeholder: placeholder = event.time
      case .final:
        if let since = placeholder {
          placeholders.append(TimeSpan(nanoseconds: event.time - since))
        }
        placeholder = nil
      }
    }
    if prepared != nil { cells.neverShown += 1 }
  }

  /// Adds what is of the same list but does not say so.
  mutating func merge(_ other: ListDraft) {
    cells.prepared += other.cells.prepared
    cells.preparedAhead += other.cells.preparedAhead
    cells.reused += other.cells.reused
    cells.created += other.cells.created
    cells.shown += other.cells.shown
    cells.shownAgain += other.cells.shownAgain
    cells.neverShown += other.cells.neverShown
    data.prefetches += other.data.prefetches
    data.cancelled += other.data.cancelled
    data.onTime += other.data.onTime
    data.late += other.data.late
    data.staleResults += other.data.staleResults
    images.merge(other.images)
    steps.merge(other.steps, uniquingKeysWith: +)
    kinds.merge(other.kinds, uniquingKeysWith: +)
    registrations.merge(other.registrations) { ($0.count + $1.count, $0.reused + $1.reused) }
    snapshots.merge(other.snapshots) { $0.merged(with: $1) }
    sizes.guessed += other.sizes.guessed
    sizes.corrected += other.sizes.corrected
    sizes.add(error: other.sizes.error)
    preparations += other.preparations
    leads += other.leads
    placeholders += other.placeholders
    evidence.merge(other.evidence)
    requests.merge(other.requests)
    applied += other.applied
  }

  // MARK: - Concluding

  /// What was measured.
  func conclude(in trace: Trace) -> ListAnalysis {
    func longest(_ sums: [StringID: StepSum]) -> [StepTime] {
      sums.map { id, sum in
        StepTime(name: trace.strings[id], count: sum.count, total: sum.total)
      }.sorted { ($0.total, $1.name) > ($1.total, $0.name) }
    }
    var result = ListAnalysis(name: name, cells: cells, data: data, images: images)
    result.cells.preparation = Percentiles(of: preparations)
    result.cells.steps = longest(steps)
    result.cells.kinds = longest(kinds)
    result.cells.registrations = registrations.count
    result.cells.registrationsWithoutReuse =
      registrations.values.count { $0.reused == 0 }
    result.cells.leadTime = Percentiles(of: leads)
    if !leads.isEmpty {
      var ranked = RankedValues(leads.map(\.nanoseconds))
      result.cells.leadTimeP5 = Percentiles.percentile(5, of: &ranked)
    }
    result.images.placeholders = Percentiles(of: placeholders)
    result.snapshots = snapshots.values.sorted { $0.kind < $1.kind }
    if sizes.guessed > 0 { result.sizes = sizes }
    result.evidence = concludedEvidence
    return result
  }
}

extension ImageMeasures {
  /// Adds an image that became a bitmap.
  mutating func add(_ length: TimeSpan, isOnMain: Bool, isInFrame: Bool) {
    if isOnMain { onMain.add(length) } else { inBackground.add(length) }
    if isInFrame { inFrames.add(length) }
  }

  /// Adds what is of the same list.
  mutating func merge(_ other: ImageMeasures) {
    for (path, step) in [
      (\ImageMeasures.onMain, other.onMain), (\ImageMeasures.inFrames, other.inFrames),
      (\ImageMeasures.inBackground, other.inBackground),
    ] {
      self[keyPath: path].count += step.count
      self[keyPath: path].total = self[keyPath: path].total + step.total
    }
    cacheHits += other.cacheHits
    cacheMisses += other.cacheMisses
    evicted += other.evicted
  }
}

extension SizeMeasures {
  /// Adds by how much guesses were wrong; the sum stays a number.
  fileprivate mutating func add(error more: Double) {
    error = min(error + more, .greatestFiniteMagnitude)
  }
}

extension SnapshotMeasures {
  /// Both together.
  fileprivate func merged(with other: SnapshotMeasures) -> SnapshotMeasures {
    var sum = self
    sum.time.count += other.time.count
    sum.time.total += other.time.total
    sum.inserted.add(upToMost: other.inserted)
    sum.deleted.add(upToMost: other.deleted)
    sum.reconfigured.add(upToMost: other.reconfigured)
    sum.reloaded.add(upToMost: other.reloaded)
    return sum
  }
}

extension Int {
  /// Adds a number from a file, up to the most there is.
  mutating func add(upToMost more: Int) {
    let (sum, overflow) = addingReportingOverflow(more)
    self = overflow ? .max : sum
  }
}

extension StepTime {
  /// Adds once more.
  mutating func add(_ length: TimeSpan) {
    count += 1
    total += length
  }
}
