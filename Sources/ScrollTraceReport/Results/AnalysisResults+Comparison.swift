public import ScrollTraceAnalysis
public import ScrollTraceGate
public import ScrollTraceModel

extension AnalysisResults {
  /// The differences between two sides (M-20). Of several runs, values are medians.
  public struct Comparison: Codable, Sendable {
    /// The side to compare with.
    public let base: Side
    /// The side that is compared.
    public let new: Side
    /// The name of the compared surface, or `nil` without data.
    public let surface: String?
    /// The outcome.
    public let outcome: RegressionOutcome
    /// A Boolean value indicating whether all runs can have the same scenario, or `nil` if unknown.
    public let isSameScenario: Bool?
    /// The metrics of frames.
    public let frames: ComparedMetrics
    /// The metrics of work.
    public let work: ComparedMetrics
    /// Metrics per second, or `nil` if both sides have the same length.
    public let perSecond: ComparedMetrics?
    /// The work by category, largest change first.
    public let categories: [CategoryDifference]
    /// The work that moved from or to the main thread, largest first.
    public let movedWork: [MovedWork]
    /// The causes of hitch time, largest change first.
    public let causes: [CauseDifference]
    /// The findings of the shown runs: those of the base, then those of only the new side.
    public let findings: [FindingDifference]
    /// The predicted and the measured reduction, or `nil` unless exactly one finding is gone or half as large.
    public let predictionOutcome: Outcome?
    /// The stacks of the shown runs, by interaction.
    public let stacks: [StackDifference]
    /// The lists that are on both sides, by name.
    public let lists: [ListDifference]
    /// The reasons to doubt the comparison.
    public let notes: [Notice]

    private enum CodingKeys: String, CodingKey {
      case base, new, surface, outcome, isSameScenario = "sameScenario", frames, work, perSecond
      case categories, movedWork, causes, findings, predictionOutcome, stacks, lists, notes
    }

    init(_ comparison: ScrollTraceAnalysis.Comparison, _ outcome: RegressionOutcome) {
      func metrics(_ metrics: [Metric]) -> ComparedMetrics {
        ComparedMetrics(metrics.map { ($0.name, comparison[$0]) })
      }
      base = Side(comparison.base, from: 0)
      new = Side(comparison.new, from: comparison.base.runs.count)
      surface = comparison.surface
      self.outcome = outcome
      isSameScenario = comparison.isOfOneScenario
      frames = metrics(Metric.ofFrames)
      work = metrics(Metric.ofWork)
      perSecond = comparison.needsPerSecond ? metrics(Metric.perSecond) : nil
      categories = comparison.categories.map(CategoryDifference.init)
      movedWork = comparison.movedWork
      causes = comparison.causes.map(CauseDifference.init)
      findings = comparison.findings.map { FindingDifference($0, of: comparison) }
      predictionOutcome = comparison.predictionOutcome.map(Outcome.init)
      stacks = comparison.stacks.map(StackDifference.init)
      lists = comparison.lists.map(ListDifference.init)
      notes = comparison.notes.map {
        Notice(kind: JSONWord.kind(of: $0), text: Messages.text(of: $0))
      }
    }
  }

  /// One side of a comparison.
  public struct Side: Codable, Sendable {
    /// The indices of its runs in the report's `runs`.
    public let runs: [Int]
    /// The index of the run that represents the side, or `nil` without runs.
    public let shownRun: Int?

    init(_ side: ComparisonSide, from first: Int) {
      runs = side.runs.indices.map { first + $0 }
      shownRun = side.shownIndex.map { first + $0 }
    }
  }

  /// A number that is a whole one or not.
  public struct Number: Codable, Equatable, Sendable {
    /// The number.
    public let value: Double
    /// The whole number, or `nil` if it is none.
    private let whole: Int64?

    init(_ count: Int) { (value, whole) = (Double(count), Int64(count)) }

    init(_ value: Double) { (self.value, whole) = (value, nil) }

    init(_ value: MetricValue) {
      switch value {
      case .time(let time): (self.value, whole) = (value.number, time.nanoseconds)
      case .count(let count): (self.value, whole) = (count, Int64(exactly: count))
      default: (self.value, whole) = (value.number, nil)
      }
    }

    /// Creates a number from its only value.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      whole = try? container.decode(Int64.self)
      value = try whole.map(Double.init) ?? container.decode(Double.self)
    }

