import ScrollTraceAnalysis
import ScrollTraceModel

/// The main-thread work or wait whose time per frame grew most between a baseline and runs (M-21), or, if none
/// did, the hitches that no commit explains. Hitches after the main thread come first where they are most.
///
/// A name that is new in a category counts as one that went from it if both were about the same work.
struct WorkGrowth {
  /// The growth in words: `image/decode 0 → 14.2 ms per item`.
  let text: String

  private static let minimumGrowth = 10_000.0
  private static let minimumHitches: Int64 = 2
  /// Work that grew by less made no hitches that no commit explains.
  private static let minimumShare = 0.1

  /// Finds the growth, or returns `nil` if there is none.
  init?(from base: [RunValuesByMetric], to runs: [Analysis]) {
    let onTime = Self.hitchesOnTime(from: base, to: runs)
    if let after = Self.hitchesAfterMain(from: base, to: runs) {
      text = Self.drawing(in: runs).map { "\(after), mostly by \($0)" } ?? onTime ?? after
      return
    }
    let work = Self.work(from: base, to: runs, minimumShare: onTime == nil ? 0 : Self.minimumShare)
    guard let found = work ?? onTime else { return nil }
    text = found
  }

  /// Returns the hitches without a missed deadline, or `nil` unless every run has more than every run of the
  /// baseline.
  private static func hitchesOnTime(from base: [RunValuesByMetric], to runs: [Analysis]) -> String?
  {
    func count(_ hitches: Double?, _ misses: Double?) -> Int64? {
      guard let hitches, let misses else { return nil }
      return Int64(exactly: max(0, hitches - misses).rounded())
    }
    let before = base.compactMap { run in
      count(run.value(of: .hitches, .primary), run.value(of: .deadlineMisses, .primary))
    }
    let after = runs.compactMap { run in
      MetricContext(of: .primary, in: run).flatMap { context in
        count(Metric.hitches.number(in: context), Metric.deadlineMisses.number(in: context))
      }
    }
    guard before.count == base.count, after.count == runs.count, let highest = before.max(),
      let lowest = after.min(), lowest > highest, let old = median(before), let new = median(after),
      new - old >= minimumHitches
    else { return nil }
    return "hitches without a missed deadline \(old) → \(new)"
  }

  /// Returns the hitches after the main thread, or `nil` unless every run has more of them than any run of the
  /// baseline has hitches at all, and they are most of its hitch time: work of the main thread that grew may be a
  /// wait for what made them.
  private static func hitchesAfterMain(
    from base: [RunValuesByMetric], to runs: [Analysis]
  ) -> String? {
    let before = base.compactMap { $0.value(of: .hitches, .primary).flatMap(Int64.init(exactly:)) }
    let after = runs.compactMap { run -> Int64? in
      guard let surface = run.evaluatedPrimarySurface, let whole = surface.hitchTime,
        let cause = surface.causes.first, cause.kind == .render,
        cause.hitchTime.nanoseconds > whole.nanoseconds / 2
      else { return nil }
      return Int64(cause.hitchCount)
    }
    guard before.count == base.count, after.count == runs.count, let highest = before.max(),
      let lowest = after.min(), lowest > highest, let new = median(after),
      new - highest >= minimumHitches
    else { return nil }
    return "hitches after the main thread, which was on time:"
      + " \(highest > 0 ? "at most " : "")\(highest) → \(new)"
  }

  /// Returns the drawing behind most hitches of each run, or `nil` unless it is the same, but for numbers.
  private static func drawing(in runs: [Analysis]) -> String? {
    let names = runs.compactMap(\.drawingOfMostHitches)
    let kinds = Set(names.map { $0.filter { !$0.isNumber } })
    return names.count == runs.count && kinds.count == 1 ? names.first : nil
  }

  /// Returns the work, or `nil` if the test finds none that took longer than in the baseline by a hundredth of a
  /// millisecond and a share of what it took.
  private static func work(
    from base: [RunValuesByMetric], to runs: [Analysis], minimumShare: Double
  ) -> String? {
    let before = base.compactMap(\.work)
    let after = runs.compactMap(\.work.largest)
    guard !before.isEmpty, !after.isEmpty, before.count == base.count, after.count == runs.count
    else { return nil }
    let renamed = Self.renamed(before, after)
    func earlier(_ cost: WorkCost) -> WorkCost { cost.isWait ? cost : renamed[cost.name] ?? cost }
    let rule = RegressionRule(.init(relative: minimumShare, absolute: minimumGrowth))
    var largest: (cost: WorkCost, growth: Int64)?
    var seen: Set<String> = []
    for cost in after.joined() where seen.insert("\(cost.isWait) \(cost.name)").inserted {
      let old = before.map { Self.perFrame(of: earlier(cost), in: $0, isLowest: false) }
      let new = after.map { Self.perFrame(of: cost, in: $0, isLowest: true) }
      guard let usual = Self.median(new), let known = Self.median(old), usual > known else {
        continue
      }
      let growth = usual - known
      if let largest, (largest.growth, cost.name) >= (growth, largest.cost.name) { continue }
      if isGrowth(from: old, to: new, by: rule) { largest = (cost, growth) }
    }
    return largest.map { text($0.cost, earlier($0.cost), before, after) }
  }

  private static func isGrowth(
    from old: [Int64], to new: [Int64], by rule: RegressionRule
  ) -> Bool {
    rule.isWorse(base: old.map(Double.init), new: new.map(Double.init))
  }

