/// What the outer fields of one packet say; what is inside of them is read by whom it concerns.
struct PerfettoPacket {
  /// What the flags of a sequence mean.
  private enum Flag {
    /// Nothing that was said before holds any longer.
    static let stateCleared: UInt64 = 1
    /// Names that were given before are used.
    static let needsState: UInt64 = 2
  }

  private(set) var timestamp: UInt64?
  private(set) var clock: UInt32?
  private(set) var sequence: UInt32 = 0
  private(set) var clearsState = false
  private(set) var needsState = false
  private(set) var followsLoss = false
  private(set) var isFirst = false
  private(set) var internedData: UnsafeRawBufferPointer?
  private(set) var defaults: UnsafeRawBufferPointer?
  private(set) var content: UnsafeRawBufferPointer?
  private(set) var contentNumber: UInt32 = 0

  /// The packet in `bytes`; `nil` where they are damaged, or more fields than a packet has: what is
  /// refused is searched for packets, each of which would be walked through again.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    var fields = WireFields(bytes)
    var count = 0
    while fields.next() {
      count &+= 1
      guard count <= PerfettoPacketShape.maximumFieldCount else { return nil }
      if fields.isBytes {
        guard takeBytes(fields.bytes, fields.number) else { return nil }
      } else {
        takeNumber(fields.value, fields.number)
      }
    }
    guard !fields.isDamaged else { return nil }
  }

  @inline(__always)
  private mutating func takeNumber(_ value: UInt64, _ field: UInt32) {
    switch field {
    case 8: timestamp = value
    case 10: sequence = UInt32(truncatingIfNeeded: value)
    case 13:
      if value & Flag.stateCleared != 0 { clearsState = true }
      needsState = value & Flag.needsState != 0
    case 41: if value != 0 { clearsState = true }
    case 42: followsLoss = value != 0
    case 58: clock = PerfettoClocks.number(value)
    case 87: isFirst = value != 0
    default: break
    }
  }

  /// Takes a field of bytes; `false` for one that is a number in packets.
  @inline(__always)
  private mutating func takeBytes(_ bytes: UnsafeRawBufferPointer, _ field: UInt32) -> Bool {
    switch field {
    case 12: internedData = bytes
    case 59: defaults = bytes
    case 1, 2, 6, 11, 35, 43, 44, 50, 60, 76, 133: (content, contentNumber) = (bytes, field)
    case 3, 8, 10, 13, 58: return false
    default: break
    }
    return true
  }
}