    /// Encodes the number, without a fraction if it is a whole one.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let whole { try container.encode(whole) } else { try container.encode(value) }
    }

    /// Returns whether both are the same number.
    public static func == (left: Number, right: Number) -> Bool { left.value == right.value }
  }

  /// A value on both sides, in the unit of its key.
  public struct Compared: Codable, Sendable {
    /// The value of the base, or `nil` if unknown.
    public let base: Number?
    /// The value of the new side, or `nil` if unknown.
    public let new: Number?
    /// New minus base, or `nil` if one of them is unknown.
    public let difference: Number?

    init(_ value: ComparedValue) {
      base = value.base.map(Number.init)
      new = value.new.map(Number.init)
      difference = value.difference.map(Number.init)
    }

    init(_ base: MetricValue?, _ new: MetricValue?, none: MetricValue) {
      self.init(ComparedValue(base: base ?? none, new: new ?? none))
    }
  }

  /// Values on both sides by metric. Periods in a metric's name are objects in JSON: `commitNs.p95`.
  public struct ComparedMetrics: Codable, Sendable {
    private let values: [(metric: String, value: Compared)]

    /// The names of the metrics, in order.
    public var metrics: [String] { values.map(\.metric) }

    /// The values of a metric, or `nil` if it is not compared.
    public subscript(metric: String) -> Compared? {
      values.first { $0.metric == metric }?.value
    }

    init(_ values: [(String, ComparedValue)]) {
      self.values = values.map { ($0, Compared($1)) }
    }

    /// Creates the values in an object.
    public init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: AnyKey.self)
      values = try object.allKeys.flatMap { key -> [(metric: String, value: Compared)] in
        guard let inner = try? object.nestedContainer(keyedBy: AnyKey.self, forKey: key) else {
          return []
        }
        // Values that are unknown can be omitted.
        if inner.allKeys.allSatisfy({ ["base", "new", "difference"].contains($0.stringValue) }) {
          return [(key.stringValue, try object.decode(Compared.self, forKey: key))]
        }
        return try inner.allKeys.map {
          (key.stringValue + "." + $0.stringValue, try inner.decode(Compared.self, forKey: $0))
        }
      }
    }

    /// Encodes the values as an object.
    public func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: AnyKey.self)
      var inner: (name: String, members: KeyedEncodingContainer<AnyKey>)?
      for (metric, value) in values {
        let names = metric.split(separator: ".", maxSplits: 1).map(String.init)
        guard names.count == 2 else {
          try object.encode(value, forKey: AnyKey(metric))
          continue
        }
        if inner?.name != names[0] {
          let members = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(names[0]))
          inner = (names[0], members)
        }
        try inner?.members.encode(value, forKey: AnyKey(names[1]))
      }
    }
  }

  /// The work of a category on both sides (M-11).
  public struct CategoryDifference: Codable, Sendable {
    /// The category, or `nil` for several combined.
    public let category: String?
    /// The self time on the main thread in nanoseconds.
    public let mainSelf: Compared
    /// The total self time on all other threads in nanoseconds.
    public let backgroundSelf: Compared

    private enum CodingKeys: String, CodingKey {
      case category, mainSelf = "mainSelfNs", backgroundSelf = "backgroundSelfNs"
    }

    init(_ row: CategoryComparison) {
      category = row.category
      mainSelf = Compared(row.main)
      backgroundSelf = Compared(row.background)
    }
  }

  /// A cause of hitches on both sides (M-16).
  public struct CauseDifference: Codable, Sendable {
    /// The kind of the cause, or `nil` for several combined.
    public let kind: CauseKind?
    /// The category of the work or of the span of the wait, or `nil` if it is neither.
    public let category: String?
    /// The name of the work or of the span of the wait, or `nil` if it is neither.
    public let name: String?
    /// What the wait was for, or `nil` if it is not a wait.
    public let waitKind: WaitKind?
    /// The thread that was waited for, or `nil` if it was none or is unknown.
    public let heldByThread: String?
    /// The work of that thread, or `nil` if unknown.
    public let heldByWork: String?
    /// The attributed hitch time in nanoseconds.
    public let hitchTime: Compared
    /// The number of hitches with this cause.
    public let hitches: Compared
    /// The status, or `nil` if both sides have the cause.
    public let status: CauseStatus?

    private enum CodingKeys: String, CodingKey {
      case kind, category, name, waitKind, heldByThread, heldByWork, hitchTime = "hitchTimeNs"
      case hitches, status
    }

    init(_ cause: CauseComparison) {
      let named = cause.kind.map(NamedCause.init)
      (kind, category, name) = (named?.kind, named?.category, named?.name)
      waitKind = named?.waitKind
      (heldByThread, heldByWork) = (named?.heldByThread, named?.heldByWork)
      hitchTime = Compared(cause.hitchTime)
      hitches = Compared(cause.hitches)
      status = cause.status
    }
  }

  /// A finding on both sides.
  public struct FindingDifference: Codable, Sendable {
    /// The identifier of its rule.
    public let kind: String?
    /// The effect of the change on it.
    public let status: FindingStatus
    /// The hitch time of its hitches in nanoseconds.
    public let hitchTime: Compared
    /// The number of occurrences.
    public let count: Compared
    /// A short title, or `nil` without a shown run.
    public let title: String?

    private enum CodingKeys: String, CodingKey {
      case kind, status, hitchTime = "hitchTimeNs", count, title
    }

    init(_ row: FindingComparison, of comparison: ScrollTraceAnalysis.Comparison) {
      func value(
        _ measure: (ScrollTraceAnalysis.Finding) -> MetricValue, none: MetricValue
      ) -> Compared {
        Compared(row.base.map(measure), row.new.map(measure), none: none)
      }
      let side = row.base == nil ? comparison.new : comparison.base
      kind = row.shown?.id.rawValue
      status = row.status
      hitchTime = value({ .time($0.measures.hitchTime) }, none: .time(.zero))
      count = value({ .count(Double($0.measures.count)) }, none: .count(0))
      title = side.shown.flatMap { run in
        row.shown.map { FindingText(of: run.trace).title(of: $0) }
      }
    }
  }

  /// What a change was predicted to do, and what it did (M-17).
  public struct Outcome: Codable, Sendable {
    /// The identifier of the finding's rule.
    public let kind: String
    /// The predicted maximum of the removed hitch time.
    public let upTo: TimeSpan
    /// The measured reduction of hitch time; negative if it grew.
    public let removed: TimeSpan
    /// Both as a sentence, which may be reworded.
    public let text: String?

    private enum CodingKeys: String, CodingKey {
      case kind, upTo = "upToNs", removed = "removedNs", text
    }

    init(_ outcome: PredictionOutcome) {
      kind = outcome.finding.id.rawValue
      upTo = outcome.upTo
      removed = outcome.removed
      text = ScrollTraceReport.FindingDifference.text(of: outcome)
    }
  }

  /// The stacks of the shown runs in one interaction.
  public struct StackDifference: Codable, Sendable {
    /// The interaction, or `nil` if there are none.
    public let interaction: InteractionName?
    /// The length of the time in the base.
    public let base: TimeSpan
    /// The length of the time in the new side.
    public let new: TimeSpan
    /// The own time of the 40 functions that changed most; empty unless both sides have samples.
    public let functions: [Row]
    /// The time in which a span was innermost, of the 40 spans that changed most.
    public let spans: [Row]

    private static let maximumRows = 40

    /// The kind and name of an interaction.
    public struct InteractionName: Codable, Sendable {
      /// The kind: drag, deceleration and so on, or a custom word.
      public let kind: String
      /// The name, or an empty string.
      public let name: String
    }

    /// The time in a function or span.
    public struct Row: Codable, Sendable {
      /// The name of the function or span.
      public let name: String
      /// The module or file, or `nil` if unknown.
      public let place: String?
      /// The time in the base.
      public let base: TimeSpan
      /// The time in the new side.
      public let new: TimeSpan
      /// New minus base.
      public let difference: TimeSpan

      private enum CodingKeys: String, CodingKey {
        case name, place, base = "baseNs", new = "newNs", difference = "differenceNs"
      }
    }

    private enum CodingKeys: String, CodingKey {
      case interaction, base = "baseNs", new = "newNs", functions, spans
    }

    init(_ stacks: StackComparison) {
      func rows(_ rows: [StackComparison.Row]) -> [Row] {
        rows.prefix(Self.maximumRows).map {
          Row(
            name: $0.name, place: $0.module, base: $0.base, new: $0.new, difference: $0.difference)
        }
      }
      interaction = stacks.interaction.map { InteractionName(kind: $0.kind, name: $0.name) }
      base = stacks.base
      new = stacks.new
      functions = rows(stacks.functions)
      spans = rows(stacks.spans)
    }
  }

  /// A list on both sides. Its metrics are beside its name in JSON.
  public struct ListDifference: Codable, Sendable {
    /// The name of the list, or an empty string.
    public let name: String
    /// The metrics of the list.
    public let metrics: ComparedMetrics

    private enum CodingKeys: String, CodingKey { case name }

    init(_ list: ListComparison) {
      name = list.name
      metrics = ComparedMetrics(
        ListMetric.allCases.map {
          (Self.path(of: $0), list.values[$0] ?? ComparedValue(base: nil, new: nil))
        })
    }

    /// Creates a list from an object with its name and metrics.
    public init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
      metrics = try ComparedMetrics(from: decoder)
    }

    /// Encodes name and metrics as an object.
    public func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(name, forKey: .name)
      try metrics.encode(to: encoder)
    }

    private static func path(of metric: ListMetric) -> String {
      switch metric {
      case .placeholderP50: "placeholderNs.p50"
      case .blankRatio: "blank.ratioMsPerS"
      case .decodeTimeOnMain, .decodeTimeInBackground: metric.rawValue + "Ns"
      case .prepared, .preparedAhead, .reuseRate, .decodedOnMain, .decodedInBackground,
        .prefetchHitRate:
        metric.rawValue
      }
    }
  }
}

/// A key that depends on the data.
struct AnyKey: CodingKey {
  let stringValue: String

  init(_ name: String) { stringValue = name }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { nil }

  var intValue: Int? { nil }
}
