package import ScrollTraceAnalysis
import ScrollTraceModel
package import ScrollTraceSummary

/// What a trend shows, of which traces.
package struct TrendQuery: Sendable {
  /// The attribute whose values are in order.
  package var attribute = "build"
  package var measure = Trend.Measure.hitchTimeRatio
  /// What divides traces into strata, besides the refresh rate.
  package var split: [TrendPart] = [.attribute("device")]
  /// The values that traces must have: of each part, one of those named.
  package var only: [(part: TrendPart, value: String)] = []
  package var thresholds = RatingThresholds.scroll

  /// Creates the question whether the hitch time ratio changed by build.
  package init() {}

  /// The names of the attributes that matter.
  package var attributes: Set<String> {
    (split + only.map(\.part)).reduce(into: [attribute]) { names, part in
      if case .attribute(let name) = part { names.insert(name) }
    }
  }

  /// Returns the lines with only what matters, so that they add up to few.
  package func reduce(_ summary: TraceSummary) -> TraceSummary {
    let names = attributes
    return summary.mapKeys { key in
      var key = key
      key.attributes.keep(names)
      key.refreshInterval = key.refreshInterval.flatMap(Self.nominal)
      return key
    }
  }

  /// The interval of the whole number of refreshes per second that is nearest.
  private static func nominal(_ interval: Int64) -> Int64? {
    guard interval > 0 else { return nil }
    let rate = max(1, (1_000_000_000 + interval / 2) / interval)
    return 1_000_000_000 / rate
  }

  /// Whether `split` divides the measured time of a trace, so that its levels are those at a constant mix of
  /// the parts.
  var splitsTime: Bool { split.contains(where: \.isScope) && timePart != nil }

  /// What divides the measured time of a trace: what `split` names, or else the screen.
  var timePart: TrendPart? {
    let named = split.first(where: \.isScope)
    guard !only.contains(where: \.part.isScope) else { return nil }
    return named ?? (measure == .hitchTimeRatio ? .state("screen") : nil)
  }

  /// The scope that `only` selects, or that of all measured time.
  var scope: String {
    only.last { $0.part.isScope }
      .map { ($0.part.scopePrefix ?? "") + $0.value } ?? SummaryScope.all
  }

  func selects(_ key: SummaryKey) -> Bool {
    only.allSatisfy { part, _ in
      part.isScope || only.contains { $0.part == part && part.value(of: key) == $0.value }
    }
  }
}

/// What divides the traces of a trend, or selects some.
package enum TrendPart: Hashable, Sendable {
  case attribute(String)
  case state(String)
  case interaction
  case refresh

  /// Creates the part that a word names, or returns `nil` if it names none.
  package init?(_ text: String) {
    let words = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (words.first, words.count) {
    case ("attribute", 2): self = .attribute(words[1])
    case ("state", 2): self = .state(words[1])
    case ("screen", 1): self = .state("screen")
    case ("interaction", 1): self = .interaction
    case ("refresh", 1): self = .refresh
    case (let name?, 1): self = .attribute(name)
    default: return nil
    }
  }

  var name: String {
    switch self {
    case .attribute(let name), .state(let name): name
    case .interaction: "interaction"
    case .refresh: "refresh rate"
    }
  }

  /// The start of the names of the scopes that it divides, or `nil` if it divides lines.
  var scopePrefix: String? {
    switch self {
    case .state(let key): SummaryScope.prefix(ofState: key)
    case .interaction: SummaryScope.interactionPrefix
    case .attribute, .refresh: nil
    }
  }

  /// Returns the value that a line has, or `nil` for none.
  func value(of key: SummaryKey) -> String? {
    switch self {
    case .attribute(let name): key.attributes[name]
    case .refresh: key.refreshInterval.map(Self.rate)
    case .state, .interaction: nil
    }
  }

  /// Returns the values that lines have, sorted.
  package func values(in sum: TraceSummary) -> [String] {
    var values: Set<String> = []
    for (key, row) in sum.rows {
      if let value = value(of: key) { values.insert(value) }
      guard let prefix = scopePrefix else { continue }
      for name in row.scopes.keys where name.hasPrefix(prefix) {
        values.insert(String(name.dropFirst(prefix.count)))
      }
    }
    return values.sorted()
  }

  /// Whether it divides the scopes of a line.
  package var isScope: Bool { scopePrefix != nil }

  static func rate(_ interval: Int64) -> String {
    Quantity.rate(TimeSpan(nanoseconds: max(1, interval)))
  }
}
