/// What a budget says of the runs: the answer a gate gives, with its reasons.
public struct Verdict: Hashable, Sendable {
  /// The answers there are.
  package enum Status: String, Sendable, CaseIterable {
    /// Every limit is kept.
    case pass
    /// At least one limit is not.
    case fail
    /// A limit lies inside the uncertainty.
    case inconclusive
    /// There are too few runs to tell.
    case notEnoughRuns
    /// Nothing was asked, or there is no data to answer with.
    case notEvaluated
  }

  /// The answer.
  package let status: Status
  /// Why, in plain words, the weightiest reason first.
  package let reasons: [String]
  /// The answer to each limit, in the order of the budget; empty where none was set.
  package let results: [LimitResult]
  /// The verdicts it comes from, where several groups of runs were judged; empty else.
  package let groups: [Group]
  /// What stands beside the answers.
  package let notes: [VerdictNote]

  /// The verdict on one group of runs.
  package struct Group: Hashable, Sendable {
    /// The pattern that its traces fit.
    package let name: String
    /// The answer.
    package let status: Status
    /// Why, the weightiest reason first.
    package let reasons: [String]
    /// How many runs it has; a report has the runs of its groups one group after the other.
    package let runs: Int

    /// A group's answer with its reasons.
    package init(name: String, status: Status, reasons: [String], runs: Int = 0) {
      self.runs = runs
      self.name = name
      self.status = status
      self.reasons = reasons
    }
  }

  /// A verdict with its reasons.
  package init(
    _ status: Status, reasons: [String], results: [LimitResult] = [], groups: [Group] = [],
    notes: [VerdictNote] = []
  ) {
    self.status = status
    self.reasons = reasons
    self.results = results
    self.groups = groups
    self.notes = notes
  }

  /// The verdict where nobody set limits.
  package static let withoutBudget = Verdict(.notEvaluated, reasons: ["no budget was set"])
}

/// The answer to one limit of a budget (M-21).
package struct LimitResult: Hashable, Sendable {
  /// What not keeping a limit means.
  package enum Level: String, Sendable, CaseIterable {
    /// Nothing: the limit is told and not judged.
    case off
    /// A warning.
    case warn
    /// The gate fails.
    case error
  }

  /// Against what the value is held.
  package enum Limit: Hashable, Sendable {
    /// The value may not be greater.
    case atMost(Double)
    /// The value may not be smaller.
    case atLeast(Double)
    /// The value may not be worse than the baseline's median by more than both tolerances: a part of
    /// it, and a difference.
    case baseline(Double, relative: Double, absolute: Double)
  }

  /// The metric's name, as the JSON report spells it: `hitchTimeRatioMsPerS`.
  package let metric: String
  /// Its unit: `ms/s`, `ms`, or empty for counts and shares.
  package let unit: String
  /// The trace, surface, interaction or state that it is of; empty for the leading surface of all.
  package let subject: String
  /// The median of the runs; `nil` where no run knows the metric.
  package let value: Double?
  /// The least and the greatest value of the runs; `nil` where fewer than two know it.
  package let range: ClosedRange<Double>?
  /// The part of the value that lies in the time of the ratio, where the metric is of the whole
  /// recording and that is not the same; `nil` else.
  package let valueInMotion: Double?
  /// How many runs know it.
  package let runs: Int
  /// What it is held against.
  package let limit: Limit
  /// The interval in which the difference to the baseline lies, where one was worked out.
  package let confidenceInterval: ClosedRange<Double>?
  /// What not keeping it means.
  package let level: Level
  /// The answer.
  package let status: Verdict.Status
  /// Why, as a sentence without a period.
  package let reason: String
  /// The reason that a verdict gives once for all metrics that share it; `nil` where it is only of
  /// this one.
  let sharedReason: String?

  /// An answer with all that it rests on.
  package init(
    metric: String, unit: String, subject: String = "", value: Double?, runs: Int, limit: Limit,
    confidenceInterval: ClosedRange<Double>? = nil, level: Level, status: Verdict.Status, reason: String,
    range: ClosedRange<Double>? = nil, valueInMotion: Double? = nil
  ) {
    self.init(
      metric: metric, unit: unit, subject: subject, value: value, runs: runs, limit: limit,
      confidenceInterval: confidenceInterval, level: level, status: status, reason: reason, sharedReason: nil,
      range: range, valueInMotion: valueInMotion)
  }

  /// An answer whose reason others may share.
  init(
    metric: String, unit: String, subject: String, value: Double?, runs: Int, limit: Limit,
    confidenceInterval: ClosedRange<Double>?, level: Level, status: Verdict.Status, reason: String,
    sharedReason: String?, range: ClosedRange<Double>?, valueInMotion: Double?
  ) {
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
    self.level = level
    self.status = status
    self.reason = reason
  }
}
