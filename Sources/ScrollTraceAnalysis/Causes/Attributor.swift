import ScrollTraceModel

/// Determines which main-thread work filled a window (M-16).
struct Attributor {
  private let trace: Trace
  private let spans: SpanColumns
  private let isCompletelyRecorded: Bool
  /// The open spans and their assumed ends.
  private let open: [(span: OpenSpan, end: Timestamp)]
  private let waits: WaitingLabels
  private let names: WorkNames
  /// What V8 has around every call of a script.
  private static let callNames: [StaticString] = ["V8.Execute", "v8.callFunction"]
  private let calls: Set<LabelID>
  /// Where a trace has such calls, what does not name them either: loops, phases and frames.
  private let unnamed: Set<LabelID>
  private let resolver: WaitResolver
  private let itemKey: StringID?
  /// The busy times of the track, to find the spans that overlap a window.
  private let timeline: BusyTimeline
  /// What the thread did by the system's own count, or `nil` if unknown.
  private let threadTimeline: ThreadTimeline?
  /// The times in which the recorder saw the thread work, also between frames, or `nil` if it did not look.
  private let sampled: SampleCells?

  /// Creates an attributor for a track.
  ///
  /// - Parameters:
  ///   - id: The track, or `nil` for the main track; the attributor is `nil` if there is none.
  ///   - workload: When each track was occupied, and which spans are waits.
  init?(of trace: Trace, _ workload: TrackWorkload, on id: TrackID? = nil) {
    guard let main = id ?? trace.mainTrack else { return nil }
    let track = trace.tracks[main.index]
    threadTimeline = workload.threads[main.index]
    let looked = trace.source.recorderCost?.sampling != nil
    sampled =
      looked
      ? trace.samples.first { $0.track == main && $0.count > 0 }.map { SampleCells($0) } : nil
    self.trace = trace
    spans = track.spans
    isCompletelyRecorded = track.isCompletelyRecorded
    open = zip(trace.openSpans, workload.endsOfOpenSpans(of: trace))
      .filter { $0.0.track == main }.map { ($0, $1) }
    itemKey = trace.strings.firstID(of: "item")
    timeline = workload.timelines[main.index]
    waits = workload.waits
    names = workload.names
    calls = Set(
      trace.labels.allIDs.filter { label in
        Self.callNames.contains { trace.strings.matches(trace.labels[label].name, $0) }
      })
    unnamed =
      calls.isEmpty
      ? [] : Set(trace.labels.allIDs.filter { trace.workName(of: $0).isFrameOfOtherWork })
    resolver = WaitResolver(of: trace, workload, on: main)
  }

  /// A span that overlaps the window.
  private struct Piece {
    var bounds: SpanBounds
    var label: LabelID
    var item: ArgumentValue?

    var start: Int64 { bounds.start }
    var end: Int64 { bounds.end }
  }

  private struct CauseKey: Hashable {
    var label: LabelID
    var item: ArgumentValue?
  }

  /// The causes that filled `window`. They add up to it to the nanosecond.
  func attribution(of window: TimeRange) -> Attribution {
    attribution(of: window, pieces(in: window).pieces, starting: nil)
  }

  /// Returns the attribution of a frame's window, with the work around other work, and the number of examined
  /// spans.
  ///
  /// - Parameter starting: The time from the start of the window's frame to that of its commit, or `nil`
  ///   if unknown: without a span it is a late start.
  func attribute(
    _ window: TimeRange, starting: TimeRange?
  ) -> (result: Attribution, pieceCount: Int) {
    let (pieces, pieceCount) = pieces(in: window)
    var result = attribution(of: window, pieces, starting: starting)
    result.enclosing = enclosing(pieces, in: window)
    return (result, pieceCount)
  }

  private func attribution(
    of window: TimeRange, _ pieces: [Piece], starting: TimeRange?
  ) -> Attribution {
    let occupied = occupied(pieces, in: window, starting: starting)
    let fill = WindowFill(
      window, pieces: occupied, timeline: threadTimeline,
      isCompletelyRecorded: isCompletelyRecorded)
    var sums: [CauseKey: Int64] = [:]
    var inFrame: Int64 = 0
    for (index, time) in fill.work {
      if trace.isFrame(pieces[index].label) {
        inFrame += time
      } else {
        sums[key(of: pieces[index]), default: 0] += time
      }
    }
    return Attribution(
      window: window, causes: causes(sums, of: window),
      waiting: TimeSpan(nanoseconds: fill.waiting),
      notScheduled: TimeSpan(nanoseconds: fill.notScheduled),
      blocked: TimeSpan(nanoseconds: fill.blocked),
      notRunning: TimeSpan(nanoseconds: fill.notRunning),
      lateStart: TimeSpan(nanoseconds: fill.lateStart), idle: TimeSpan(nanoseconds: fill.idle),
      unrecorded: TimeSpan(nanoseconds: inFrame + fill.unrecorded),
      occupants: occupants(occupied, of: pieces, fill, in: window),
      estimated: TimeSpan(nanoseconds: fill.estimated), thread: fill.thread)
  }

