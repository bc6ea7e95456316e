import ScrollTraceGate
import ScrollTraceSummary

/// The traces of one build in a stratum.
struct TrendCell: Sendable {
  let scope: SummaryScope
  let row: SummaryRow
  /// The value of the measure.
  let value: Double
  let traces: Double
  /// The number of traces that these stand for.
  let weight: Double
  let motion: Double
  let hitchTime: Double
  /// The number of hitches that have causes.
  let hitches: Double
  /// The sum of the hitches of each cause. Many have several.
  let hitchesOfCauses: Double
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
    (traces, weight) = (Double(row[.traces]), Double(row[.weight]))
    (hitchTime, motion) = (Double(late), Double(whole))
    hitchesOfCauses = row.causes.values.reduce(0) { $0 + Double($1.hitches) }
    hitches = min(hitchesOfCauses, scope[.hitches].known.map { Double($0) } ?? .infinity)
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
  let cells: [TrendCell?]
  /// The same by screen, or by what else divides the measured time, most of it first.
  let parts: [TrendStratum]
  /// Whether its levels are those at a constant mix of the parts.
  let isDivided: Bool
  /// The variance of a factor that all causes of a trace have in common, as a part of the level: a session that
  /// scrolls through more content has more hitches of each.
  private(set) var sharedVariance = 0.0
  /// By which factor the variance of the value in each build exceeds that in all, or `nil` without traces.
  private(set) var noiseFactors: [Double?] = []
  /// The sums of the usual times of all causes in the builds with traces.
  private(set) var usualTimes: [Double] = []

  init(
    names: [String], refreshInterval: Int64?, basis: String?, cells: [TrendCell?],
    parts: [TrendStratum] = [], isDivided: Bool = false
  ) {
    (self.parts, self.isDivided) = (parts, isDivided)
    (self.names, self.refreshInterval, self.basis) = (names, refreshInterval, basis)
    self.cells = cells
    let cells = cells.compactMap { $0 }
    motion = cells.reduce(0) { $0 + $1.motion }
    usualTimes = Array(repeating: 0, count: cells.count)
    // In order, because sums of fractions depend on it.
    let causes = Set(cells.flatMap(\.row.causes.keys))
      .sorted { TrendCells.order(of: $0) < TrendCells.order(of: $1) }
    for cause in causes {
      for (index, time) in usual(cause).times.enumerated() { usualTimes[index] += time }
    }
    var factors = noiseFactors(of: cells.map(\.value)).makeIterator()
    noiseFactors = self.cells.map { $0.flatMap { _ in factors.next() } }
    let level = cells.reduce(0) { $0 + $1.hitchTime } / motion * 1_000
    let hitches = cells.reduce(0) { $0 + $1.hitches }
    guard level > 0, hitches > 0 else { return }
    let series = LevelSeries(
      cells.map { $0.hitchTime / $0.motion * 1_000 / level }, weights: cells.map { 1 / $0.spread })
    let left = series.scatter
    let scatter = left.residue / Double(max(1, left.count - 2))
    let sampled = (sampling?.variance ?? 0) / level / level
    sharedVariance = max(0, max(scatter, sampled) - weight / hitches)
  }

  /// The factor of the median by which the mean length of a build's hitches may exceed it: beyond, a few hitches
  /// decide.
  private static let maximumLength = 1.5

  /// The hitch time of a cause in the builds with traces, without what long hitches have above the others, and the
  /// number of its hitches.
  func usual(_ cause: SummaryCause) -> (times: [Double], hitches: Double) {
    let sums = present.map { $0.row.causes[cause] }
    let times = sums.map { Double($0?.hitchTime ?? 0) }
    let hitches = sums.map { Double($0?.hitches ?? 0) }
    let lengths = zip(times, hitches).filter { $1 > 0 }.map { $0 / $1 }
    let limit = Self.maximumLength * (RunStatistics.median(lengths) ?? 0)
    return (zip(times, hitches).map { min($0, $1 * limit) }, hitches.reduce(0, +))
  }

  /// The sum of the usual times by build, per measured time in ms/s.
  var usualValues: [Double?] {
    var times = usualTimes.makeIterator()
    return cells.map { cell in
      cell.flatMap { cell in times.next().map { $0 / cell.motion * 1_000 } }
    }
  }

  /// By which factor the variance of each build with traces exceeds that of all: sessions differ in proportion to
  /// the level, so a change of the level is one of the noise.
  func noiseFactors(of values: [Double]) -> [Double] {
    let levels = values.indices.map { index in
      let near = values[max(0, index - Self.nearby)..<min(values.count, index + Self.nearby + 1)]
      let level = RunStatistics.median(Array(near)) ?? 0
      guard index == 0 || index == values.count - 1 else { return level }
      // Most of those nearby may be on the other side of a step.
      return min(level, (level * max(0, values[index])).squareRoot())
    }
    let squares = levels.map { $0 * $0 }
    let mean = zip(squares, present).reduce(0) { $0 + $1.0 * $1.1.motion } / motion
    return mean > 0 ? squares.map { max(Self.minimumFactor, $0 / mean) } : squares.map { _ in 1 }
  }

