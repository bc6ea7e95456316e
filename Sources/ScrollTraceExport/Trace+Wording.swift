import ScrollTraceFormat
import ScrollTraceModel

extension FrameOutcome {
  /// The vocabulary's word; `nil` for what is unknown.
  var word: StaticString? {
    switch self {
    case .unknown: nil
    case .presented: Vocabulary.Outcome.presented
    case .dropped: Vocabulary.Outcome.dropped
    case .notRequested: Vocabulary.Outcome.notRequested
    }
  }
}

extension Notice {
  /// Whether only the source could say it; the others show in what the trace holds.
  var isOfSource: Bool {
    switch self {
    case .notClosed, .keepsLastPart, .presentedBeforeBegin, .source: true
    case .noMainTrack, .noFrames, .repeatedFrameNumbers, .unfinishedSpans: false
    }
  }
}
