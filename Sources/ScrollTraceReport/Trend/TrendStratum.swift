import ScrollTraceGate
import ScrollTraceSummary

/// The traces of one build in a stratum.
struct TrendCell: Sendable {
  /// The sums.
  let scope: SummaryScope
  let row: SummaryRow
  /// The value of the measure.
  let value: Double
  let traces: Double
  let motion: Double
  let hitchTime: Double
  /// The sum of the squares of the traces' measured times, or `nil` if unknown.
  let squaresOfMotion: Double?
  /// The sum of the squares of what the traces' hitch times differ from the build's ratio, or `nil` if unknown.
  let residue: Double?

  /// Creates the cell of a scope, or returns `nil` without a value.
  init?(_ row: SummaryRow, scope: SummaryScope, _ query: TrendQuery) {
    let figures = SummaryFigures(scope: scope, thresholds: query.thresholds)
    guard let value = query.measure.value(of: row, figures),
      let late = scope[.hitchTime].known, let whole = scope[.motion].known, whole > 0
    else { return nil }
    self.scope = scope
    self.row = row
    self.value = value
    traces = Double(row[.traces])
    (hitchTime, motion) = (Double(late), Double(whole))
    let isWhole = SummaryField.squares.allSatisfy {
      let sum = scope[$0]
      return sum.known.map { $0 < SummaryField.motionSquares.maximum } ?? false
        && sum.unknownCount == scope[.motion].unknownCount
    }
    guard isWhole, query.measure == .hitchTimeRatio, let own = scope[.hitchTimeSquares].known,
      let motions = scope[.motionSquares].known, motions > 0, let products = scope[.products].known
    else {
      (squaresOfMotion, residue) = (nil, nil)
      return
    }
    let ratio = hitchTime / motion
    squaresOfMotion = Double(motions)
    residue = max(
      0, Double(own) - 2 * ratio * Double(products) + ratio * ratio * Double(motions))
  }

  /// The variance of the value if that of a trace's value is 1, as far as the sums tell it.
  var spread: Double { squaresOfMotion.map { $0 / motion / motion } ?? 1 / motion }

  /// Returns the hitch time of a cause per measured time, in ms/s.
  func ratio(of cause: SummaryCause) -> Double {
    Double(row.causes[cause]?.hitchTime ?? 0) / motion * 1_000
  }
}

/// Traces of one kind: of a device class at a refresh rate, or of another split.
struct TrendStratum: Sendable {
  /// What it is, by the parts of the split; empty for an unknown value.
  let names: [String]
  let refreshInterval: Int64?
  let basis: String?
  /// The cells by build, or `nil` for a build without traces.
  var cells: [TrendCell?]

  /// The builds with traces.
  var buildIndices: [Int] { cells.indices.filter { cells[$0] != nil } }
  var present: [TrendCell] { cells.compactMap { $0 } }
  var traces: Double { present.reduce(0) { $0 + $1.traces } }
  /// The measured time, by which strata are weighted.
  var motion: Double { present.reduce(0) { $0 + $1.motion } }

  /// The variance of a trace's ratio, in (ms/s)², over all builds with its degrees of freedom, or `nil` if
  /// sums do not tell it.
  var sampling: (variance: Double, freedom: Int)? {
    var (residue, squares) = (0.0, 0.0)
    for cell in present {
      guard let own = cell.residue, let square = cell.squaresOfMotion else { return nil }
      residue += own
      squares += square
    }
    let freedom = traces - Double(present.count)
    guard freedom >= Double(present.count), squares > 0 else { return nil }
    return (residue / squares * traces / freedom * 1e6, Int(min(freedom, 1e6)))
  }
}

extension TrendStratum {
  /// The hitch time of a cause per measured time by build, in ms/s, without what it shares with the other
  /// causes: a session that scrolls through more content has more of each.
  fileprivate func ownRatios(of cause: SummaryCause) -> [Double] {
    let own = present.map { $0.ratio(of: cause) }
    let others = zip(present, own).map { $0.hitchTime / $0.motion * 1_000 - $1 }
    return SharedVariation.removed(from: own, sharedWith: others)
  }
}

/// What of a stratum's value a series follows.
enum TrendSubject: Hashable, Sendable {
  case value
  case cause(SummaryCause)

  /// The number of parameters that were estimated from the values of its series.
  var estimatedCount: Int { self == .value ? 0 : 1 }
}

/// The series of some strata at a constant mix of them.
struct TrendSeries: Sendable {
  let series: LevelSeries
  /// The builds of the values.
  let buildIndices: [Int]

  /// Creates the series of `strata` over the builds in which at least one of them has traces.
  init(of strata: [TrendStratum], _ subject: TrendSubject) {
    switch subject {
    case .value: self.init(of: strata)
    case .cause(let cause): self.init(of: strata, cause)
    }
  }

