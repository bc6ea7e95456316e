import ScrollTraceLayout
import ScrollTraceModel

extension Frame {
  /// The vocabulary's word for what became of it; `nil` for what is unknown.
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
  /// Whether only the source could say it; the others show in what the trace holds.
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
