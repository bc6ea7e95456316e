import ScrollTraceAnalysis
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

    var label: String {
      switch self {
      case .hitchTimeRatio: "hitch time ratio"
      case .over10: "share of traces above 10 ms/s"
      case .hitchP99: "p99 of hitches"
      case .commitP99: "p99 of commits"
      }
    }

    /// The smallest difference that counts as a change: 1 ms/s, a hundredth of the traces or 1 ms.
    var floor: Double {
      switch self {
      case .hitchTimeRatio: 1
      case .over10: 0.01
      case .hitchP99, .commitP99: 1_000_000
      }
    }

    func value(of row: SummaryRow, _ figures: SummaryFigures) -> Double? {
      switch self {
      case .hitchTimeRatio: figures.ratio?.millisecondsPerSecond
      case .over10: figures.share(of: .over10, amongTraces: row[.weight])
      case .hitchP99: figures.scope[.hitch].percentile(990).map(Double.init)
      case .commitP99: figures.scope[.commit].percentile(990).map(Double.init)
      }
    }

    /// The largest value that there is, or `nil` if there is none.
    var maximum: Double? {
      switch self {
      case .hitchTimeRatio: 1000
      case .over10: 1
      case .hitchP99, .commitP99: nil
      }
    }

    func text(_ value: Double) -> String {
      switch self {
      case .hitchTimeRatio: Quantity.fixed(value, decimals: 2) + " ms/s"
      case .over10: Quantity.fixed(value * 100, decimals: 1) + "%"
      case .hitchP99, .commitP99:
        Quantity.length(TimeSpan(nanoseconds: Int64(exactly: value.rounded()) ?? .max))
      }
    }
  }

  /// All traces with one value of the attribute.
  struct Item: Sendable {
    let name: String
    /// The value of all traces together.
    let crude: Double
    /// The value at a constant mix of strata, or `nil` if it has traces of none that count.
    let value: Double?
    let traces: WideInteger
    /// The traces that lost data, and those whose rating is uncertain (M-24).
    let lossy: WideInteger
    let uncertain: WideInteger
    let rating: Rating
  }

  let query: TrendQuery
  /// The surface with the most measured time, or `nil` if no trace could be evaluated.
  let surface: String?
  /// The items with a known value, in the order of their names.
  let items: [Item]
  /// The number of values of the attribute without a known value.
  package let unknownCount: Int
  /// The number of traces of values that too few have, whose place in the order is not known.
  let foldedTraces: WideInteger
  /// The strata, most measured time first.
  let strata: [TrendStratum]
  /// The positions of the strata that have enough traces.
  let tested: [Int]
  /// The screens, or other parts of the measured time, that are followed; none if there is only one.
  let parts: [String]
  /// The causes that count as one with another.
  let renames: [TrendRename]
  /// The number of functions that count with their cause, since only their addresses are known.
  let unnamedCount: Int
  /// The changes of strata, by build.
  let changes: [TrendChange]
  /// The changes that are none at a constant mix of screens: more time was spent on some of them.
  let screenMixes: [TrendChange]
  /// The change of all traces together that is none of the strata, or `nil`.
  let mixChange: TrendMixChange?
  /// The change of all strata together that would be found in nine of ten cases, or `nil` if none would be.
  let detectableInAll: Double?
  /// The same in the last build.
  let detectableInLast: Double?
  /// The same of each stratum in which one would be found, the smallest first.
  let detectable: [(stratum: Int, difference: Double)]

  /// Whether not even an eightfold change would be found, in all builds and in the last one.
  let tooFew: (inAll: Bool, inLast: Bool)

  /// Whether no change was found, and not even an eightfold one would have been, or not in the last build.
  var hasTooFew: Bool { changes.isEmpty && (tooFew.inAll || tooFew.inLast) }

  /// Whether that no change was found says nothing: there are too few traces, or the builds have no order.
  package var isUndecided: Bool { hasTooFew || changes.isEmpty && hasHashes }

  /// The number of traces below which a stratum is not tested.
  static let minimumTraces = 20.0

  /// The largest change for the worse that is left, or else the last one.
  var headline: TrendChange? { changesLeft.first ?? changes.last }

  /// The changes for the worse that later ones did not undo, first what is certain of the most hitch time: of which at
  /// least half is left in all their strata together, or certainly (95%) in one.
  var changesLeft: [TrendChange] {
    changes.filter { change in
      let later = changes.filter { later in
        later.buildIndex > change.buildIndex
          && later.strata.contains { change.strata.contains($0) }
      }
      guard change.isWorse, let last = later.last else { return change.isWorse }
      let halves = change.strata.map { index in
        (motion: strata[index].motion, left: left(of: change, in: index, since: last))
      }
      return halves.reduce(0) { $0 + $1.motion * $1.left.value } >= 0
        || halves.contains { $0.left.value > $0.left.uncertainty }
    }.sorted { (certainTime($0), $0.buildIndex) > (certainTime($1), $1.buildIndex) }
  }

  /// By how much the strata of the headline change from build to build, with half of its 95% CI, if that explains them
  /// better than changes at some builds; else `nil`.
  var slope: (value: Double, uncertainty: Double)? {
    guard let headline, headline.found == nil, headline.screens.isEmpty else { return nil }
    let steps = changes.filter { $0.strata.contains { headline.strata.contains($0) } }
    let series = TrendSeries(of: headline.strata.map { strata[$0] }, .value)
    guard steps.allSatisfy({ $0.isWorse == headline.isWorse }),
      let slope = series.series.slope(
        insteadOfChangesAt: steps.map { series.index(of: $0.buildIndex) })
    else { return nil }
    return (slope.value, slope.uncertainty)
  }

  /// What is certain (95%) of a change, times the measured time of what changed.
  private func certainTime(_ change: TrendChange) -> Double {
    let difference = change.found.map { ($0.value, $0.uncertainty ?? 0) }
    let (value, uncertainty) = difference ?? (change.difference, change.uncertainty)
    let motion = change.strata.reduce(0.0) { sum, index in
      let parts = strata[index].parts.filter { change.screens.contains($0.names[0]) }
      return sum + (change.screens.isEmpty ? [strata[index]] : parts).reduce(0) { $0 + $1.motion }
    }
    return (value.magnitude - uncertainty) * motion
  }

  /// By how much the level of a stratum is, since `last`, above the middle of those before and after `change`, with half
  /// of the 95% CI of its difference since `last`; zero if it has no traces there.
  private func left(
    of change: TrendChange, in index: Int, since last: TrendChange
  ) -> (value: Double, uncertainty: Double) {
    guard let first = change.levels(of: [strata[index]], query.measure),
      let now = last.levels(of: [strata[index]], query.measure)
    else { return (0, 0) }
    let fall = TrendSeries(of: [strata[index]], .value)
      .difference(at: last.buildIndex, in: last.segment)
    return (now.after - (first.before + first.after) / 2, fall?.uncertainty ?? 0)
  }

  /// Whether the headline is a change for the worse.
  package var isWorse: Bool { headline?.isWorse ?? false }

  /// The headline in a few words, or `nil` without a change.
  package var answer:
    (
      isWorse: Bool, build: String, interval: [String], strata: [String], cause: String?
    )?
  {
    headline.map { change in
      (
        isWorse, items[change.buildIndex].name, change.range.map { items[$0].name },
        change.strata.map { strata[$0].names.joined(separator: ", ") }, change.causes.first?.name
      )
    }
  }

  /// Whether no value is known.
  package var isEmpty: Bool { items.isEmpty }

  /// Creates the trend of the surface with the most measured time.
  package init(of summary: TraceSummary, _ query: TrendQuery) {
    self.query = query
    let cells = TrendCells(summary, query)
    surface = cells.surface
    (unknownCount, foldedTraces) = (cells.unknownCount, cells.foldedTraces)
    (renames, unnamedCount) = (cells.renames, cells.unnamedCount)
    let strata = cells.strata
    let enough = strata.indices.filter { strata[$0].traces >= Self.minimumTraces }
    let tested = enough.isEmpty ? Array(strata.indices) : enough
    (self.strata, self.tested) = (strata, tested)
    let search = TrendSearch(
      strata, tested: tested, crude: cells.crude, measure: query.measure)
    let found = search.changes
    changes = found.filter { $0.atConstantScreens == nil }
    screenMixes = found.filter { $0.atConstantScreens != nil }
    parts = search.parts
    tooFew = (search.hasTooFew, search.lastHasTooFew)
    detectableInAll = search.detectable(tested)
    detectableInLast = search.detectableInLast
    detectable = tested.compactMap { index in
      search.detectable([index]).flatMap { change in
        change > 0 && change.isFinite ? (stratum: index, difference: change) : nil
      }
    }.sorted { ($0.difference, $0.stratum) < ($1.difference, $1.stratum) }
    let level = TrendSeries(of: tested.map { strata[$0] }, .value)
    mixChange =
      found.isEmpty ? TrendMixChange(cells.crude, level, query.measure) : nil
    let values = Dictionary(
      zip(level.buildIndices, level.series.values), uniquingKeysWith: { first, _ in first })
    items = cells.builds.enumerated().map { index, build in
      Item(
        name: build.name, crude: build.cell.value, value: values[index],
        traces: build.cell.row[.traces], lossy: build.cell.row[.lossy],
        uncertain: build.cell.row[.uncertain],
        rating: SummaryFigures(scope: build.cell.scope, thresholds: query.thresholds).rated.rating)
    }
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
        if lowercase(one[i]) != lowercase(other[j]) {
          let isEarlier = (isBeforeVersion(one, from: i), isBeforeVersion(other, from: j))
          return isEarlier.0 == isEarlier.1
            ? lowercase(one[i]) < lowercase(other[j]) : isEarlier.0
        }
        (i, j) = (i + 1, j + 1)
      }
    }
    // What is made before a version has its name and more: 2.0.0-beta.1.
    let isEarlier = (isBeforeVersion(one, from: i), isBeforeVersion(other, from: j))
    if isEarlier.0 != isEarlier.1 { return isEarlier.0 }
    let rest = (one.count - i, other.count - j)
    return rest.0 == rest.1 ? one.lexicographicallyPrecedes(other) : rest.0 < rest.1
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether the rest of a name says that a version is not yet finished.
  private static func isBeforeVersion(_ name: [UInt8], from start: Int) -> Bool {
    let rest = name[start...]
    func starts(_ words: [String], in rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
      let word = rest.prefix { (0x61...0x7A).contains($0 | 0x20) }
      return words.contains(String(decoding: word, as: UTF8.self).lowercased())
        ? rest[word.endIndex...] : nil
    }
    // 2.0.0-beta.1 or 2.0b1.
    guard rest.first == UInt8(ascii: "-") else {
      guard start > 0, !digits(name[(start - 1)...]).isEmpty else { return false }
      return starts(["a", "b", "rc", "alpha", "beta"], in: rest).map { !digits($0).isEmpty }
        ?? false
    }
    let words = [
      "alpha", "beta", "rc", "pre", "preview", "dev", "snapshot", "canary", "nightly",
    ]
    return starts(words, in: rest.dropFirst()) != nil
  }

  /// Whether the names of most items are hashes, which have no order.
  var hasHashes: Bool {
    let hashes = items.count { item in
      let digits = item.name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
      }
      let hasLetter = item.name.utf8.contains { (0x61...0x66).contains($0) }
      return digits && hasLetter && (7...40).contains(item.name.utf8.count)
    }
    return hashes * 2 > items.count
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.prefix { (0x30...0x39).contains($0) }
  }
}
