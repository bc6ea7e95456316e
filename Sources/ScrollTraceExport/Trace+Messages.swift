import ScrollTraceLayout
import ScrollTraceModel

extension Frame {
  /// The vocabulary's word for the outcome, or `nil` if unknown.
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
