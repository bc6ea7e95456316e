package import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
package import ScrollTraceSummary

/// The values of a metric by the value of an attribute, in order.
package struct Trend: Sendable {
  /// A quantity of sums.
  package enum Measure: String, CaseIterable, Sendable {
    case hitchTimeRatio = "hitchTimeRatioMsPerS"
    case over10 = "over10Share"
    case hitchP99 = "hitchNs.p99"
    case commitP99 = "commitNs.p99"

    /// The name for people.
    var label: String {
      switch self {
      case .hitchTimeRatio: "hitch time ratio"
      case .over10: "share of traces above 10 ms/s"
      case .hitchP99: "p99 of hitches"
      case .commitP99: "p99 of commits"
      }
    }

    /// Returns the value in sums, or `nil` if it is unknown.
    func value(of row: SummaryRow, _ figures: SummaryFigures) -> Double? {
      switch self {
      case .hitchTimeRatio: figures.ratio?.millisecondsPerSecond
      case .over10: figures.share(of: .over10, amongTraces: row[.weight])
      case .hitchP99: figures.scope[.hitch].percentile(990).map(Double.init)
      case .commitP99: figures.scope[.commit].percentile(990).map(Double.init)
      }
    }

    /// Returns a value or a difference in words.
    func text(_ value: Double) -> String {
      switch self {
      case .hitchTimeRatio: Quantity.fixed(value, places: 2) + " ms/s"
      case .over10: Quantity.fixed(value * 100, places: 1) + "%"
      case .hitchP99, .commitP99:
        Quantity.length(TimeSpan(nanoseconds: Int64(exactly: value.rounded()) ?? .max))
      }
    }
  }

  /// The sums with one value of the attribute.
  struct Item: Sendable {
    let name: String
    let value: Double
    let traces: WideInteger
    let rating: Rating
  }

  let attribute: String
  let measure: Measure
  let thresholds: RatingThresholds
  /// The surface with the most measured time, or `nil` if no trace could be evaluated.
  let surface: SummaryKey?
  /// The items with a known value, in the order of their names.
  let items: [Item]
  /// The number of values of the attribute without a known value.
  let unknownCount: Int
  /// The changes of the level.
  let changes: ChangePoints

  /// A Boolean value indicating whether no change was found, and not even an eightfold one would have been.
  package var hasTooFew: Bool {
    changes.points.isEmpty && !ChangePoints.findsSteps(among: items.count)
  }

  /// A Boolean value indicating whether the last change is for the worse.
  package var isWorse: Bool { changes.points.last.map { $0.statistics.difference > 0 } ?? false }

  /// A Boolean value indicating whether no value is known.
  package var isEmpty: Bool { items.isEmpty }

  /// Creates the trend of the surface with the most measured time.
  package init(
    of summary: TraceSummary, by attribute: String, _ measure: Measure,
    thresholds: RatingThresholds
  ) {
    self.attribute = attribute
    self.measure = measure
    self.thresholds = thresholds
    surface = summary.surfaces.first?.key
    let rows = surface.map { summary.rows(of: $0, by: attribute) } ?? []
    let named = rows.compactMap { value, row in value.map { (name: $0, row: row) } }
      .sorted { Self.precedes($0.name, $1.name) }
    items = named.compactMap { name, row in
      guard let scope = row.scopes[SummaryScope.all] else { return nil }
      let figures = SummaryFigures(scope: scope, thresholds: thresholds)
      return measure.value(of: row, figures).map {
        Item(name: name, value: $0, traces: row[.traces], rating: figures.rated.rating)
      }
    }
    unknownCount = named.count - items.count
    changes = ChangePoints(in: items.map(\.value))
  }

  /// Returns whether the name `left` comes first: groups of digits are compared as numbers, so that
  /// `1.9` comes before `1.10`.
  package static func precedes(_ left: String, _ right: String) -> Bool {
    let (one, other) = (Array(left.utf8), Array(right.utf8))
    var (i, j) = (0, 0)
    while i < one.count, j < other.count {
      let (first, second) = (digits(one[i...]), digits(other[j...]))
      if !first.isEmpty, !second.isEmpty {
        let (a, b) = (first.drop { $0 == 0x30 }, second.drop { $0 == 0x30 })
        if a.count != b.count { return a.count < b.count }
        if !a.elementsEqual(b) { return a.lexicographicallyPrecedes(b) }
        (i, j) = (first.endIndex, second.endIndex)
      } else {
        if one[i] != other[j] { return one[i] < other[j] }
        (i, j) = (i + 1, j + 1)
      }
    }
    let rest = (one.count - i, other.count - j)
    return rest.0 == rest.1 ? one.lexicographicallyPrecedes(other) : rest.0 < rest.1
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.prefix { (0x30...0x39).contains($0) }
  }
}
