import ScrollTraceModel

/// Measures the work of the host's lists (M-14, M-15).
struct ListPass {
  private let trace: Trace
  private let words: ListWords
  private let keys: ListKeys
  private let main: TrackID?
  private lazy var commits = trace.commitTime
  private let context: Context
  private var drafts: [ListDraft] = []
  private var draftIndices: [StringID: Int] = [:]
  private var events: [ItemEvent] = []
  private var preparations: [PreparedCell] = []

  /// The frames that the work of lists can have delayed.
  struct Context {
    let late: LateWindows
    /// The selected time in motion, or `nil` if it is unknown.
    let moving: TimeRangeSet?
    /// The measured time: the same, or the whole recording if no interaction is known.
    let measured: TimeRangeSet
    /// The refresh interval, or `nil` if it is unknown.
    let refreshInterval: TimeSpan?

    /// The longest wait that nobody notices.
    var visibleWait: TimeSpan { refreshInterval ?? FindingThresholds.visibleWait }
  }

  /// The largest number of lists that are distinguished; all others become `overflowName`.
  private static let maximumCount = 256
  private static let overflowName = "(too many lists)"

  static func lists(of trace: Trace, _ context: Context) -> [ListAnalysis] {
    let words = ListWords(of: trace)
    guard !words.isEmpty else { return [] }
    var pass = ListPass(trace, words, context)
    pass.readSpans()
    pass.readMarks()
    pass.followItems()
    return pass.conclude()
  }

  private init(_ trace: Trace, _ words: ListWords, _ context: Context) {
    self.trace = trace
    self.words = words
    keys = ListKeys(of: trace.strings)
    main = trace.mainTrack
    self.context = context
  }

  // MARK: - Reading

  private mutating func readSpans() {
    // Most spans have no arguments, so that the sums of their labels are enough.
    var plain = [DurationStatistics](
      repeating: DurationStatistics(), count: trace.labels.labels.count)
    for (id, track) in trace.numberedTracks where trace.processes[track.process.index].isHost {
      for index in Self.addPlainSteps(of: track.spans, words, isMain: id == main, to: &plain) {
        let span = track.spans[index]
        guard let word = words[span.label] else { continue }
        read(word, span.range, span.label, span.arguments, isOnMain: id == main)
      }
    }
    addPlainSteps(plain)
    // Work that is on no thread's stack counts as background work.
    for span in trace.asyncSpans {
      guard let word = words[span.label] else { continue }
      read(word, span.range, span.label, span.arguments, isOnMain: false)
    }
  }

  /// Adds spans without arguments to the sums of their labels, and returns the positions of the
  /// other spans about lists.
  private static func addPlainSteps(
    of spans: SpanColumns, _ words: ListWords, isMain: Bool, to sums: inout [DurationStatistics]
  ) -> [Int] {
    var others: [Int] = []
    var tallies = sums.indices.map { label in
      LabelTally(words[LabelID(rawValue: UInt32(label))], isMain: isMain)
    }
    tallies.withUnsafeMutableBufferPointer { tallies in
      spans.forEachBlock { block in
        spans.withArguments(inBlockAt: block.first) { lists in
          for (index, label) in block.labels.enumerated() {
            let label = Int(label.rawValue)
            guard label < tallies.count, tallies[label].isOfList else { continue }
            let isPlain = index >= lists.count || lists[index] == .none
            if isPlain, tallies[label].isPlain {
              tallies[label].count &+= 1
              tallies[label].total = tallies[label].total.saturatingAdd(block.times[index].length)
            } else {
              others.append(block.first + index)
            }
          }
        }
      }
    }
    for (label, tally) in tallies.enumerated() where tally.isStep {
      let total = TimeSpan(nanoseconds: tally.total)
      sums[label].merge(DurationStatistics(count: tally.count, total: total))
    }
    return others
  }

  /// The spans of one label and track without arguments.
  private struct LabelTally {
    let isOfList: Bool
    /// Whether it is enough to count them.
    let isPlain: Bool
    let isStep: Bool
    var count = 0
    var total: Int64 = 0

    init(_ word: ListWord?, isMain: Bool) {
      isOfList = word != nil
      isStep = word?.isPlainStep ?? false
      isPlain = isStep || word == .load && !isMain
    }
  }

  /// Adds the sums by label to the unnamed list.
  private mutating func addPlainSteps(_ sums: [DurationStatistics]) {
    for (index, sum) in sums.enumerated() where sum.count > 0 {
      let name = trace.labels[LabelID(rawValue: UInt32(index))].name
      let list = draft(of: .none)
      drafts[list].steps[name, default: DurationStatistics()].merge(sum)
    }
  }

