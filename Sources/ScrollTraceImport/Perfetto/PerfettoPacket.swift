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
  init?(_ bytes: UnsafeRawBufferPointer) {
    var fields = WireFields(bytes)
    var count = 0
    while fields.next() {
      count += 1
      guard count <= PerfettoPacketShape.maximumFieldCount else { return nil }
      switch (fields.number, fields.isBytes) {
      case (8, false): timestamp = fields.value
      case (10, false): sequence = UInt32(truncatingIfNeeded: fields.value)
      case (12, true): internedData = fields.bytes
      case (13, false):
        if fields.value & Flag.stateCleared != 0 { clearsState = true }
        needsState = fields.value & Flag.needsState != 0
      case (41, false): if fields.value != 0 { clearsState = true }
      case (42, false): followsLoss = fields.value != 0
      case (58, false): clock = PerfettoClocks.number(fields.value)
      case (59, true): defaults = fields.bytes
      case (87, false): isFirst = fields.value != 0
      case (1, true), (2, true), (6, true), (11, true), (35, true), (43, true), (44, true),
        (50, true), (60, true), (76, true), (133, true):
        content = fields.bytes
        contentNumber = fields.number
      case (3, true), (8, true), (10, true), (13, true), (58, true): return nil
      default: break
      }
    }
    guard !fields.isDamaged else { return nil }
  }
}
