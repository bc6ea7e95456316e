import ScrollTraceAnalysis
import ScrollTraceGate

/// The words for verdicts and their results, which all renderers use.
enum VerdictMessages {
  static func word(for status: Verdict.Status) -> String {
    switch status {
    case .passed: "PASS"
    case .failed: "FAIL"
    case .tooFewRuns: "TOO FEW RUNS"
    case .notEvaluated: "NOT EVALUATED"
    }
  }

  static func role(of status: Verdict.Status) -> TextRole {
    switch status {
    case .passed: .good
    case .failed: .late
    case .tooFewRuns, .notEvaluated: .near
    }
  }

  static func styled(_ status: Verdict.Status) -> StyledText {
    StyledText(word(for: status), role(of: status))
  }

  /// The label of the metric, and its subject.
  static func name(of result: LimitResult) -> String {
    let subject = result.subject.isEmpty ? "" : " of '\(clipped(result.subject))'"
    return clipped(result.label) + subject
  }

  /// The value with as many decimals as distinguish it from the limit, or from a baseline that it is worse than, or
  /// `unknown`.
  static func value(of result: LimitResult) -> String {
    guard let value = result.value else { return "unknown" }
    let bound = bound(of: result.limit)
    let isApart = !result.isRegression || result.status == .failed
    return GateNumber.text(
      value, besides: isApart ? bound : bound.map { _ in value }, unit: unit(of: result))
  }

  /// The bound: `≤ 10 ms/s`, or the baseline with its tolerance or without.
  static func limit(of result: LimitResult, hasTolerance: Bool = true) -> String {
    func text(_ value: Double) -> String { GateNumber.text(value, unit: unit(of: result)) }
    return switch result.limit {
    case .maximum(let value): "≤ \(text(value))"
    case .minimum(let value): "≥ \(text(value))"
    case .baseline(nil, _, _): "baseline none"
    case .baseline(let value?, let relative, let absolute):
      "baseline \(text(value))"
        + (hasTolerance
          ? ", tolerance \(GateNumber.text(relative, unit: "share")) and \(text(absolute))" : "")
    }
  }

  /// The 95% confidence interval of the difference from the baseline; empty if unknown.
  static func interval(of result: LimitResult) -> String {
    result.confidenceInterval.map { GateNumber.text($0, unit: unit(of: result)) } ?? ""
  }

  /// The result in one sentence: its subject and its reason.
  static func sentence(on result: LimitResult) -> String {
    let subject = result.subject.isEmpty ? "" : "\(clipped(result.subject)): "
    return subject + clipped(result.reason, to: 1_000)
  }

  /// The results in one sentence: their subjects, and their reason once.
  static func sentence(on joint: JointResult) -> String {
    let subjects = joint.subjects
    return (subjects.isEmpty ? "" : "\(clipped(subjects)): ") + clipped(joint.reason, to: 1_000)
  }

  /// The number that the value is compared with.
  private static func bound(of limit: LimitResult.Limit) -> Double? {
    switch limit {
    case .maximum(let value), .minimum(let value): value
    case .baseline(let value, _, _): value
    }
  }

  private static func unit(of result: LimitResult) -> String { clipped(result.unit, to: 20) }

  /// Returns a sentence of a verdict without control characters.
  static func shown(_ text: String) -> String {
    EscapingContext.terminal.escape(clipped(text, to: 1_000))
  }

  /// The first characters of a text of any length.
  static func clipped(_ text: String, to count: Int = 200) -> String {
    String(text.unicodeScalars.prefix(count))
  }
}