  /// The work that went from all runs, by the name of what came to all runs in the same category; the largest first.
  private static func renamed(
    _ before: [[WorkCost]], _ after: [[WorkCost]]
  ) -> [String: WorkCost] {
    func work(in own: [[WorkCost]], without other: [[WorkCost]]) -> [WorkCost] {
      let known = Set(other.joined().map(\.name))
      return own[0].filter { cost in
        !cost.isWait && !known.contains(cost.name)
          && own.allSatisfy { Self.cost(like: cost, in: $0) != nil }
      }
    }
    func category(_ cost: WorkCost) -> Substring { cost.name.prefix { $0 != "/" } }
    var gone = work(in: before, without: after)
    var renamed: [String: WorkCost] = [:]
    for cost in work(in: after, without: before) {
      let alike = gone.indices.filter {
        category(gone[$0]) == category(cost)
          && ratio(of: gone[$0], before, cost, after, by: \.timePerFrame) <= 2
          && ratio(of: gone[$0], before, cost, after, by: \.spansPerFrame) <= 1.25
      }
      guard
        let index = alike.min(by: {
          ratio(of: gone[$0], before, cost, after, by: \.timePerFrame)
            < ratio(of: gone[$1], before, cost, after, by: \.timePerFrame)
        })
      else { continue }
      renamed[cost.name] = gone.remove(at: index)
    }
    return renamed
  }

  /// Returns the larger median of a figure of two costs divided by the smaller one, or 1 if it is not known of both.
  private static func ratio(
    of old: WorkCost, _ before: [[WorkCost]], _ new: WorkCost, _ after: [[WorkCost]],
    by figure: (WorkCost) -> Double?
  ) -> Double {
    func usual(_ cost: WorkCost, _ runs: [[WorkCost]]) -> Double? {
      RunValues(runs.compactMap { Self.cost(like: cost, in: $0).flatMap(figure) })?.median
    }
    guard let old = usual(old, before), let new = usual(new, after), min(old, new) > 0 else {
      return 1
    }
    return max(old, new) / min(old, new)
  }

  private static func text(
    _ cost: WorkCost, _ earlier: WorkCost, _ before: [[WorkCost]], _ after: [[WorkCost]]
  ) -> String {
    func values(of cost: WorkCost, _ runs: [[WorkCost]], isPerItem: Bool) -> [Int64] {
      runs.map { run in
        guard let same = Self.cost(like: cost, in: run) else { return 0 }
        return (isPerItem ? same.perItem : same.perFrame)?.nanoseconds ?? 0
      }
    }
    let name =
      (cost.isWait ? "waiting in '\(cost.name)'" : cost.name)
      + (earlier.name == cost.name ? "" : " (before: \(earlier.name))")
    let isPerItem = isGrowth(
      from: values(of: earlier, before, isPerItem: true),
      to: values(of: cost, after, isPerItem: true),
      by: RegressionRule(.init(relative: 0, absolute: minimumGrowth)))
    let old = median(values(of: earlier, before, isPerItem: isPerItem)) ?? 0
    let new = median(values(of: cost, after, isPerItem: isPerItem)) ?? 0
    let isNew = before.allSatisfy {
      $0.count < WorkCost.maximumCount && Self.cost(like: earlier, in: $0) == nil
    }
    let spans = after.compactMap { Self.cost(like: cost, in: $0)?.perSpan }
    // New work in a few frames is no cost of each frame.
    if isNew, !isPerItem, spans.count == after.count,
      let count = median(spans.map { Int64($0.count) }),
      let time = median(spans.map(\.time.nanoseconds)), time / 2 > new
    {
      return "\(name) is new: \(count) × \(number(time)) ms"
    }
    return "\(name) \(number(old)) → \(number(new)) ms per \(isPerItem ? "item" : "frame")"
  }

  /// The cost of the same work in a run, or `nil` if it is not among the run's largest.
  private static func cost(like cost: WorkCost, in run: [WorkCost]) -> WorkCost? {
    run.first { ($0.name, $0.isWait) == (cost.name, cost.isWait) }
  }

  /// The time per frame; work that is not among ten listed ones took no longer than the last of them.
  private static func perFrame(of cost: WorkCost, in run: [WorkCost], isLowest: Bool) -> Int64 {
    if let known = Self.cost(like: cost, in: run) { return known.perFrame.nanoseconds }
    return isLowest || run.count < WorkCost.maximumCount ? 0 : run.last?.perFrame.nanoseconds ?? 0
  }

  private static func median(_ values: [Int64]) -> Int64? {
    RunValues(values.map(Double.init)).flatMap { Int64(exactly: $0.median.rounded(.down)) }
  }

  /// Milliseconds with one decimal, or with two below one millisecond.
  private static func number(_ nanoseconds: Int64) -> String {
    let step = nanoseconds < 1_000_000 ? 10_000.0 : 100_000
    let rounded = (Double(nanoseconds) / step).rounded() * step
    return String(GateNumber.text(rounded, unit: "ns").dropLast(3))
  }
}

extension WorkCost {
  fileprivate var timePerFrame: Double? { Double(perFrame.nanoseconds) }

  /// The number of spans divided by the frames, or `nil` if unknown.
  fileprivate var spansPerFrame: Double? {
    guard let span = perSpan?.time.nanoseconds, span > 0 else { return nil }
    return Double(perFrame.nanoseconds) / Double(span)
  }
}