  /// The work around other work in `window`, longest first.
  private func enclosing(_ pieces: [Piece], in window: TimeRange) -> [Attribution.Enclosing] {
    let (start, end) = (window.start.nanoseconds, window.end.nanoseconds)
    var open: [(end: Int64, label: LabelID)] = []
    var (labels, times) = ([LabelID](), [LabelID: TimeSpan]())
    var enclosing: Set<LabelID> = []
    for piece in pieces {
      let length = min(piece.end, end) - max(piece.start, start)
      guard length > 0 else { continue }
      while let last = open.last, last.end <= piece.start { open.removeLast() }
      let label = names.representative(of: piece.label)
      let around = open.suffix(SpanStack.maximumDepth).filter { $0.end >= piece.end }
      if let inner = around.last { enclosing.insert(inner.label) }
      open.append((piece.end, label))
      guard !around.contains(where: { $0.label == label }) else { continue }
      if times[label] == nil { labels.append(label) }
      times[label, default: .zero] += TimeSpan(nanoseconds: length)
    }
    let found = labels.compactMap { label -> Attribution.Enclosing? in
      let work = names[label]
      guard enclosing.contains(label), !waits[label], !work.isFrameOfOtherWork, !work.isHang,
        work.name?.isEmpty == false
      else { return nil }
      return Attribution.Enclosing(
        work: work, time: min(times[label, default: .zero], window.length))
    }
    return found.stablySorted { $0.time > $1.time }
  }

  /// Returns when the last work of `window` ended, or `nil` if there is none.
  func workEnd(in window: TimeRange) -> Timestamp? {
    let work = pieces(in: window, hasItems: false).pieces.filter { !waits[$0.label] }
    return work.map(\.end).max().map { min(Timestamp(clamping: $0), window.end) }
  }

  /// Returns the number of spans of each kind of work that start in `windows`.
  func spanCounts(in windows: TimeRangeSet) -> [WorkName: Int] {
    var counts: [LabelID: Int] = [:]
    for index in 0..<spans.count {
      let start = Timestamp(clamping: spans.times[index].start)
      if windows.index(containing: start) != nil { counts[spans.labels[index], default: 0] += 1 }
    }
    return counts.reduce(into: [:]) { $0[names[$1.key], default: 0] += $1.value }
  }

  /// The parts of `window` that spans cover, each with its innermost span, ascending.
  func innermostSpans(in window: TimeRange) -> [(start: Int64, end: Int64, label: LabelID)] {
    let (start, end) = (window.start.nanoseconds, window.end.nanoseconds)
    let pieces = pieces(in: window, hasItems: false).pieces
    var found: [(start: Int64, end: Int64, label: LabelID)] = []
    SelfTimeSweep.run(pieces.lazy.map(\.bounds)) { begin, stop, index in
      let (from, to) = (max(begin, start), min(stop, end))
      guard to > from, !trace.isFrame(pieces[index].label) else { return }
      found.append((from, to, pieces[index].label))
    }
    return found
  }

  /// The parts of `window` in which spans are open, with those spans, ascending.
  func spanStacks(in window: TimeRange) -> [SpanStack] {
    let (start, end) = (window.start.nanoseconds, window.end.nanoseconds)
    var (found, open, now) = ([SpanStack](), [Piece](), start)
    func advance(to limit: Int64) {
      while now < limit {
        open.removeAll { $0.end <= now }
        guard !open.isEmpty else { return now = limit }
        let next = min(limit, open.reduce(limit) { min($0, $1.end) })
        found.append(SpanStack(start: now, end: next, labels: open.map(\.label)))
        now = next
      }
    }
    for piece in pieces(in: window).pieces where piece.end > start && piece.start < end {
      advance(to: max(start, piece.start))
      open.removeAll { $0.end <= now }
      if open.count < SpanStack.maximumDepth { open.append(piece) }
    }
    advance(to: end)
    return found
  }

