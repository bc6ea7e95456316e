import ScrollTraceModel

/// A thermal or power state of the device that divides the frames with hitches from those without
/// (M-18), or a GPU that is busy at a lower clock in late frames.
struct ThrottledDevice: FindingRule {
  static let id = FindingID.throttledDevice
  /// Screens of one app differ by less in the same state.
  private static let stateFactor = 2.0
  /// A ratio of less than that is chance.
  private static let stateTime = TimeSpan.milliseconds(500)
  /// One hitch does not divide one time from another.
  private static let stateHitches = 2
  /// Steps of a clock that saves power are smaller.
  private static let clockFactor = 0.75
  /// The load in percent at which a GPU does what it can.
  private static let fullLoad = 90.0...100
  /// The clocks in MHz that a GPU can have; some drivers say 0.
  private static let clocks = 1.0...100_000
  /// The fewest values of a counter in late frames, and in others.
  private static let minimumValues = 10

  func findings(in context: FindingContext) -> [Finding] {
    let slow = context.evaluatedSurfaces.compactMap { slowGPU(of: $0, in: context) }
    let limited: [Finding] = context.evaluatedSurfaces.flatMap { surface in
      Dictionary(grouping: surface.states.filter { Self.isLimit($0.key) }, by: \.key)
        .sorted { $0.key < $1.key }
        .compactMap { _, states in
          let limiting = states.filter { !Self.isUsual($0.value) }
          return finding(of: surface, limiting.filter { !Self.isMild($0.value) }, in: context)
            ?? finding(of: surface, limiting, in: context)
        }
    }
    return limited + slow
  }

  /// Compares the counters of a GPU in the hitches of a surface with those at other times.
  private func slowGPU(of surface: SurfaceAnalysis, in context: FindingContext) -> Finding? {
    guard surface.hitchesInMotion >= Self.stateHitches, let all = surface.hitchTime,
      let ratio = surface.ratio,
      context.options.thresholds.rating(of: ratio.millisecondsPerSecond) != .good
    else { return nil }
    // A frame that is evaluated by its start has its values at the end of its hitch, which no range contains.
    let instant = TimeSpan(nanoseconds: 1)
    let late = TimeRangeSet(
      union: surface.countedHitches.map {
        TimeRange(start: $0.range.start + instant, end: $0.range.end + instant)
      })
    /// The values in the middle.
    func values(_ name: String) -> (late: Double, other: Double)? {
      guard
        let counter = context.trace.counters.first(where: { context.trace.name(of: $0) == name })
      else { return nil }
      let isLate = Dictionary(grouping: counter.samples) { late.index(containing: $0.time) != nil }
      let values = isLate.mapValues { $0.map(\.value).sorted() }
      guard let inside = values[true], let outside = values[false],
        min(inside.count, outside.count) >= Self.minimumValues
      else { return nil }
      return (inside[inside.count / 2], outside[outside.count / 2])
    }
    guard let clock = values("gpu_core_clock"), let load = values("gpu_load"),
      Self.clocks.contains(clock.late), Self.clocks.contains(clock.other),
      clock.late <= Self.clockFactor * clock.other, Self.fullLoad.contains(load.late)
    else { return nil }
    return finding(
      of: .surface(surface.name),
      Finding.Measures(
        count: surface.hitchesInMotion, hitches: surface.hitchesInMotion, hitchTime: all),
      Self.evidence(
        "the clock of the GPU (gpu_core_clock) was \(clock.late, decimals: 0) in late frames and"
          + " \(clock.other, decimals: 0) in others, with \(load.late, decimals: 0)% of load",
        [("gpuClock", .number(clock.late)), ("otherGPUClock", .number(clock.other))], in: context),
      in: context, certainty: .named)
  }

  private func finding(
    of surface: SurfaceAnalysis, _ limiting: [StateAnalysis], in context: FindingContext
  ) -> Finding? {
    let limited = limiting.reduce(into: Sum()) {
      $0.duration += $1.duration
      $0.hitchTime += $1.hitchTime ?? .zero
      $0.hitches += $1.counts.hitches ?? 0
    }
    let worst = limiting.max { $0.hitchTime ?? .zero < $1.hitchTime ?? .zero }
    guard let all = surface.hitchTime, let worst else { return nil }
    // A host may set the state only while it limits.
    let usual = Sum(
      duration: surface.measuredTime.duration - limited.duration,
      hitchTime: all - limited.hitchTime)
    guard limited.hitches >= Self.stateHitches, let ratio = surface.ratio,
      context.options.thresholds.rating(of: ratio.millisecondsPerSecond) != .good,
      limited.duration >= Self.stateTime, usual.duration >= Self.stateTime,
      limited.hitchTime.isPart(FindingThresholds.explainedShare, of: all),
      limited.ratio >= Self.stateFactor * usual.ratio
    else { return nil }
    // The hitch time that would not be there if the device were always as in the other time.
    let excess = limited.hitchTime.share(of: all) * (1 - usual.ratio / limited.ratio)
    let state = "\(worst.key)=\(worst.value)"
    return finding(
      of: .surface(surface.name),
      Finding.Measures(
        count: limited.hitches, total: limited.duration, hitches: limited.hitches,
        hitchTime: limited.hitchTime),
      Self.evidence(
        "\(limited.hitches, "hitch", "hitches") in \(limited.duration) with \(name: state):"
          + " \(limited.ratio, decimals: 1) ms/s, otherwise \(usual.ratio, decimals: 1) ms/s",
        [
          ("state", .name(state)), ("ratioMsPerS", .number(limited.ratio)),
          ("otherRatioMsPerS", .number(usual.ratio)),
        ], in: context), in: context, state: state, certainty: .named,
      weight: excess >= FindingThresholds.explainedShare ? all : all.scaled(by: excess))
  }

  private static func evidence(
    _ sentence: Phrase, _ facts: Finding.Facts, in context: FindingContext
  ) -> PlainEvidence {
    PlainEvidence(
      title: "heat or a power mode slows the device down", sentence: sentence, facts: facts,
      fix:
        "Do less in this state: request a lower frame rate\(.frameRate, of: context.toolkit), pause"
        + " background work, and use simpler effects. Compare runs only with the same state.")
  }

  /// The measurements of several values of a state.
  private struct Sum {
    var duration = TimeSpan.zero
    var hitchTime = TimeSpan.zero
    var hitches = 0

    /// The hitch time ratio in ms/s.
    var ratio: Double { 1000 * hitchTime.share(of: duration) }
  }

  /// The values that limit nothing.
  private static let usualValues: Set<String> = [
    "nominal", "normal", "none", "cool", "off", "false", "no", "0", "inactive", "disabled",
  ]

  static func isUsual(_ value: String) -> Bool {
    usualValues.contains(value.prefix(longestName).lowercased())
  }

  /// Returns a Boolean value indicating whether a value is the first step above the usual ones, at which systems
  /// limit little.
  private static func isMild(_ value: String) -> Bool {
    ["fair", "light"].contains(value.prefix(longestName).lowercased())
  }

  /// Returns a Boolean value indicating whether a state is about the device's heat or power.
  static func isLimit(_ key: String) -> Bool {
    let letters = key.prefix(longestName).filter(\.isLetter).lowercased()
    return ["thermal", "throttl", "lowpower", "powersav", "batterysav"].contains {
      letters.includes($0)
    }
  }

  private static let longestName = 64
}
