public import ScrollTraceKit
public import Testing

extension TraceRuns {
  /// What a budget says of the runs, for `#expect`.
  ///
  /// ```swift
  /// #expect(feed.judged(by: .scroll).isKept)
  /// ```
  ///
  /// Where the budget is not kept, the test gets the report with its graph as an attachment, and
  /// recordings that are in no file; `swift test --attachments-path FOLDER` writes them. Where it is
  /// kept in doubt, with a warning or with lost data, the test gets a warning that says so.
  ///
  /// - Parameters:
  ///   - budget: The limits. Baselines are for `scrolltrace check`; here they have no effect.
  ///   - isStrict: Whether too few runs and doubt are no pass.
  ///   - allowsLoss: Whether traces that lost data can pass.
  ///   - sourceLocation: Where the test asks.
  public func evaluated(
    by budget: Budget, isStrict: Bool = false, allowsLoss: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> CheckOutcome {
    let answer = CheckOutcome(self, budget, isStrict: isStrict, allowsLoss: allowsLoss)
    guard Test.current != nil, !answer.passed || answer.hasWarnings else { return answer }
    let name = (runs.first?.fileName ?? "scrolltrace") + ".txt"
    Attachment.record(answer.text, named: name, sourceLocation: sourceLocation)
    if answer.passed {
      Issue.record(
        "\(answer.description)", severity: .warning, sourceLocation: sourceLocation)
    } else {
      for run in runs {
        guard let bytes = run.bytes else { continue }
        Attachment.record(bytes, named: run.fileName, sourceLocation: sourceLocation)
      }
    }
    return answer
  }
}
