import ScrollTraceModel

/// Hitches in whose windows one thing that is no work of the app fills most of the time.
struct HitchGroup {
  private(set) var count = 0
  /// The total length of the hitches.
  private(set) var length = TimeSpan.zero
  /// The total time of the cause.
  private(set) var total = TimeSpan.zero
  /// The windows, each once: hitches that one frame delayed share it.
  private(set) var ranges: [TimeRange] = []
  /// The part of the length inside the measured time.
  private var inMotion = TimeSpan.zero
  private var worst: Hitch?

  init() {}

  /// Creates the group of the hitches whose window holds at least a share of `time`, or `nil` if it has
  /// neither two hitches nor one with half of the
  /// lateness.
  init?(of surface: SurfaceAnalysis, minimum: Double = 0.5, time: (Attribution) -> TimeSpan) {
    for hitch in surface.hitches where !hitch.isAfterCommit {
      guard let attribution = hitch.chargedAttribution else { continue }
      let part = time(attribution)
      if FindingContext.isPart(minimum, part, of: attribution.window.length) { add(hitch, part) }
    }
    guard isEnough(of: surface) else { return nil }
  }

  /// The total length of the windows.
  var windows: TimeSpan { ranges.reduce(.zero) { $0 + $1.length } }

  /// Adds a hitch, after those before it, and the time of the cause in its window.
  mutating func add(_ hitch: Hitch, _ time: TimeSpan) {
    count += 1
    length += hitch.length
    inMotion += hitch.lengthInMotion
    let window = hitch.chargedAttribution?.window
    if window == nil || window != ranges.last { total += time }
    if let window, window != ranges.last { ranges.append(window) }
    if hitch.length > worst?.length ?? .zero { worst = hitch }
  }

  /// Returns a Boolean value indicating whether the group has two hitches, or one with half of the surface's
  /// lateness.
  func isEnough(of surface: SurfaceAnalysis) -> Bool {
    let all = surface.hitches.reduce(TimeSpan.zero) { $0 + $1.length }
    return count > 1 || count == 1 && length.nanoseconds >= all.nanoseconds / 2
  }

  func measures(total: TimeSpan) -> Finding.Measures {
    Finding.Measures(
      count: count, total: total, hitches: count, hitchTime: inMotion,
      worst: worst.map {
        Finding.Occurrence(
          frame: $0.frame, time: $0.chargedAttribution?.window.start ?? $0.range.start)
      })
  }
}
