public import ScrollTraceAnalysis
import ScrollTraceModel

/// The limits that runs are checked against, and the tolerated changes from a baseline (M-21).
///
/// ```swift
/// let verdict = Budget.scroll.verdict(on: [analysis])
/// ```
public struct Budget: Hashable, Sendable {
  /// A bound of one metric.
  public struct Limit: Hashable, Sendable {
    /// The metric.
    public let metric: Metric
    /// The worst value that meets the limit, in the metric's unit.
    public let bound: Double
    /// Whether the bound is a number of the runs' refresh intervals.
    package let isInRefreshes: Bool
    /// The consequence of exceeding the limit.
    package let level: LimitResult.Level

    package init(
      _ metric: Metric, _ bound: Double, level: LimitResult.Level, isInRefreshes: Bool = false
    ) {
      self.metric = metric
      self.bound = bound
      self.isInRefreshes = isInRefreshes
      self.level = level
    }

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - metric: The metric, such as `.hitchTime`.
    ///   - bound: The worst value that meets the limit, in the metric's unit.
    ///   - isWarning: Whether exceeding the limit only warns.
    public init(_ metric: Metric, _ bound: Double, isWarning: Bool = false) {
      self.init(metric, bound, level: isWarning ? .warn : .error)
    }

    /// A Boolean value indicating whether exceeding the limit only warns.
    public var isWarning: Bool { level == .warn }
  }

  /// How much worse than the baseline a metric may be. Only what is worse by both tolerances counts.
  public struct Regression: Hashable, Sendable {
    /// The metric.
    public let metric: Metric
    package let tolerance: RegressionRule.Tolerance
    package let level: LimitResult.Level

    /// The tolerated increase as a part of the baseline's median.
    public var relative: Double { tolerance.relative }

    /// The tolerated increase in the metric's unit.
    public var absolute: Double { tolerance.absolute }

    /// A Boolean value indicating whether a regression only warns.
    public var isWarning: Bool { level == .warn }

    /// Creates tolerances for a metric.
    ///
    /// - Parameters:
    ///   - metric: The metric, such as `.commitP95`.
    ///   - relative: The tolerated increase as a part of the baseline's median.
    ///   - absolute: The tolerated increase in the metric's unit.
    ///   - isWarning: Whether a regression only warns.
    public init(_ metric: Metric, relative: Double, absolute: Double, isWarning: Bool = false) {
      self.init(
        metric, relative: relative, absolute: absolute, level: isWarning ? .warn : .error)
    }

    package init(
      _ metric: Metric, relative: Double, absolute: Double, level: LimitResult.Level
    ) {
      self.metric = metric
      tolerance = RegressionRule.Tolerance(relative: relative, absolute: absolute)
      self.level = level
    }
  }

  /// The limits of one subject.
  public struct Rule: Hashable, Sendable {
    /// The pattern of the file names that the rule applies to, or `nil` for all.
    public var traces: String?
    /// The part of each run that the rule applies to.
    public var subject: MetricSubject
    /// The bounds of its metrics.
    public var limits: [Limit]
    /// The tolerated changes from a baseline.
    public var regressions: [Regression]

    /// Creates a rule.
    public init(
      traces: String? = nil, subject: MetricSubject = .primary, limits: [Limit] = [],
      regressions: [Regression] = []
    ) {
      self.traces = traces
      self.subject = subject
      self.limits = limits
      self.regressions = regressions
    }

    /// The rule for a surface beside the primary one: what it limits of frames, not of work, which
    /// surfaces share, and what of them the baseline has.
    func ofOneSurface(_ subject: MetricSubject, baseline: [RunValuesByMetric]?) -> Rule {
      Rule(
        traces: traces, subject: subject, limits: limits.filter { $0.metric.isOfFrames },
        regressions: regressions.filter { regression in
          let metric = regression.metric
          return (metric.isOfFrames || metric.isPercentileOfFrames)
            && baseline?.contains { $0.value(of: metric, subject) != nil } == true
        })
    }

    func applies(to run: Analysis) -> Bool {
      guard let traces else { return true }
      return NamePattern(traces).matches(Budget.fileName(of: run))
    }
  }

  /// The rules, in the order of their results.
  public var rules: [Rule]
  /// The largest share of expected refreshes that may be unknown. A run with more is not evaluated
  /// (M-24).
  public var maxUnknownShare = RatedHitches.usualUnknownShare
  /// The largest share of the motion in which the main thread may be ready without a core, or `nil` for any;
  /// a run with more is evaluated by limits on CPU time alone (M-25).
  public var maxReadyShare: Double?
  /// The increase over the baseline, as a part of it, that runs have to be able to show, or `nil` for none.
  public var detect: Double?
  /// Whether a comparison of too few runs is not evaluated.
  package var isStrict = false
  /// The thresholds that also rate runs, or `nil` if the budget names none.
  package var thresholds: RatingThresholds?

