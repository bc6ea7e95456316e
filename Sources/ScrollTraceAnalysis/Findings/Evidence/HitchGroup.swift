import ScrollTraceModel

/// Hitches with one cause, and the evidence that they are.
struct HitchGroup {
  private var count = 0
  /// The total length of the hitches.
  private(set) var length = TimeSpan.zero
  /// The total time of the cause.
  private(set) var total = TimeSpan.zero
  /// The part of the length inside the measured time.
  private(set) var inMotion = TimeSpan.zero
  private var worst: Hitch?
  private var lastWindow: TimeRange?

  /// Adds a hitch, after those before it, and the time of the cause in its window.
  mutating func add(_ hitch: Hitch, _ time: TimeSpan) {
    count += 1
    length += hitch.length
    inMotion += hitch.lengthInMotion
    let window = hitch.chargedAttribution?.window
    // Hitches that one frame delayed share its window.
    if window == nil || window != lastWindow { total += time }
    lastWindow = window
    if hitch.length > worst?.length ?? .zero { worst = hitch }
  }

  /// Returns the group's part of the surface's hitches, or `nil` if it is smaller than `least`.
  func share(of surface: SurfaceAnalysis, atLeast least: Double) -> Double? {
    let all = surface.hitches.reduce(TimeSpan.zero) { $0 + $1.length }
    let share = FindingContext.share(length, of: all)
    return all > .zero && count > 0 && share >= least ? share : nil
  }

  func evidence(total: TimeSpan) -> Finding.Evidence {
    Finding.Evidence(
      count: count, total: total, hitches: count, hitchTime: inMotion,
      worst: worst.map {
        Finding.Occurrence(
          frame: $0.frame, time: $0.chargedAttribution?.window.start ?? $0.range.start)
      })
  }
}
