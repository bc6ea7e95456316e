/// Frames of a loop that only knows when its swaps return: a game that presents as fast as it may.
///
/// The swap returns when there is room for another frame, so that is the earliest instant at which
/// the next one could be worked on: its begin. It is not when anything was shown, and nothing follows
/// from it about deadline and target, which stay unknown; the frames are judged by the cadence of
/// their begins. Where swaps wait for no refresh there is no interval, and no frame is late.
public struct SwapFrameSource: FrameSource {
  /// The refresh interval that swaps wait for; `nil` with vertical synchronization off, or unknown.
  public var interval: Nanoseconds?
  /// When the last swap returned.
  private var lastSwap: Nanoseconds?

  /// Swaps that wait for a refresh every `interval`.
  public init(interval: Nanoseconds? = nil) {
    self.interval = interval
  }

  /// The frame whose work begins at `now`.
  ///
  /// - Parameter now: The recorder's time.
  public mutating func tick(_ now: Nanoseconds) -> FrameTick? {
    FrameTick(begin: lastSwap.map { min($0, now) } ?? now, interval: interval)
  }

  /// Says that a swap returned.
  public mutating func swapped(at now: Nanoseconds) {
    lastSwap = now
  }

  /// Says that the loop rests: the next frame begins when it is asked for.
  public mutating func rest() {
    lastSwap = nil
  }
}
