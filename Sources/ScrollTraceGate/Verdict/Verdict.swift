/// The outcome of a check: its status, and the reasons for it.
public struct Verdict: Hashable, Sendable {
  /// The outcome of a limit, or of all limits together.
  public enum Status: String, Codable, Sendable, CaseIterable {
    /// Every limit is met.
    case passed
    /// At least one limit is exceeded.
    case failed
    /// There are too few runs for statistics.
    case tooFewRuns
    /// There is no limit, or a run has no data.
    case notEvaluated
  }

  /// The status of all limits together.
  public let status: Status
  /// The reasons for the status, the most important first.
  public let reasons: [String]
  /// What may mislead, or exceeds a limit that only warns, the most important first.
  public let warnings: [String]
  /// The results of the limits, in the order of the budget.
  public let results: [LimitResult]
  /// The verdicts on groups of runs; empty if all runs are of one scenario.
  package let groups: [Group]
  /// Remarks in addition to the results.
  package let notes: [VerdictNote]
  /// For each group that failed, the work that grew most since the baseline. Reasons begin with it.
  package let growth: [String]

  /// The verdict on one group of runs.
  public struct Group: Codable, Hashable, Sendable {
    /// The pattern that the file names match.
    public let name: String
    /// The status of its limits together.
    public let status: Status
    /// The reasons and the warnings, most important first.
    public let reasons: [String]
    /// The number of runs. A report has the runs of its groups one group after the other.
    public let runs: Int

    /// The start of a text on the group called `name`, which is empty if there is only one group.
    static func prefix(_ name: String) -> String { name.isEmpty ? "" : name + ": " }

    package init(name: String, status: Status, reasons: [String], runs: Int = 0) {
      self.runs = runs
      self.name = name
      self.status = status
      self.reasons = reasons
    }
  }

  package init(
    _ status: Status, reasons: [String], warnings: [String] = [], results: [LimitResult] = [],
    groups: [Group] = [], notes: [VerdictNote] = [], growth: [String] = []
  ) {
    self.growth = growth
    self.status = status
    self.reasons = reasons
    self.warnings = warnings
    self.results = results
    self.groups = groups
    self.notes = notes
  }

  /// The reasons, and the warnings marked as such.
  package var sentences: [String] { reasons + warnings.map { "warning: " + $0 } }

  /// The largest increase over the baseline, as a part of it, that any metric needs to be detected in four
  /// of five cases, or `nil` if nothing was compared.
  package var detectableShare: Double? {
    results.filter { $0.level == .error }.compactMap(\.detectableShare).filter(\.isFinite).max()
  }

  /// The verdict without any limit.
  public static let withoutBudget = Verdict(.notEvaluated, reasons: ["no limit was set"])
}