  /// The number of builds on each side of one that tell its level.
  private static let nearby = 2
  /// The smallest factor of a variance: hitches that are rare differ less than their level.
  private static let minimumFactor = 0.25

  /// The strata whose mix is constant in its level.
  var leaves: [TrendStratum] { isDivided ? parts : [self] }
  /// The builds with traces.
  var buildIndices: [Int] { cells.indices.filter { cells[$0] != nil } }
  var present: [TrendCell] { cells.compactMap { $0 } }
  var traces: Double { present.reduce(0) { $0 + $1.traces } }
  /// The number of traces that these stand for.
  var weight: Double { present.reduce(0) { $0 + $1.weight } }
  /// The measured time, by which strata are weighted.
  let motion: Double

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

/// A cause in the builds of a stratum, without what it shares with the other causes.
private struct OwnCause {
  /// The hitch time per measured time over all builds, in ms/s.
  let level: Double
  /// By how much each build with traces differs from the level, as a part of it.
  let parts: [Double]
  /// The inverse of the variances of the parts if hitches are random.
  let weights: [Double]

  /// Creates the cause, or returns `nil` if the stratum does not have it.
  init?(_ cause: SummaryCause, besides left: SummaryCause? = nil, in stratum: TrendStratum) {
    let cells = stratum.present
    let (times, hitches) = stratum.usual(cause)
    let left = left.map(stratum.usual)
    // By their time: where a cause makes more frames late, the others are part of these hitches too.
    let others = times.indices.map {
      max(0, stratum.usualTimes[$0] - times[$0] - (left?.times[$0] ?? 0))
    }
    func perMotion(_ sums: [Double]) -> Double { sums.reduce(0, +) / stratum.motion }
    let (level, otherLevel) = (perMotion(times), perMotion(others))
    guard level > 0, hitches > 0 else { return nil }
    let weight = max(1, stratum.weight)
    let ofOthers = cells.reduce(0) { $0 + $1.hitchesOfCauses } - hitches - (left?.hitches ?? 0)
    let otherHitches = min(ofOthers, cells.reduce(0) { $0 + $1.hitches })
    let (own, other) = (weight / hitches, weight / max(1, otherHitches))
    let shared = stratum.sharedVariance
    let slope = otherLevel > 0 ? shared / (shared + other) : 0
    self.level = level * 1_000
    parts = cells.indices.map { index in
      let motion = cells[index].motion
      let common = otherLevel > 0 ? others[index] / motion / otherLevel - 1 : 0
      return times[index] / motion / level - 1 - slope * common
    }
    let variance = own + slope * slope * other + (1 - slope) * (1 - slope) * shared
    let factors = stratum.noiseFactors(of: cells.indices.map { times[$0] / cells[$0].motion })
    weights = zip(cells, factors).map { 1 / (variance * $0.spread * $1) }
  }
}

/// The variance of a cause by which its weights are too large, with its degrees of freedom: what its builds
/// scatter in all strata, besides a change in each.
struct TrendNoise: Equatable, Sendable {
  let variance: Double
  let freedom: Int

  /// The least variance: a cause of few hitches scatters like these, also if builds without any do not.
  private static let minimum = 0.5
  static let unknown = TrendNoise(variance: 0, freedom: 0)

  private init(variance: Double, freedom: Int) {
    (self.variance, self.freedom) = (variance, freedom)
  }

  init(of cause: SummaryCause, in strata: [TrendStratum]) {
    var (residue, freedom) = (0.0, 0)
    for stratum in strata {
      guard stratum.sampling != nil, let own = OwnCause(cause, in: stratum), own.parts.count > 3
      else { continue }
      let scatter = LevelSeries(own.parts, weights: own.weights).scatter
      residue += scatter.residue
      // Of two levels and the build between them.
      freedom += scatter.count - 3
    }
    guard freedom > 0 else {
      self = .unknown
      return
    }
    self.init(variance: max(Self.minimum, residue / Double(freedom)), freedom: freedom)
  }
}

/// What of a stratum's value a series follows.
enum TrendSubject: Equatable, Sendable {
  case value
  /// The value without what a few long hitches have above the others.
  case usualValue
  case cause(SummaryCause, TrendNoise)
  /// The value on a screen, or on another part of the measured time.
  case part(String)

  /// The name of the cause or of the screen, or `nil` for the value.
  var name: String? {
    switch self {
    case .value, .usualValue: nil
    case .cause(let cause, _): TrendChange.name(of: cause)
    case .part(let name): name
    }
  }
}

/// The series of some strata at a constant mix of them.
struct TrendSeries: Sendable {
  let series: LevelSeries
  let buildIndices: [Int]

  /// Creates the series of `strata` over the builds in which at least one of them has traces.
  ///
  /// - Parameter left: A cause whose hitches do not count among those that a cause shares something with.
  init(of strata: [TrendStratum], _ subject: TrendSubject, besides left: SummaryCause? = nil) {
    switch subject {
    case .value: self.init(of: strata.flatMap(\.leaves), isUsual: false)
    case .usualValue: self.init(of: strata.flatMap(\.leaves), isUsual: true)
    case .part(let name):
      self.init(of: strata.flatMap { $0.parts.filter { $0.names == [name] } }, isUsual: false)
    case .cause(let cause, let noise): self.init(of: strata, cause, noise, besides: left)
    }
  }

