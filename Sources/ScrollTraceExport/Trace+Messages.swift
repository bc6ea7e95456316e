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

extension Surface {
  /// The properties that the surface's frames do not contain, with their values as JSON spells them, strings
  /// without quotes.
  ///
  /// - Parameter holdsHitches: Whether the format holds the hitches that the source lists. Without them,
  ///   the frames decide the basis.
  func properties(holdsHitches: Bool = false) -> [(key: LineDetail, text: String)] {
    var list: [(key: LineDetail, text: String)] = []
    if basis != .hitchList || holdsHitches { list.append((.basis, basis.rawValue)) }
    if presentationTolerance > .zero {
      list.append((.tolerance, "\(presentationTolerance.nanoseconds)"))
    }
    if timesLieOnRefreshGrid { list.append((.grid, "true")) }
    if numbersEveryFrame { list.append((.numbered, "true")) }
    if isDisplayStream { list.append((.display, "true")) }
    if derivesRefreshInterval { list.append((.estimatedInterval, "true")) }
    return list
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