  private mutating func read(
    _ word: ListWord, _ range: TimeRange, _ label: LabelID, _ arguments: ArgumentListID,
    isOnMain: Bool
  ) {
    let list = draft(of: arguments)
    let length = range.length
    switch word {
    case .prepare:
      let known = drafts[list].addPreparation(range, of: arguments, in: trace, keys)
      addEvent(.prepared, at: range.end, arguments, list)
      preparations.append(
        PreparedCell(
          range: range, arguments: arguments, window: isOnMain ? window(of: range) : nil,
          isAhead: known.isAhead, isCreated: known.isCreated,
          position: keys.position(of: arguments, in: trace), list: list))
    case .size:
      drafts[list].steps[trace.labels[label].name, default: DurationStatistics()].add(length)
      drafts[list].addSize(of: arguments, in: trace, keys)
    case _ where word.isPlainStep:
      drafts[list].steps[trace.labels[label].name, default: DurationStatistics()].add(length)
    case .load:
      addEvent(.loaded, at: range.end, arguments, list)
      if isOnMain, let window = window(of: range) {
        drafts[list].evidence.loads.add(length, in: window, arguments)
      }
    case .applySnapshot: drafts[list].addSnapshot(range, of: arguments, in: trace, keys)
    case .decode, .thumbnail:
      drafts[list].images.add(length, isOnMain: isOnMain, isInFrame: isOnMain && isInCommit(range))
      drafts[list].images.add(keys.bytes(of: arguments, in: trace), to: \.decodedBytes)
      if isOnMain, let window = window(of: range) {
        drafts[list].evidence.decodes.add(length, in: window, arguments)
      }
    default: break
    }
  }

  /// The items that views display. A view that displays another item no longer displays the first.
  private struct ViewKey: Hashable {
    let list: Int
    let view: UInt64
  }

  private mutating func readMarks() {
    var views: [ViewKey: (item: UInt64, arguments: ArgumentListID)] = [:]
    for mark in trace.marks {
      guard let word = words[mark.label] else { continue }
      let list = draft(of: mark.arguments)
      switch word {
      case .willDisplay: display(mark, list, &views)
      case .didEndDisplaying:
        drafts[list].evidence.addToView(-1)
        if let view = keys.view(of: mark.arguments, in: trace) {
          views[ViewKey(list: list, view: view)] = nil
        }
        addEvent(.hidden, at: mark.time, mark.arguments, list)
      case .discard: addEvent(.discarded, at: mark.time, mark.arguments, list)
      case .prefetch:
        drafts[list].data.prefetches += 1
        addEvent(.requested, at: mark.time, mark.arguments, list)
      case .cancelPrefetch:
        drafts[list].data.cancelled += 1
        addEvent(.cancelled, at: mark.time, mark.arguments, list)
      case .lateResult:
        drafts[list].data.staleResults += 1
        drafts[list].evidence.staleResults.add(.zero, at: mark.time)
      case .placeholder: addEvent(.placeholder, at: mark.time, mark.arguments, list)
      case .final: addEvent(.final, at: mark.time, mark.arguments, list)
      case .cacheHit: count(mark, \.cacheHits, bytes: \.cacheHitBytes, list)
      case .cacheMiss: count(mark, \.cacheMisses, bytes: \.cacheMissBytes, list)
      case .evict: count(mark, \.evicted, bytes: \.evictedBytes, list)
      default: break
      }
    }
  }

  private mutating func count(
    _ mark: Mark, _ number: WritableKeyPath<ImageMeasures, Int>,
    bytes: WritableKeyPath<ImageMeasures, UInt64?>, _ list: Int
  ) {
    drafts[list].images[keyPath: number] += 1
    drafts[list].images.add(keys.bytes(of: mark.arguments, in: trace), to: bytes)
  }

  private mutating func display(
    _ mark: Mark, _ list: Int, _ views: inout [ViewKey: (item: UInt64, arguments: ArgumentListID)]
  ) {
    drafts[list].cells.displayed += 1
    drafts[list].evidence.addToView(1)
    if let item = keys.item(of: mark.arguments, in: trace),
      let view = keys.view(of: mark.arguments, in: trace)
    {
      let before = views.updateValue(
        (item, mark.arguments), forKey: ViewKey(list: list, view: view))
      if let before, before.item != item {
        addEvent(.hidden, at: mark.time, before.arguments, list)
      }
    }
    addEvent(.displayed, at: mark.time, mark.arguments, list)
  }

