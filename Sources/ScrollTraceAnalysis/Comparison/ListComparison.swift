import ScrollTraceModel

/// A value by which lists are compared (M-14, M-15).
package enum ListMetric: String, Sendable, CaseIterable {
  case prepared
  case preparedAhead
  /// The share of cells from the reuse pool.
  case reuseRate
  case decodedOnMain
  case decodeTimeOnMain
  case decodedInBackground
  case decodeTimeInBackground
  /// The share of prefetches that were ready on time.
  case prefetchHitRate
  /// The median time that placeholders were displayed.
  case placeholderP50
  case blankRatio

  /// -1 if less is better, 1 if more is better, 0 if neither is.
  package var goodSign: Int {
    switch self {
    case .decodedOnMain, .decodeTimeOnMain, .placeholderP50, .blankRatio: -1
    case .reuseRate, .prefetchHitRate: 1
    case .prepared, .preparedAhead, .decodedInBackground, .decodeTimeInBackground: 0
    }
  }

  func value(of list: ListAnalysis) -> MetricValue? {
    switch self {
    case .prepared: .count(Double(list.cells.prepared))
    case .preparedAhead: .count(Double(list.cells.preparedAhead))
    case .reuseRate: list.cells.reuseRate.map { .share($0) }
    case .decodedOnMain: .count(Double(list.images.decodedOnMain.count))
    case .decodeTimeOnMain: .time(list.images.decodedOnMain.total)
    case .decodedInBackground: .count(Double(list.images.decodedInBackground.count))
    case .decodeTimeInBackground: .time(list.images.decodedInBackground.total)
    case .prefetchHitRate: list.data.hitRate.map { .share($0) }
    case .placeholderP50: (list.images.placeholder?.p50).map { .time($0) }
    case .blankRatio: (list.blank?.ratio).map { .millisecondsPerSecond($0) }
    }
  }
}

/// A list on both sides.
package struct ListComparison: Equatable, Sendable {
  /// The list's name, or an empty string if the host does not name it.
  package let name: String
  /// The values on both sides, in the order of `ListMetric`.
  package let values: [ListMetric: ComparedValue]

  package var differing: [(metric: ListMetric, value: ComparedValue)] {
    ListMetric.allCases.compactMap { metric in
      values[metric].flatMap { $0.isSame ? nil : (metric, $0) }
    }
  }

  /// The lists of both sides, sorted by name.
  static func all(_ base: ComparisonSide, _ new: ComparisonSide) -> [ListComparison] {
    func names(_ side: ComparisonSide) -> Set<String> {
      Set(side.runs.flatMap { $0.lists.map(\.name) })
    }
    func median(_ side: ComparisonSide, _ name: String, _ metric: ListMetric) -> MetricValue? {
      side.median { run, _ in run.lists.first { $0.name == name }.flatMap(metric.value) }
    }
    return names(base).intersection(names(new)).sorted().map { name in
      let values = ListMetric.allCases.map {
        ($0, ComparedValue(base: median(base, name, $0), new: median(new, name, $0)))
      }
      return ListComparison(name: name, values: Dictionary(uniqueKeysWithValues: values))
    }
  }
}
