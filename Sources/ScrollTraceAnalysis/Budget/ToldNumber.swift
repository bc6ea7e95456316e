import ScrollTraceModel

/// A number that sources tell themselves, of a budget's subject.
struct SourceMetric {
  /// So many names are told.
  private static let mostNames = 6

  private let name: String
  private let source: NamePattern?
  private let higherIsBetter: Bool

  /// What `metric` means of `subject`; `nil` where it is worked out of frames.
  init?(_ metric: BudgetMetric, _ subject: BudgetSubject) {
    guard let told = metric.told else { return nil }
    name = told
    higherIsBetter = metric.higherIsBetter
    if case .surface(let pattern) = subject { source = NamePattern(pattern) } else { source = nil }
  }

  /// The number in `run`, of several sources the worst one; `nil` where none tells it in one value.
  func value(in run: Analysis) -> Double? {
    let values = run.trace.aggregates.lazy.filter { aggregate in
      aggregate.metric == name && aggregate.values.count == 1
        && (source?.matches(aggregate.source) ?? true)
    }.map { $0.values[0] }
    return higherIsBetter ? values.min() : values.max()
  }

  /// What `runs` tell, for who asked for what they do not.
  func known(in runs: [Analysis]) -> String {
    var names: [String] = []
    for aggregate in runs.lazy.flatMap(\.trace.aggregates) where aggregate.values.count == 1 {
      if names.count > Self.mostNames { break }
      if !names.contains(aggregate.metric) { names.append(aggregate.metric) }
    }
    guard !names.isEmpty else { return "they tell no numbers themselves" }
    let more = names.count > Self.mostNames ? " and more" : ""
    return "there are " + names.prefix(Self.mostNames).joined(separator: ", ") + more
  }
}
