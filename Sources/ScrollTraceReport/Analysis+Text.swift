public import ScrollTraceAnalysis
import ScrollTraceModel

extension Analysis {
  /// The findings as sentences, the most expensive first.
  public var findingTexts: [String] {
    let messages = FindingText(of: trace)
    return findings.map { EscapingContext.terminal.escape(messages.title(of: $0)) }
  }

  /// The notices on the trace and its analysis as sentences.
  public var noticeTexts: [String] {
    Messages(start: trace.range.start).texts(of: notices).map {
      EscapingContext.terminal.escape($0)
    }
  }
}
