import ScrollTraceModel

/// Determines which main-thread work filled a window (M-16).
struct Attributor {
  private let trace: Trace
  private let spans: SpanColumns
  private let isCompletelyRecorded: Bool
  /// The open spans and their assumed ends.
  private let open: [(span: OpenSpan, end: Timestamp)]
  private let waits: WaitingLabels
  private let itemKey: StringID?
  /// The busy times of the track, to find the spans that overlap a window.
  private let timeline: BusyTimeline

  /// Creates an attributor for the main track of `trace`, or returns `nil` if there is none.
  ///
  /// - Parameter workload: The work of each track, and the spans that are waits.
  init?(of trace: Trace, _ workload: TrackWorkload) {
    guard let main = trace.mainTrack else { return nil }
    let track = trace.tracks[main.index]
    self.trace = trace
    spans = track.spans
    isCompletelyRecorded = track.isCompletelyRecorded
    open = zip(trace.openSpans, OpenSpanEnds(of: trace, workload).ends)
      .filter { $0.0.track == main }.map { ($0, $1) }
    itemKey = trace.strings.firstID(of: "item")
    timeline = workload.timelines[main.index]
    waits = workload.waits
  }

  /// A span that overlaps the window.
  private struct Piece {
    var start: Int64
    var end: Int64
    var label: LabelID
    var item: ArgumentValue?
  }

  private struct CauseKey: Hashable {
    var label: LabelID
    var item: ArgumentValue?
  }

  /// The causes that filled `window`. They add up to it to the nanosecond.
  func attribution(of window: TimeRange) -> Attribution { attribute(window).result }

  /// The attribution of `window` and the number of examined spans.
  func attribute(_ window: TimeRange) -> (result: Attribution, pieceCount: Int) {
    let (pieces, pieceCount) = pieces(in: window)
    var sums: [CauseKey: Int64] = [:]
    var waiting: Int64 = 0
    var inFrame: Int64 = 0
    var covered: Int64 = 0
    SelfTimeSweep.run(
      count: pieces.count, start: { pieces[$0].start }, end: { pieces[$0].end }
    ) { begin, end, index in
      let from = max(begin, window.start.nanoseconds)
      let to = min(end, window.end.nanoseconds)
      guard to > from else { return }
      covered += to - from
      let category = trace.labels[pieces[index].label].category
      if waits[pieces[index].label] {
        waiting += to - from
      } else if trace.strings.matches(category, "scrolltrace.frame") {
        inFrame += to - from
      } else {
        let key = CauseKey(label: pieces[index].label, item: pieces[index].item)
        sums[key, default: 0] += to - from
      }
    }
    let uncovered = TimeSpan(nanoseconds: window.length.nanoseconds - covered)
    let unexplained = TimeSpan(nanoseconds: inFrame)
    let result = Attribution(
      window: window, causes: causes(sums, of: window),
      waiting: TimeSpan(nanoseconds: waiting),
      idle: isCompletelyRecorded ? uncovered : .zero,
      unrecorded: isCompletelyRecorded ? unexplained : unexplained + uncovered)
    return (result, pieceCount)
  }

  private func causes(_ sums: [CauseKey: Int64], of window: TimeRange) -> [Attribution.Cause] {
    sums.map { key, sum in
      Attribution.Cause(
        category: trace.category(of: key.label), name: trace.name(of: key.label),
        item: key.item.map { trace.text(of: $0) }, selfTime: TimeSpan(nanoseconds: sum),
        share: Double(sum) / Double(window.length.nanoseconds))
    }
    .sorted {
      ($1.selfTime, $0.category, $0.name, $0.item ?? "")
        < ($0.selfTime, $1.category, $1.name, $1.item ?? "")
    }
  }

  /// The spans that overlap `window`, sorted by start. Open spans have their assumed ends.
  private func pieces(in window: TimeRange) -> (pieces: [Piece], count: Int) {
    var found: [Piece] = []
    let (indexes, blockCount) = timeline.spanIndexes(in: window)
    for index in indexes {
      let list = spans.arguments(at: index)
      found.append(
        Piece(
          start: spans.begins[index], end: spans.ends[index], label: spans.labels[index],
          item: itemKey.flatMap { trace.arguments.value(of: $0, in: list) }))
    }
    for (span, end) in open where span.since < window.end && end > window.start {
      found.append(
        Piece(
          start: span.since.nanoseconds, end: end.nanoseconds, label: span.label,
          item: span.item))
    }
    let sorted = found.enumerated().sorted {
      ($0.element.start, $1.element.end, $0.offset) < ($1.element.start, $0.element.end, $1.offset)
    }.map(\.element)
    return (sorted, found.count + blockCount)
  }
}

extension Trace {
  /// The value of an argument as text.
  func text(of value: ArgumentValue) -> String {
    switch value {
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .double(let number): String(number)
    case .bool(let flag): String(flag)
    case .string(let id): strings[id]
    case .null: ""
    }
  }
}
