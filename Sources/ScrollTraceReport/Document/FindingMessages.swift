package import ScrollTraceAnalysis
package import ScrollTraceModel
import ScrollTracePrediction

/// The messages about findings, for all renderers.
package struct FindingMessages {
  /// The trace's start, from which times are counted.
  private let start: Timestamp
  private let toolkit: Toolkit?
  private let name: (String) -> String

  /// Creates messages for a trace. `name` converts a name of the trace to what the renderer can show.
  package init(of trace: Trace, name: @escaping (String) -> String = { $0 }) {
    start = trace.range.start
    toolkit = Toolkit(of: trace)
    self.name = name
  }

  /// Returns a title of a few words.
  package func title(of finding: Finding) -> String {
    message(for: finding)?.title(values(of: finding)) ?? finding.id.rawValue
  }

  /// Returns the evidence as a sentence without a period.
  package func evidence(of finding: Finding) -> String {
    let message = message(for: finding)
    let evidence = finding.evidence
    var text =
      message?.evidence(values(of: finding)) ?? Quantity.count(evidence.count, "occurrence")
    if evidence.hitches > 0, evidence.hitchTime > .zero, message?.includesHitchTime != true {
      text += "; \(Quantity.length(evidence.hitchTime)) of hitch time"
    }
    if let worst = evidence.worst { text += "; worst \(place(of: worst))" }
    return text
  }

  /// Returns the fix as sentences.
  package func fix(of finding: Finding) -> String {
    message(for: finding)?.fix(values(of: finding)) ?? ""
  }

  /// Returns the predicted effect of the fix, as a sentence without a period, or `nil` if it was not
  /// predicted or the `hitchTime` of the surface is unknown.
  package func prediction(for finding: Finding, of hitchTime: TimeSpan?) -> String? {
    guard let removed = finding.predictedRemoval, let hitchTime else { return nil }
    let trust =
      removed.hitRate.map {
        "; \(PredictionMessages.text(ofHitRate: $0)) of such predictions held"
      } ?? ""
    guard removed.high > .zero else {
      return "Predicted: removes no hitch time alone; the frames stay late\(trust)"
    }
    let part =
      removed.low == removed.high
      ? removed.high == hitchTime ? "all" : Quantity.length(removed.high)
      : removed.low > .zero
        ? PredictionMessages.text(of: RemovedTime(low: removed.low, high: removed.high))
        : "at most \(Quantity.length(removed.high))"
    return
      "Predicted: likely removes \(part) of \(Quantity.length(hitchTime)) of hitch time\(trust)"
  }

  private func message(for finding: Finding) -> FindingMessage? { Self.byID[finding.id] }

  private func values(of finding: Finding) -> FindingMessage.Values {
    FindingMessage.Values(finding: finding, name: name, toolkit: toolkit)
  }

  private func place(of worst: Finding.Occurrence) -> String {
    worst.frame.map { "in frame \($0)" } ?? "at \(Quantity.instant(worst.time - start))"
  }

  private static let byID = Dictionary(
    all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}