  private func key(of piece: Piece) -> CauseKey {
    CauseKey(label: names.representative(of: piece.label), item: piece.item)
  }

  /// The window as pieces without gaps, each with its innermost span.
  private func occupied(
    _ spans: [Piece], in window: TimeRange, starting: TimeRange?
  ) -> [WindowFill.Piece] {
    let (start, end) = (window.start.nanoseconds, window.end.nanoseconds)
    let (frameStart, commitStart) = (
      starting?.start.nanoseconds ?? end, starting?.end.nanoseconds ?? end
    )
    var found: [WindowFill.Piece] = []
    var now = start
    func add(to limit: Int64, _ kind: WindowFill.Kind) {
      guard limit > now else { return }
      found.append(WindowFill.Piece(start: now, end: limit, span: nil, kind: kind))
      now = limit
    }
    func addUnknown(to limit: Int64) {
      add(to: min(limit, frameStart), .open)
      add(to: min(limit, commitStart), .beforeCommit)
      add(to: limit, .open)
    }
    func addOpen(to limit: Int64) {
      guard limit > now else { return }
      let rest = TimeRange(start: Timestamp(clamping: now), end: Timestamp(clamping: limit))
      sampled?.forEach(in: rest) { _, start, end in
        addUnknown(to: start)
        add(to: end, .sampled)
      }
      addUnknown(to: limit)
    }
    SelfTimeSweep.run(spans.lazy.map(\.bounds)) { begin, stop, index in
      let (from, to) = (max(begin, start), min(stop, end))
      guard to > from else { return }
      addOpen(to: from)
      found.append(
        WindowFill.Piece(
          start: from, end: to, span: index, kind: waits[spans[index].label] ? .wait : .work))
      now = to
    }
    addOpen(to: end)
    return found
  }

  // MARK: - Occupants

  /// A key of occupants: spans of one name and item, inside one work if they are waits.
  private struct OccupantKey: Hashable {
    var span: CauseKey
    var around: CauseKey?
    var wait: Wait?
  }

  /// The spans that were innermost in `window`, with what the thread waited for in them.
  private func occupants(
    _ occupied: [WindowFill.Piece], of pieces: [Piece], _ fill: WindowFill, in window: TimeRange
  ) -> [Attribution.Occupant] {
    var times: [Int: Int64] = [:]
    for piece in occupied {
      guard let span = piece.span else { continue }
      times[span, default: 0] += piece.end - piece.start
    }
    var blocked: [Int: Int64] = [:]
    for (index, time) in fill.blockedIn { blocked[index, default: 0] += time }
    let readsFromDisk = fill.thread?.diskFaults.map { $0 > 0 }
    var sums: [OccupantKey: (time: Int64, waited: Int64)] = [:]
    for (index, time) in times {
      let piece = pieces[index]
      let isWait = waits[piece.label]
      let waited = isWait ? time : blocked[index] ?? 0
      var key = OccupantKey(span: key(of: piece))
      if isWait { key.around = work(around: index, of: pieces).map { self.key(of: pieces[$0]) } }
      if isWait {
        key.wait = markedWait(at: index, of: pieces, in: window, readsFromDisk: readsFromDisk)
      } else if waited >= Self.minimumWait {
        let range = range(of: piece, in: window)
        key.wait = resolver.wait(
          in: piece.label, range, latestStart: range.end.nanoseconds - waited, isMarked: false,
          readsFromDisk: readsFromDisk)
      } else if waited > 0 {
        key.wait = Wait(span: names[piece.label], kind: .unknown)
      }
      sums[key, default: (0, 0)].time += time
      sums[key, default: (0, 0)].waited += waited
    }
    return sums.map { key, sum in
      Attribution.Occupant(
        work: names[key.span.label], item: key.span.item.flatMap(trace.displayText),
        time: TimeSpan(nanoseconds: sum.time), waited: TimeSpan(nanoseconds: sum.waited),
        wait: key.wait, isWait: waits[key.span.label],
        around: key.around.map { names[$0.label] },
        aroundItem: (key.around?.item).flatMap(trace.displayText))
    }
    .sorted {
      ($1.time, $1.waited, $0.work.category, $0.work.name ?? "", $0.item ?? "", $0.order)
        < ($0.time, $0.waited, $1.work.category, $1.work.name ?? "", $1.item ?? "", $1.order)
    }
  }

  /// The shortest wait of which it is worth to know what it was for.
  static let minimumWait: Int64 = 500_000

