import ScrollTraceLayout
import ScrollTraceModel

extension Frame {
  /// Calls `body` with each known time and the refresh interval, in nanoseconds, and its key in the vocabulary.
  @inline(__always)
  func forEachKeyedTime(_ body: (Vocabulary.Key, Int64) -> Void) {
    if let start { body(.begin, start.nanoseconds) }
    if let commitStart { body(.commitStart, commitStart.nanoseconds) }
    if let commitEnd { body(.commitEnd, commitEnd.nanoseconds) }
    if let deadline { body(.deadline, deadline.nanoseconds) }
    if let target { body(.target, target.nanoseconds) }
    if let presented { body(.presented, presented.nanoseconds) }
    if let refreshInterval { body(.interval, refreshInterval.nanoseconds) }
  }

  /// The time of a span that shows the frame: from its start to its presentation, or to its commit's end.
  var shownRange: TimeRange? {
    let end = presented ?? commitEnd ?? target ?? deadline
    return (time ?? end).map { TimeRange(start: $0, end: max($0, end ?? $0)) }
  }

  var outcomeWord: StaticString? {
    switch outcome {
    case .unknown: nil
    case .presented:
      wasOnTime ? Vocabulary.Outcome.presentedOnTime : Vocabulary.Outcome.presented
    case .dropped: Vocabulary.Outcome.dropped
    case .notRequested: Vocabulary.Outcome.notRequested
    }
  }
}

extension Trace {
  /// Returns the category of a span that overlaps others of its thread, with the mark that it does.
  func overlapCategory(of label: LabelID) -> String {
    "\(category(of: label)),\(Vocabulary.Category.overlap)"
  }
}

extension Notice {
  /// Whether only the source could have counted the loss; the others
  /// follow from the trace.
  var isOfSource: Bool {
    switch self {
    case .notClosed, .keepsLastPart, .presentedBeforeStart, .source: true
    case .noMainTrack, .noFrames, .repeatedFrameNumbers, .unfinishedSpans,
      .implausibleThreadTimes, .overlappingThreadStates, .tooManyThreadStates,
      .commitsOnOtherThread:
      false
    }
  }
}