  /// Creates a budget of rules.
  ///
  /// ```swift
  /// let drags = Budget.Rule(
  ///   subject: .interaction("drag"),
  ///   limits: [Budget.Limit(.commitP95, 12_000_000)])
  /// let budget = Budget(rules: Budget.scroll.rules + [drags])
  /// ```
  public init(rules: [Rule] = []) {
    self.rules = rules
  }

  package init(rules: [Rule], thresholds: RatingThresholds?) {
    self.rules = rules
    self.thresholds = thresholds
  }

  /// Limits and tolerances under one name: those of rating thresholds, or `cpu`.
  package enum Preset: String, Sendable, CaseIterable {
    case scroll
    case organizer = "xcode-organizer"
    /// What other programs on the machine hardly change: CPU time, and blocked time in commits.
    case cpu

    /// The thresholds that rate runs, or `nil` for the default.
    package var thresholds: RatingThresholds? { RatingThresholds(rawValue: rawValue) }

    package var limits: [Limit] {
      thresholds.map(Budget.limits) ?? [
        Limit(.commitBlockedLongest, 1, level: .error, isInRefreshes: true)
      ]
    }

    /// The tolerated changes if a budget names none.
    package var regressions: [Regression] {
      guard self == .cpu else { return Budget.usualRegressions }
      return [
        Regression(.mainCPUPerFrame, relative: 0.1, absolute: 0),
        Regression(.commitBlockedPerFrame, relative: 0.1, absolute: 500_000),
      ]
    }
  }

  /// Limits blocked time in commits to a refresh interval, and tolerates 10% more CPU time than a baseline's
  /// and more blocked time: also on a machine with other programs.
  public static let cpu = Budget(rules: [
    Rule(limits: Preset.cpu.limits, regressions: Preset.cpu.regressions)
  ])

  package init(thresholds: RatingThresholds) {
    self.init(rules: [Rule(limits: Self.limits(of: thresholds))], thresholds: thresholds)
  }

  /// Warns above 5 ms of hitch time per second of scrolling, fails above 10 ms/s (M-6).
  public static let scroll = Budget(thresholds: .scroll)

  /// Warns above 10 ms/s, fails above 25 ms/s, as Xcode's Organizer rates animations (M-6).
  public static let organizer = Budget(thresholds: .organizer)

  /// The limits of the primary surface.
  public var limits: [Limit] {
    get { rules.filter { $0.traces == nil && $0.subject == .primary }.flatMap(\.limits) }
    set {
      rules.removeAll { $0.traces == nil && $0.subject == .primary && $0.regressions.isEmpty }
      for index in rules.indices
      where rules[index].traces == nil && rules[index].subject == .primary {
        rules[index].limits = []
      }
      rules.insert(Rule(limits: newValue), at: 0)
    }
  }

  /// Creates a budget that limits metrics of the primary surface.
  ///
  /// ```swift
  /// let budget = Budget(limits: [Budget.Limit(.hitchTimeRatio, 5)])
  /// ```
  public init(limits: [Limit]) {
    self.init(rules: [Rule(limits: limits)])
  }

  /// The limits of thresholds (M-6): the first warns, the second fails.
  package static func limits(of thresholds: RatingThresholds) -> [Limit] {
    zip(thresholds.limits, [LimitResult.Level.warn, .error]).map {
      Limit(.hitchTimeRatio, $0, level: $1)
    }
  }

  /// Adds the limits of a preset, and uses its thresholds and tolerances.
  ///
  /// - Parameter limits: Limits that replace all others of the same metrics.
  package mutating func apply(preset: Preset?, limits: [Limit]) {
    var first = rules.first ?? Rule()
    var new = limits
    if let preset {
      thresholds = preset.thresholds ?? thresholds
      if preset == .cpu { first.regressions = preset.regressions }
      new =
        preset.limits.filter { limit in !limits.contains { $0.metric == limit.metric } } + limits
    }
    first.limits.removeAll { old in new.contains { $0.metric == old.metric } }
    first.limits += new
    rules = [first] + rules.dropFirst()
  }

  /// The tolerated changes if a budget names none: of the hitch time ratio, and of main CPU time or, where it
  /// is unknown, the wall time of commits, which become long before anything is late.
  package static let usualRegressions: [Regression] = [
    Regression(.hitchTimeRatio, relative: 0.1, absolute: 1),
    Regression(.mainCPUPerFrame, relative: 0.1, absolute: 500_000),
    Regression(.commitP95, relative: 0.1, absolute: 1_000_000),
  ]
}

extension Budget {
  /// The name that patterns match: the file's, without folders.
  static func fileName(of run: Analysis) -> String {
    run.trace.source.path.fileName
  }

  /// The subjects that a baseline of `runs` for this budget needs: the primary surface, those of rules,
  /// and the other surfaces on screen.
  package func subjects(in runs: [Analysis]) -> [MetricSubject] {
    let others = PrimarySurface.others(in: runs, than: PrimarySurface.name(in: runs))
    return ([.primary] + rules.map(\.subject) + others.map { .surface($0) }).distinct
  }
}