  /// Creates the series of the value at a constant mix.
  ///
  /// A stratum counts by its measured time in all builds. Of a stratum without traces in a build, the
  /// difference from its own level is taken to be that of the others.
  private init(of strata: [TrendStratum]) {
    let levels = strata.map { stratum -> Double in
      let cells = stratum.present
      return cells.reduce(0) { $0 + $1.value * $1.motion } / stratum.motion
    }
    let samplings = strata.map(\.sampling)
    let whole = strata.reduce(0) { $0 + $1.motion }
    let base = zip(strata, levels).reduce(0) { $0 + $1.0.motion * $1.1 } / whole
    let isSampled = samplings.allSatisfy { $0 != nil }
    var (values, weights, buildIndices): ([Double], [Double], [Int]) = ([], [], [])
    for buildIndex in strata.first?.cells.indices ?? 0..<0 {
      var (sum, variance, weight) = (0.0, 0.0, 0.0)
      for (index, stratum) in strata.enumerated() {
        guard let cell = stratum.cells[buildIndex] else { continue }
        weight += stratum.motion
        sum += stratum.motion * (cell.value - levels[index])
        let noise = samplings[index]?.variance ?? 1
        variance +=
          stratum.motion * stratum.motion * cell.spread * (isSampled ? noise : 1)
      }
      guard weight > 0 else { continue }
      values.append(base + sum / weight)
      weights.append(variance > 0 ? weight * weight / variance : 1)
      buildIndices.append(buildIndex)
    }
    let freedom = samplings.reduce(0) { $0 + ($1?.freedom ?? 0) }
    let hasNoise = samplings.contains { $0?.variance ?? 0 > 0 }
    series = LevelSeries(
      values, weights: weights, sampling: isSampled && hasNoise ? (1, freedom) : nil)
    self.buildIndices = buildIndices
  }

  /// Creates the series of a cause, without what it shares with the other causes.
  ///
  /// A cause that gets slower does so in proportion. So strata count by their differences from their own
  /// levels, as parts of these, and the more the less they vary from build to build.
  private init(of strata: [TrendStratum], _ cause: SummaryCause) {
    var sums = [(part: Double, weight: Double)](
      repeating: (0, 0), count: strata.first?.cells.count ?? 0)
    var (time, motion) = (0.0, 0.0)
    for stratum in strata {
      let ratios = stratum.ownRatios(of: cause)
      let cells = stratum.present
      let own = zip(cells, ratios).reduce(0) { $0 + $1.0.motion * $1.1 }
      motion += stratum.motion
      guard own > 0 else { continue }
      time += own
      let parts = ratios.map { $0 / (own / stratum.motion) - 1 }
      let noise = Self.noise(parts, spreads: cells.map(\.spread))
      for (buildIndex, value) in zip(stratum.buildIndices, zip(cells, parts)) {
        let weight = 1 / (noise * value.0.spread)
        sums[buildIndex].part += weight * value.1
        sums[buildIndex].weight += weight
      }
    }
    let level = time / motion
    buildIndices = sums.indices.filter { sums[$0].weight > 0 }
    series = LevelSeries(
      buildIndices.map { level * (1 + sums[$0].part / sums[$0].weight) },
      weights: buildIndices.map { sums[$0].weight },
      estimatedCount: TrendSubject.cause(cause).estimatedCount)
  }

  /// The noise of values that never differ, by which no weight is infinite.
  private static let minimumNoise = 1e-12

  /// The variance of values, relative to their spread, by the median of the squares of their differences from
  /// build to build, which a few steps do not change.
  private static func noise(_ values: [Double], spreads: [Double]) -> Double {
    let squares = values.indices.dropFirst().map { index in
      let difference = values[index] - values[index - 1]
      return difference * difference / (spreads[index] + spreads[index - 1])
    }.sorted()
    guard !squares.isEmpty else { return minimumNoise }
    // The square of a standard normal number has this median. That of a rare cause is zero.
    let median = squares[squares.count / 2] / 0.4549
    let mean = squares.reduce(0, +) / Double(squares.count)
    return max(median > 0 ? median : mean, minimumNoise)
  }

  /// Returns the index of the first value of build `buildIndex` or later.
  func index(of buildIndex: Int) -> Int {
    buildIndices.firstIndex { $0 >= buildIndex } ?? buildIndices.count
  }

  /// Returns the difference from build `buildIndex` on within a range of builds, or `nil` if a side has no
  /// value.
  func difference(at buildIndex: Int, in range: Range<Int>) -> LevelSeries.Difference? {
    series.difference(
      at: index(of: buildIndex),
      in: index(of: range.lowerBound)..<index(of: range.upperBound))
  }
}
