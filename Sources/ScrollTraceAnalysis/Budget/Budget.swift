import ScrollTraceModel

/// What runs are held against: limits, and how much worse than a baseline they may be (M-21).
///
/// ```swift
/// let verdict = Budget(preset: .scroll).verdict(on: [analysis])
/// ```
public struct Budget: Hashable, Sendable {
  /// A number that a metric is held against.
  public struct Limit: Hashable, Sendable {
    /// The metric.
    public let metric: BudgetMetric
    /// The worst value that is still kept, in the metric's unit.
    public let bound: Double
    /// What not keeping it means.
    public let level: Judgement.Level

    /// A limit of a metric.
    public init(_ metric: BudgetMetric, _ bound: Double, level: Judgement.Level = .error) {
      self.metric = metric
      self.bound = bound
      self.level = level
    }
  }

  /// How much worse than the baseline a metric may be.
  public struct Regression: Hashable, Sendable {
    /// The metric.
    public let metric: BudgetMetric
    /// As a part of the baseline and in the metric's unit.
    public let tolerance: RegressionRule.Tolerance
    /// What being worse means.
    public let level: Judgement.Level

    /// A tolerance for a metric.
    public init(
      _ metric: BudgetMetric, relative: Double, absolute: Double, level: Judgement.Level = .error
    ) {
      self.metric = metric
      tolerance = RegressionRule.Tolerance(relative: relative, absolute: absolute)
      self.level = level
    }
  }

  /// The limits of one subject.
  public struct Rule: Hashable, Sendable {
    /// The pattern of the names of files that it holds for; `nil` for all.
    public var traces: String?
    /// What it is about.
    public var subject: BudgetSubject
    /// The numbers it holds metrics against.
    public var limits: [Limit]
    /// What may not become worse.
    public var regressions: [Regression]

    /// A rule for one subject.
    public init(
      traces: String? = nil, subject: BudgetSubject = .leading, limits: [Limit] = [],
      regressions: [Regression] = []
    ) {
      self.traces = traces
      self.subject = subject
      self.limits = limits
      self.regressions = regressions
    }

    /// Whether it holds for `run`.
    func holds(for run: Analysis) -> Bool {
      guard let traces else { return true }
      return NamePattern(traces).matches(Budget.fileName(of: run))
    }
  }

  /// The rules, in the order of their answers.
  public var rules: [Rule]

  /// The most of the refreshes owed that may be unknown, as a share; a run of which more are is not
  /// evaluated (M-24).
  public var maxUnknownShare = RatedHitches.usualUnknownShare

  /// A budget of these rules.
  public init(rules: [Rule] = []) {
    self.rules = rules
  }

  /// The budget of a preset.
  public init(preset: BandProfile) {
    rules = [Rule(limits: Self.limits(of: preset))]
  }

  /// The limits that stand for a profile's bands (M-6): its first is a warning, its second fails.
  public static func limits(of preset: BandProfile) -> [Limit] {
    guard let metric = BudgetMetric.named("hitchTimeRatioMsPerS") else { return [] }
    return zip(preset.limits, [Judgement.Level.warn, .error]).map {
      Limit(metric, $0, level: $1)
    }
  }

  /// What may not become worse where a budget does not say: the hitch time ratio, and the commits
  /// that are long before anything is late.
  public static let usualRegressions: [Regression] = [
    ("hitchTimeRatioMsPerS", 0.1, 1.0), ("commitNs.p95", 0.1, 1.0),
  ].compactMap { name, relative, absolute in
    BudgetMetric.named(name).map { Regression($0, relative: relative, absolute: absolute) }
  }
}

extension Budget {
  /// The name by which patterns know `run`: that of its file, without folders.
  static func fileName(of run: Analysis) -> String {
    run.trace.source.path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// What a baseline for this budget has to know: the leading surface, and what rules are about.
  public var subjects: [BudgetSubject] {
    ([.leading] + rules.map(\.subject)).reduce(into: []) { known, subject in
      if !known.contains(subject) { known.append(subject) }
    }
  }
}