  private func range(of piece: Piece, in window: TimeRange) -> TimeRange {
    TimeRange(
      start: Timestamp(clamping: max(piece.start, window.start.nanoseconds)),
      end: Timestamp(clamping: min(piece.end, window.end.nanoseconds)))
  }

  /// The wait of a span marked so. Waits inside others are how those wait, and the outermost says for what:
  /// `IFeed::load` of `binder transaction`, unless only the inner one has an owner or a kind.
  private func markedWait(
    at index: Int, of pieces: [Piece], in window: TimeRange, readsFromDisk: Bool?
  ) -> Wait {
    func wait(at index: Int) -> Wait {
      resolver.wait(
        in: pieces[index].label, range(of: pieces[index], in: window),
        latestStart: pieces[index].start, isMarked: true, readsFromDisk: readsFromDisk)
    }
    let own = wait(at: index)
    guard own.owner == nil, let outer = outermostWait(around: index, of: pieces) else { return own }
    let whole = wait(at: outer)
    return whole.kind == .unknown ? Wait(span: whole.span, kind: own.kind) : whole
  }

  /// The position of the outermost of the waits directly around a wait, or `nil` if there is none.
  private func outermostWait(around index: Int, of pieces: [Piece]) -> Int? {
    pieces[..<index].indices.reversed().lazy
      .filter { pieces[$0].start <= pieces[index].start && pieces[$0].end >= pieces[index].end }
      .prefix { waits[pieces[$0].label] }.last
  }

  /// The position of the innermost work around a wait, or `nil` if there is none.
  private func work(around index: Int, of pieces: [Piece]) -> Int? {
    pieces[..<index].lastIndex {
      $0.start <= pieces[index].start && $0.end >= pieces[index].end && !waits[$0.label]
    }
  }

  private func causes(_ sums: [CauseKey: Int64], of window: TimeRange) -> [Cause] {
    sums.map { key, sum in
      let work = names[key.label]
      return Cause(
        category: work.category, name: work.name ?? "", item: key.item.flatMap(trace.displayText),
        selfTime: TimeSpan(nanoseconds: sum),
        share: Double(sum) / Double(window.length.nanoseconds))
    }
    .sorted {
      ($1.selfTime, $0.category, $0.name, $0.item ?? "")
        < ($0.selfTime, $1.category, $1.name, $1.item ?? "")
    }
  }

  /// The spans that overlap `window`, sorted by start. Open spans have their assumed ends.
  private func pieces(
    in window: TimeRange, hasItems: Bool = true
  ) -> (pieces: [Piece], count: Int) {
    let (indexes, blockCount) = timeline.spanIndexes(in: window)
    let itemKey = hasItems ? itemKey : nil
    var found = indexes.map { index in
      Piece(
        bounds: spans.times[index], label: spans.labels[index],
        item: trace.arguments.value(of: itemKey, in: spans.arguments(at: index)))
    }
    for (span, end) in open where span.since < window.end && end > window.start {
      found.append(
        Piece(
          bounds: SpanBounds(start: span.since.nanoseconds, end: end.nanoseconds),
          label: span.label, item: span.item))
    }
    let sorted = found.stablySorted { ($0.start, $1.end) < ($1.start, $0.end) }
    return (calls.isEmpty ? sorted : withoutNamedCalls(sorted), found.count + blockCount)
  }

  /// Leaves out the calls inside of a script or event that has a name: their time is its own.
  private func withoutNamedCalls(_ pieces: [Piece]) -> [Piece] {
    var named: [Int64] = []
    return pieces.filter { piece in
      while let end = named.last, end <= piece.start { named.removeLast() }
      guard !calls.contains(piece.label) else { return named.last ?? .min < piece.end }
      if !unnamed.contains(piece.label), !waits[piece.label] { named.append(piece.end) }
      return true
    }
  }
}

extension Attribution.Occupant {
  /// The order of equal occupants.
  fileprivate var order: String {
    let owner = [
      wait?.kind.rawValue, wait?.owner?.thread, wait?.owner?.work, around?.name, aroundItem,
    ]
    return owner.map { $0 ?? "" }.joined(separator: "\0")
  }
}

extension Trace {
  func workName(of label: LabelID) -> WorkName {
    WorkName(category: category(of: label), name: name(of: label))
  }

  /// Returns whether a span stands for a frame as a whole, so that its own time is unrecorded.
  func isFrame(_ label: LabelID) -> Bool {
    strings.matches(labels[label].category, "scrolltrace.frame")
  }
}
