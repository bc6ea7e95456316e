internal import CRecorderShims

/// The physical limit U of a span: two readings of the CPU's tick counter and one store of 32 bytes
/// into a warm ring.
struct SpanLimit: ~Copyable {
  /// The description of U.
  static let name = "two raw tick reads and a 32-byte store"
  private let ring: UnsafeMutablePointer<UInt64>
  private let words = 1 << 17

  init() {
    ring = .allocate(capacity: words)
    ring.initialize(repeating: 1, count: words)
  }

  deinit { ring.deallocate() }

  /// Returns the total nanoseconds of `count` such spans.
  func measure(_ count: Int) -> Double {
    var position = 0
    return Rounds.time {
      for index in 0..<count {
        let begin = scrolltrace_ticks()
        let end = scrolltrace_ticks()
        let record = ring + position
        record[1] = begin
        record[2] = end
        record[3] = UInt64(truncatingIfNeeded: index)
        scrolltrace_store_release(record, 1)
        position = (position + 4) & (words - 1)
      }
    }
  }
}
