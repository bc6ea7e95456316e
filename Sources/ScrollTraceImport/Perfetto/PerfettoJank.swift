/// The words of Android for what was wrong with a frame.
enum PerfettoJank {
  /// The bits in the order in which Android's tools list them, with their words.
  private static let words: [(bit: UInt64, word: String)] = [
    (2, "SurfaceFlinger Scheduling"),
    (4, "Prediction Error"),
    (8, "Display HAL"),
    (16, "SurfaceFlinger CPU Deadline Missed"),
    (32, "SurfaceFlinger GPU Deadline Missed"),
    (64, "App Deadline Missed"),
    (4096, "App Resynced Jitter"),
    (128, "Buffer Stuffing"),
    (256, "Unknown Jank"),
    (512, "SurfaceFlinger Stuffing"),
    (1024, "Dropped Frame"),
    (2048, "Non Animating"),
    (8192, "Display not ON"),
    (16384, "ModeChange in progress"),
    (32768, "PowerModeChange in progress"),
  ]

  /// The bit that says that nothing was wrong.
  static let none: UInt64 = 1

  /// The words for `bits`; `nil` where the source does not say.
  static func text(_ bits: UInt64) -> String? {
    let found = words.filter { bits & $0.bit != 0 }.map(\.word)
    if !found.isEmpty { return found.joined(separator: ", ") }
    return bits & none != 0 ? "None" : nil
  }
}