  /// Creates the series of the value at a constant mix.
  ///
  /// A stratum counts by its measured time in all builds. Of a stratum without traces in a build, the
  /// difference from its own level is taken to be that of the others.
  private init(of strata: [TrendStratum], isUsual: Bool) {
    let values = strata.map { isUsual ? $0.usualValues : $0.cells.map { $0?.value } }
    let levels = zip(strata, values).map { stratum, values in
      zip(stratum.cells, values).reduce(0) { $0 + ($1.1 ?? 0) * ($1.0?.motion ?? 0) }
        / stratum.motion
    }
    let samplings = strata.map(\.sampling)
    let whole = strata.reduce(0) { $0 + $1.motion }
    let base = zip(strata, levels).reduce(0) { $0 + $1.0.motion * $1.1 } / whole
    // The noise of traces is that of all hitches.
    let isSampled = !isUsual && samplings.allSatisfy { $0 != nil }
    var (sums, weights, buildIndices): ([Double], [Double], [Int]) = ([], [], [])
    for buildIndex in strata.first?.cells.indices ?? 0..<0 {
      var (sum, variance, weight) = (0.0, 0.0, 0.0)
      for (index, stratum) in strata.enumerated() {
        guard let cell = stratum.cells[buildIndex], let value = values[index][buildIndex] else {
          continue
        }
        weight += stratum.motion
        sum += stratum.motion * (value - levels[index])
        let noise = samplings[index]?.variance ?? 1
        variance +=
          stratum.motion * stratum.motion * cell.spread * (isSampled ? noise : 1)
          * (stratum.noiseFactors[buildIndex] ?? 1)
      }
      guard weight > 0 else { continue }
      sums.append(base + sum / weight)
      weights.append(variance > 0 ? weight * weight / variance : 1)
      buildIndices.append(buildIndex)
    }
    let freedom = samplings.reduce(0) { $0 + ($1?.freedom ?? 0) }
    let hasNoise = samplings.contains { $0?.variance ?? 0 > 0 }
    series = LevelSeries(
      sums, weights: weights, sampling: isSampled && hasNoise ? (1, freedom) : nil)
    self.buildIndices = buildIndices
  }

  /// Creates the series of a cause, without what it shares with the other causes.
  ///
  /// A cause that gets slower does so in proportion. So strata count by their differences from their own
  /// levels, as parts of these, and the more the more hitches they have.
  private init(
    of strata: [TrendStratum], _ cause: SummaryCause, _ noise: TrendNoise,
    besides left: SummaryCause?
  ) {
    var sums = [(part: Double, weight: Double)](
      repeating: (0, 0), count: strata.first?.cells.count ?? 0)
    var (time, motion) = (0.0, 0.0)
    for stratum in strata {
      motion += stratum.motion
      guard let own = OwnCause(cause, besides: left, in: stratum) else { continue }
      time += own.level * stratum.motion
      for (buildIndex, (part, weight)) in zip(stratum.buildIndices, zip(own.parts, own.weights)) {
        sums[buildIndex].part += weight * part
        sums[buildIndex].weight += weight
      }
    }
    let level = time / motion
    buildIndices = sums.indices.filter { sums[$0].weight > 0 }
    series = LevelSeries(
      buildIndices.map { level * (1 + sums[$0].part / sums[$0].weight) },
      weights: buildIndices.map { sums[$0].weight / level / level },
      sampling: (noise.variance, noise.freedom))
  }

  /// Returns the index of the first value of build `buildIndex` or later.
  func index(of buildIndex: Int) -> Int {
    buildIndices.firstIndex { $0 >= buildIndex } ?? buildIndices.count
  }

  /// Returns the builds that may have begun a change whose first value is in `positions`: those of the values, and
  /// the builds without a value before them.
  func builds(in positions: ClosedRange<Int>) -> ClosedRange<Int> {
    let first = positions.lowerBound
    let earliest = first > 0 ? buildIndices[first - 1] + 1 : buildIndices[first]
    return earliest...buildIndices[positions.upperBound]
  }

  /// Returns the difference from build `buildIndex` on within a range of builds, or `nil` if a side has no
  /// value.
  func difference(at buildIndex: Int, in range: Range<Int>) -> LevelSeries.Difference? {
    series.difference(
      at: index(of: buildIndex),
      in: index(of: range.lowerBound)..<index(of: range.upperBound))
  }

  /// Returns the difference as a part of the level of all builds, or `nil` if a side has no value.
  func relativeDifference(at buildIndex: Int, in range: Range<Int>) -> LevelSeries.Difference? {
    let level = series.values.isEmpty ? 0 : series.mean(series.values.indices)
    guard level > 0, let own = difference(at: buildIndex, in: range) else { return nil }
    return LevelSeries.Difference(
      value: own.value / level, error: own.error / level, freedom: own.freedom)
  }
}
