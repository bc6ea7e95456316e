import ScrollTraceAnalysis
import ScrollTraceModel

/// The result of one limit of a budget (M-21).
public struct LimitResult: Hashable, Sendable {
  /// The consequence of exceeding a limit.
  public enum Level: String, Codable, Sendable, CaseIterable {
    /// The limit is off.
    case off
    /// The gate warns.
    case warn
    /// The gate fails.
    case error
  }

  /// The bound that a value is checked against.
  package enum Limit: Hashable, Sendable {
    /// The value may not be greater.
    case maximum(Double)
    /// The value may not be smaller.
    case minimum(Double)
    /// The baseline's median, of which the value may be worse by both a part and a difference, or
    /// `nil` if the baseline has none.
    case baseline(Double?, relative: Double, absolute: Double)
  }

  /// The metric's name: `hitchTimeRatioMsPerS`.
  public let metric: String
  /// The unit of all numbers, which is that of the metric's name: a raw value of `Metric.Unit`.
  package let unit: String
  /// The group, surface, interaction or state; empty for the primary surface of all runs.
  package let subject: String
  /// The median of the runs, or `nil` if no run has the metric.
  public let value: Double?
  /// The minimum and the maximum, or `nil` if fewer than two runs have the metric.
  package let range: ClosedRange<Double>?
  /// The value in motion, or `nil` if it is the same or the metric has none.
  package let valueInMotion: Double?
  /// The number of runs that have the metric.
  package let runs: Int
  package let limit: Limit
  /// The 95% confidence interval of the difference from the baseline, or `nil` if unknown.
  package let confidenceInterval: ClosedRange<Double>?
  /// The increase over the baseline that the runs would show in four of five cases, or `nil` if unknown.
  package let detectableIncrease: Double?
  /// Whether the runs are better than the baseline by more than the tolerance.
  package let isBetter: Bool
  /// Whether the value is worse by chance, as far as the metrics beside it tell.
  let isByChance: Bool
  /// The sentence that the runs may be worse than the baseline, though they pass, or `nil`.
  let doubt: String?
  /// The consequence of exceeding the limit.
  package private(set) var level: Level
  /// The result.
  public let status: Verdict.Status
  /// The reason, without a period.
  public let reason: String
  /// The file names of the runs that lack the metric.
  package let runsWithoutData: [String]
  /// The reason that a verdict gives once for all metrics that share it, or `nil`.
  let sharedReason: String?

  /// The same result with another consequence.
  func atLevel(_ level: Level) -> LimitResult {
    var result = self
    result.level = level
    return result
  }

  package var isRegression: Bool { if case .baseline = limit { true } else { false } }

  /// A warning that the runs may be worse, though not beyond chance, or `nil`.
  var noteOnDoubt: VerdictNote? {
    doubt.map { VerdictNote(.overLimit, .warning, $0).ofGroup(subject) }
  }

  /// The detectable increase as a part of the baseline, or `nil` if unknown.
  var detectableShare: Double? {
    guard case .baseline(let base?, _, _) = limit, base != 0 else { return nil }
    return detectableIncrease.map { $0 / base.magnitude }
  }

  /// The subject, if it is not the primary surface, and the words for the metric.
  var name: String { Verdict.Group.prefix(subject) + label }

  /// The words for the metric: `hitch time ratio`.
  public var label: String { Metric.named(metric)?.label ?? metric }

  package init(
    metric: String, unit: String, subject: String = "", value: Double?, runs: Int, limit: Limit,
    confidenceInterval: ClosedRange<Double>? = nil, detectableIncrease: Double? = nil,
    isBetter: Bool = false, isByChance: Bool = false, doubt: String? = nil, level: Level,
    status: Verdict.Status, reason: String,
    sharedReason: String? = nil, range: ClosedRange<Double>? = nil,
    valueInMotion: Double? = nil, runsWithoutData: [String] = []
  ) {
    self.runsWithoutData = runsWithoutData
    self.sharedReason = sharedReason
    self.range = range
    self.valueInMotion = valueInMotion
    self.metric = metric
    self.unit = unit
    self.subject = subject
    self.value = value
    self.runs = runs
    self.limit = limit
    self.confidenceInterval = confidenceInterval
    self.detectableIncrease = detectableIncrease
    self.isBetter = isBetter
    self.isByChance = isByChance
    self.doubt = doubt
    self.level = level
    self.status = status
    self.reason = reason
  }
}

