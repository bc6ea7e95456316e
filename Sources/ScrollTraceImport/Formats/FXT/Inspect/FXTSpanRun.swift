internal import ScrollTraceLayout

/// Consecutive complete events of three words that have one thread and one category.
struct FXTSpanRun {
  /// The first event.
  let first: FXTRecordItem
  /// The number of events.
  let count: Int
  /// The earliest and the latest start.
  let times: (earliest: UInt64, latest: UInt64)

  /// The number of bytes.
  var byteCount: Int { count * Self.size }

  private static let size = 24
  /// The type and size of a record, its kind of event, its thread and its category.
  private static let mask: UInt64 = 0x0000_FFFF_FF0F_FFFF

  /// Creates the run that starts at `position`, or returns `nil` if there is no such event. Events that
  /// name their category or thread themselves are none.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer, at position: Int, offset: UInt64) {
    guard bytes.count - position >= Self.size else { return nil }
    let key = bytes.word(at: position) & Self.mask
    guard key & 0xF_FFFF == FXTRecord.completeEventOfThreeWords, key.bits(24, 8) != 0,
      key.bits(47, 1) == 0
    else { return nil }
    var end = position
    var times = (earliest: UInt64.max, latest: UInt64(0))
    while bytes.count - end >= Self.size, bytes.word(at: end) & Self.mask == key {
      let time = bytes.word(at: end + 8)
      times = (min(times.earliest, time), max(times.latest, time))
      end += Self.size
    }
    count = (end - position) / Self.size
    self.times = times
    first = FXTRecordItem(
      record: FXTRecord(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + Self.size)]),
        offset: offset))
  }
}
