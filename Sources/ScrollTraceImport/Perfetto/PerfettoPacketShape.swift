/// Tells whether bytes can be a packet of a trace: for the search behind damage, and to know a file.
enum PerfettoPacketShape {
  /// How many fields of a packet are looked at; real ones have fewer.
  static let maximumFieldCount = 64

  /// How far behind a damaged begin a file is searched for packets to know it by.
  private static let sniffedLength = 4096

  /// Whether a file that starts with `bytes` is a trace.
  static func sniff(_ bytes: UnsafeRawBufferPointer) -> Sniff {
    var place = 0
    while place < bytes.count, bytes[place] == PerfettoPackets.packetTag {
      var header = place + 1
      guard let count = WireFields.varint(in: bytes, at: &header) else { return .needMoreBytes }
      guard count > 0 else {
        place = header
        continue
      }
      if isPacket(at: place, in: bytes) { return .yes }
      guard count <= UInt64(PerfettoPackets.maximumPacketLength) else { break }
      if header + Int(count) >= bytes.count { return isDamagedTrace(bytes) ? .yes : .needMoreBytes }
      break
    }
    return isDamagedTrace(bytes) ? .yes : .no
  }

  /// Whether two packets stand one after another near the begin, among bytes that are no text.
  private static func isDamagedTrace(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let near = UnsafeRawBufferPointer(rebasing: bytes.prefix(sniffedLength))
    guard near.contains(where: { $0 < 0x09 }) else { return false }
    var first = nextPacket(in: near, from: 0)
    while let start = first {
      var next = start + 1
      guard let count = WireFields.varint(in: near, at: &next) else { return false }
      next += Int(count)
      if next < near.count, isPacket(at: next, in: near) { return true }
      first = nextPacket(in: near, from: start + 1)
    }
    return false
  }

  /// Whether `bytes` are fields of a packet from begin to end, with something of use among them.
  static func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var fields = WireFields(bytes)
    var (count, isKnown) = (0, false)
    while fields.next() {
      count += 1
      guard count <= maximumFieldCount else { return false }
      switch fields.number {
      case 3, 8, 10, 13, 41, 42, 58, 79, 87, 98:
        if fields.isBytes { return false }
      case 1, 2, 6, 9, 11, 12, 33, 35, 36, 43, 44, 45, 50, 51, 57, 59, 60, 66, 69, 72, 76, 78, 89,
        90, 133:
        guard fields.isBytes else { return false }
        isKnown = true
      case 1000...: return false
      default: break
      }
    }
    return isKnown && !fields.isDamaged
  }

  /// Where the next packet begins, at `first` or behind it; `nil` where none is found.
  ///
  /// A packet counts where it is whole, and is followed by another one's first byte or the end.
  static func nextPacket(in bytes: UnsafeRawBufferPointer, from first: Int) -> Int? {
    var start = first
    while start < bytes.count {
      if bytes[start] == PerfettoPackets.packetTag, isPacket(at: start, in: bytes) { return start }
      start += 1
    }
    return nil
  }

  /// Whether a packet that fits stands at `start`.
  static func isPacket(at start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    var place = start + 1
    guard let count = WireFields.varint(in: bytes, at: &place),
      count > 0, count <= UInt64(bytes.count - place)
    else { return false }
    let end = place + Int(count)
    guard end == bytes.count || bytes[end] == PerfettoPackets.packetTag else { return false }
    return fits(UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
  }
}