extension LimitResult {
  /// Whether the value failed and was better before, by the test of a regression, or since every run of the baseline
  /// of the group kept the limit.
  func isWorse(than baseline: [RunValuesByMetric], group: String) -> Bool {
    guard status == .failed else { return false }
    let subject = group.isEmpty ? subject[...] : subject.dropFirst(group.count + 2)
    let before = baseline.compactMap { $0.values[String(subject)]?[metric] }
    guard before.count == baseline.count else { return isRegression }
    return switch limit {
    case .maximum(let limit): before.allSatisfy { $0 <= limit }
    case .minimum(let limit): before.allSatisfy { $0 >= limit }
    case .baseline: true
    }
  }
}

extension [LimitResult] {
  /// The results but the warnings that deciding ones imply: what fails needs no warning.
  package var withoutImpliedWarnings: [LimitResult] {
    let deciding = filter { $0.level == .error }
    return filter { result in
      result.level != .warn
        || !deciding.contains {
          ($0.metric, $0.subject, $0.status, $0.isRegression)
            == (result.metric, result.subject, result.status, result.isRegression)
        }
    }
  }
}

/// The result of a limit, or those of several that were not evaluated for the same reason.
package struct JointResult {
  /// The results, of which there is at least one.
  package private(set) var results: [LimitResult]
  /// The index of the first result among all.
  package let index: Int

  /// The labels of the metrics, each once.
  package var labels: String {
    results.map(\.label).distinct.joined(separator: ", ")
  }

  /// The subjects, each once; empty for the primary surface alone.
  package var subjects: String {
    let names = results.map(\.subject).distinct
    return names == [""]
      ? "" : names.map { $0.isEmpty ? "primary surface" : $0 }.listed(maximum: Self.maximumSubjects)
  }
  private static let maximumSubjects = 8

  /// The reason, after the labels of all metrics if it is shared.
  package var reason: String {
    guard results.count > 1, let first = results.first else { return results.first?.reason ?? "" }
    return "\(labels): \(first.explanation)"
  }

  /// The subject and the reason.
  var statement: String {
    guard let first = results.first else { return "" }
    return first.sharedReason ?? Verdict.Group.prefix(first.subject) + reason
  }

  /// Returns `results` in their order, those of one subject with one reason at the index of the first.
  ///
  /// - Parameter joinsSubjects: Whether results of different subjects are joined too.
  package static func all(
    _ results: [LimitResult], joinsSubjects: Bool = false
  ) -> [JointResult] {
    var indexes: [LimitResult.SharedExplanation: Int] = [:]
    return results.enumerated().reduce(into: []) { all, element in
      let (index, result) = element
      if let key = result.sharedExplanation(ofAllSubjects: joinsSubjects) {
        if let known = indexes[key] { return all[known].results.append(result) }
        indexes[key] = all.count
      }
      all.append(JointResult(results: [result], index: index))
    }
  }
}

extension LimitResult {
  /// What results have in common that are stated together.
  fileprivate struct SharedExplanation: Hashable {
    let subject: String
    let level: Level
    let explanation: Substring
  }

  fileprivate func sharedExplanation(ofAllSubjects: Bool) -> SharedExplanation? {
    status == .notEvaluated
      ? SharedExplanation(
        subject: ofAllSubjects ? "" : subject, level: level, explanation: explanation) : nil
  }

  /// The reason without the metric's label.
  fileprivate var explanation: Substring {
    let start = label + ": "
    return reason.hasPrefix(start) ? reason.dropFirst(start.count) : reason[...]
  }
}
