internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension ClockAnchor {
  /// The system's clocks read now; `nil` for a clock of the host's own.
  static func now(of clock: RecorderClock) -> ClockAnchor? {
    guard let number = clock.systemClock else { return nil }
    let before = scrolltrace_clock(number)
    let wall = scrolltrace_clock(CLOCK_REALTIME)
    let after = scrolltrace_clock(number)
    return ClockAnchor(
      clock: Int64(clamping: before + (after - before) / 2), wall: Int64(clamping: wall),
      uncertainty: Int64(clamping: after - before))
  }

  /// Writes the anchor into a session blob.
  func write(to start: UnsafeMutableRawPointer) {
    typealias Anchor = RecordingLayout.Anchor
    (start + Anchor.clock).storeBytes(of: clock.littleEndian, as: Int64.self)
    (start + Anchor.wall).storeBytes(of: wall.littleEndian, as: Int64.self)
    (start + Anchor.uncertainty).storeBytes(of: uncertainty.littleEndian, as: Int64.self)
  }
}
