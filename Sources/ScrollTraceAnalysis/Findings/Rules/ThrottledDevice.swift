import ScrollTraceModel

/// A thermal or power state of the device that divides the frames with hitches from those without
/// (M-18).
struct ThrottledDevice: FindingRule {
  static let id = FindingID.throttledDevice
  /// Screens of one app differ by less in the same state.
  private static let stateFactor = 2.0
  /// A ratio of less than that is chance.
  private static let stateTime = TimeSpan.milliseconds(500)
  /// One hitch does not divide one time from another.
  private static let stateHitches = 2

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.flatMap { surface in
      Dictionary(grouping: surface.states.filter { Self.isLimit($0.key) }, by: \.key)
        .sorted { $0.key < $1.key }
        .compactMap { _, states in
          let limiting = states.filter { !Self.isUsual($0.value) }
          return finding(of: surface, limiting.filter { !Self.isMild($0.value) }, in: context)
            ?? finding(of: surface, limiting, in: context)
        }
    }
  }

  private func finding(
    of surface: SurfaceAnalysis, _ limiting: [StateAnalysis], in context: FindingContext
  ) -> Finding? {
    let limited = Sum(limiting)
    guard let all = surface.hitchTime, let worst = limiting.max(by: Self.hasLessHitchTime) else {
      return nil
    }
    // A host may set the state only while it limits.
    let usual = Sum(
      duration: surface.measuredTime.duration - limited.duration,
      hitchTime: all - limited.hitchTime)
    guard limited.hitches >= Self.stateHitches, let ratio = surface.ratio,
      context.options.thresholds.rating(of: ratio.millisecondsPerSecond) != .good,
      limited.duration >= Self.stateTime, usual.duration >= Self.stateTime,
      FindingContext.isPart(FindingThresholds.explainedShare, limited.hitchTime, of: all),
      limited.ratio >= Self.stateFactor * usual.ratio
    else { return nil }
    // The hitch time that would not be there if the device were always as in the other time.
    let excess =
      FindingContext.share(limited.hitchTime, of: all) * (1 - usual.ratio / limited.ratio)
    let state = "\(worst.key)=\(worst.value)"
    return finding(
      of: .surface(surface.name),
      Finding.Measures(
        count: limited.hitches, total: limited.duration, hitches: limited.hitches,
        hitchTime: limited.hitchTime),
      Evidence(
        state: state, hitches: limited.hitches, duration: limited.duration, ratio: limited.ratio,
        otherRatio: usual.ratio), in: context, state: state, certainty: .named,
      weight: excess >= FindingThresholds.explainedShare ? all : all.scaled(by: excess))
  }

  private struct Evidence: FindingEvidence {
    let state: String
    let hitches: Int
    let duration: TimeSpan
    let ratio: Double
    let otherRatio: Double

    var title: Phrase { "heat or a power mode slows the device down" }
    var sentence: Phrase {
      "\(hitches, "hitch", "hitches") in \(duration) with \(name: state): \(ratio, decimals: 1)"
        + " ms/s, otherwise \(otherRatio, decimals: 1) ms/s"
    }
    var facts: Finding.Facts {
      [
        ("state", .name(state)), ("ratioMsPerS", .number(ratio)),
        ("otherRatioMsPerS", .number(otherRatio)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Do less in this state: request a lower frame rate\(.frameRate, of: toolkit), pause"
        + " background work, and use simpler effects. Compare runs only with the same state."
    }
  }

  private static func hasLessHitchTime(_ left: StateAnalysis, _ right: StateAnalysis) -> Bool {
    left.hitchTime ?? .zero < right.hitchTime ?? .zero
  }

  /// The measurements of several values of a state.
  private struct Sum {
    var duration = TimeSpan.zero
    var hitchTime = TimeSpan.zero
    var hitches = 0

    init(duration: TimeSpan, hitchTime: TimeSpan) {
      (self.duration, self.hitchTime) = (duration, hitchTime)
    }

    init(_ states: [StateAnalysis]) {
      for state in states {
        duration += state.duration
        hitchTime += state.hitchTime ?? .zero
        hitches += state.counts.hitches ?? 0
      }
    }

    /// The hitch time ratio in ms/s.
    var ratio: Double { 1000 * FindingContext.share(hitchTime, of: duration) }
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
