import ScrollTraceModel

/// The numbers of a list that two recordings are compared by (M-14, M-15).
package enum ListMetric: String, Sendable, CaseIterable {
  /// Preparations of cells.
  case prepared
  /// Those that came before the cell was needed.
  case preparedAhead
  /// The share of cells that came from the pool.
  case reuseRate
  /// Images that became bitmaps on the main thread.
  case decodedOnMain
  /// How long that took.
  case decodeTimeOnMain
  /// Images that became bitmaps on other threads.
  case decodedInBackground
  /// How long that took.
  case decodeTimeInBackground
  /// The share of requests ahead that were in time.
  case prefetchHitRate
  /// The median time for which placeholders were seen.
  case placeholderP50

  /// -1 where less is better, 1 where more is, 0 where neither is by itself.
  package var goodSign: Int {
    switch self {
    case .decodedOnMain, .decodeTimeOnMain, .placeholderP50: -1
    case .reuseRate, .prefetchHitRate: 1
    case .prepared, .preparedAhead, .decodedInBackground, .decodeTimeInBackground: 0
    }
  }

  /// The number of one list, or `nil` if it is not known.
  func value(of list: ListAnalysis) -> MetricValue? {
    switch self {
    case .prepared: .count(Double(list.cells.prepared))
    case .preparedAhead: .count(Double(list.cells.preparedAhead))
    case .reuseRate: list.cells.reuseRate.map { .share($0) }
    case .decodedOnMain: .count(Double(list.images.onMain.count))
    case .decodeTimeOnMain: .time(list.images.onMain.total)
    case .decodedInBackground: .count(Double(list.images.inBackground.count))
    case .decodeTimeInBackground: .time(list.images.inBackground.total)
    case .prefetchHitRate: list.data.hitRate.map { .share($0) }
    case .placeholderP50: (list.images.placeholders?.p50).map { .time($0) }
    }
  }
}

/// A list that both sides speak of.
package struct ListComparison: Hashable, Sendable {
  /// What the host calls it; empty where it does not say.
  package let name: String
  /// Its numbers on both sides, in the order of `ListMetric`.
  package let values: [ListMetric: ComparedValue]

  /// The numbers that differ.
  package var differing: [(metric: ListMetric, value: ComparedValue)] {
    ListMetric.allCases.compactMap { metric in
      values[metric].flatMap { $0.isSame ? nil : (metric, $0) }
    }
  }

  /// The lists of both sides, ascending by name.
  static func all(_ base: ComparisonSide, _ new: ComparisonSide) -> [ListComparison] {
    func names(_ side: ComparisonSide) -> Set<String> {
      Set(side.runs.flatMap { $0.lists.map(\.name) })
    }
    func median(_ side: ComparisonSide, _ name: String, _ metric: ListMetric) -> MetricValue? {
      side.median { run, _ in
        run.lists.first { $0.name == name }.flatMap(metric.value)
      }
    }
    return names(base).intersection(names(new)).sorted().map { name in
      let values = ListMetric.allCases.map {
        ($0, ComparedValue(base: median(base, name, $0), new: median(new, name, $0)))
      }
      return ListComparison(name: name, values: Dictionary(uniqueKeysWithValues: values))
    }
  }
}