  /// Returns the index of the list that arguments name, or of the unnamed list.
  private mutating func draft(of arguments: ArgumentListID) -> Int {
    var name = StringID.empty
    if case .string(let value) = trace.arguments.value(of: keys.list, in: arguments) {
      name = value
    }
    if let index = draftIndices[name] { return index }
    guard drafts.count <= Self.maximumCount else { return Self.maximumCount }
    let isBeyond = drafts.count == Self.maximumCount
    if !isBeyond { draftIndices[name] = drafts.count }
    drafts.append(ListDraft(name: isBeyond ? Self.overflowName : trace.strings[name]))
    return drafts.count - 1
  }

  private mutating func addEvent(
    _ kind: ItemEvent.Kind, at time: Timestamp, _ arguments: ArgumentListID, _ list: Int
  ) {
    guard let item = keys.item(of: arguments, in: trace) else { return }
    events.append(
      ItemEvent(
        item: item, time: time.nanoseconds, preparation: UInt32(clamping: preparations.count),
        list: Int16(clamping: list), kind: kind))
  }

  private mutating func isInCommit(_ range: TimeRange) -> Bool {
    guard let index = commits.index(containing: range.start) else { return false }
    return commits.ranges[index].end >= range.end
  }

  private func window(of range: TimeRange) -> Int? { context.late.index(ofMost: range) }

  // MARK: - Items

  /// Passes the events of each item, in order, to its list. Two lists can have items of one name.
  private mutating func followItems() {
    events.sort { ($0.item, $0.time, $0.kind.rawValue) < ($1.item, $1.time, $1.kind.rawValue) }
    var first = 0
    while first < events.count {
      var end = first
      while end < events.count, events[end].item == events[first].item { end += 1 }
      nameLists(of: first..<end)
      let all = events[first..<end]
      if all.allSatisfy({ $0.list == all[first].list }) {
        follow(all, in: Int(all[first].list))
      } else {
        for (list, events) in Dictionary(grouping: all, by: \.list).sorted(by: { $0.key < $1.key })
        {
          follow(events[...], in: Int(list))
        }
      }
      first = end
    }
  }

  /// Images and loads do not name their list: it is that of the item's named event before them, or else
  /// the first one.
  private mutating func nameLists(of range: Range<Int>) {
    func isNamed(_ event: ItemEvent) -> Bool { !drafts[Int(event.list)].name.isEmpty }
    var list = events[range].first(where: isNamed)?.list
    for index in range {
      if isNamed(events[index]) { list = events[index].list }
      if let list { events[index].list = list }
    }
  }

  private mutating func follow(_ events: ArraySlice<ItemEvent>, in list: Int) {
    drafts[list].follow(
      events, until: trace.range.end, isAhead: { preparations[Int($0.preparation)].isAhead })
    drafts[list].collectEvidence(
      events, preparations: &preparations, moving: context.moving, refresh: context.visibleWait)
    for event in events where event.kind == .prepared {
      preparations[Int(event.preparation)].list = list
    }
  }

  private mutating func conclude() -> [ListAnalysis] {
    let named = drafts.indices.filter { !drafts[$0].name.isEmpty }
    // If only one list is named, everything unnamed belongs to it.
    let unnamed = named.count == 1 ? drafts.firstIndex(where: \.name.isEmpty) : nil
    if let unnamed { drafts[named[0]].merge(drafts[unnamed]) }
    for index in drafts.indices { drafts[index].sortSnapshots() }
    if let unnamed {
      for index in preparations.indices where preparations[index].list == unnamed {
        preparations[index].list = named[0]
      }
    }
    // The number of new cells without a position in each late frame of a list.
    var newCells = drafts.map { _ in [Int: Int]() }
    for cell in preparations where cell.position == nil && cell.isNew {
      if let window = cell.window { newCells[cell.list][window, default: 0] += 1 }
    }
    for cell in preparations.stablySorted(by: { $0.range.start < $1.range.start }) {
      let new = cell.window.flatMap { newCells[cell.list][$0] } ?? 0
      drafts[cell.list].collectEvidence(cell, newCells: new)
    }
    if let unnamed { drafts.remove(at: unnamed) }
    return drafts.map {
      $0.conclude(in: trace, measured: context.measured, refreshInterval: context.refreshInterval)
    }.sorted { $0.name < $1.name }
  }
}

extension Trace {
  /// The commits of all surfaces; those of different ones may overlap.
  var commitTime: TimeRangeSet {
    TimeRangeSet(
      union: surfaces.lazy.flatMap(\.frames).compactMap { frame in
        guard let begin = frame.commitStart, let end = frame.commitEnd else { return nil }
        return TimeRange(start: begin, end: end)
      })
  }
}
