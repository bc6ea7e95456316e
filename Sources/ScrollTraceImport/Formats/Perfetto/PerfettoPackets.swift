import ScrollTraceModel

/// Returns the packets of a trace one after another as their bytes arrive in blocks.
///
/// A trace consists of packets with length prefixes, so one damaged length would lose everything
/// after it. If no packet follows where the last one ends, the next one is searched for, and the
/// skipped bytes are counted.
struct PerfettoPackets: ~Copyable {
  /// The first byte of each packet: the tag of the trace's length-delimited field 1.
  static let packetTag: UInt8 = 0x0A

  /// The maximum length of a packet in bytes, and about the maximum in memory.
  static let maximumPacketLength = 1 << 26

  /// The number of bytes searched at once after damage; longer packets are not found there.
  private static let searchedLength = 1 << 20

  private let source: any ByteSource
  /// The offset for losses in packets nested in another one.
  private let outerOffset: UInt64?
  private var packetOffset: UInt64 = 0
  private var buffer: UnsafeMutableRawBufferPointer
  private var nextIndex = 0
  private var end = 0
  private var bufferOffset: UInt64 = 0
  private var sourceHasEnded = false

  /// The offset of the first damage and the total number of damaged bytes, or `nil` if there is
  /// none.
  private(set) var damage: (first: UInt64, bytes: UInt64)?
  /// The offset of a packet truncated at the end, and the number of its bytes, or `nil`.
  private(set) var cut: (offset: UInt64, bytes: UInt64)?

  /// Creates a reader of the packets of `source` in blocks of `blockSize` bytes; nested packets all
  /// have the offset `outerOffset`.
  init(_ source: any ByteSource, blockSize: Int = 1 << 18, outerOffset: UInt64? = nil) {
    self.source = source
    self.outerOffset = outerOffset
    buffer = .allocate(byteCount: max(64, blockSize), alignment: 16)
  }

  deinit { buffer.deallocate() }

  private var offset: UInt64 { bufferOffset + UInt64(nextIndex) }

  private var rest: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[nextIndex..<end])
  }

  /// Returns the next packet, valid until the next call, or `nil` at the end. The builder's offset
  /// becomes the packet's.
  @inline(__always)
  mutating func next(
    _ builder: inout TraceBuilder
  ) throws(ImportError) -> UnsafeRawBufferPointer? {
    guard let content = wholePacket() else { return try nextOfAny(&builder) }
    packetOffset = offset
    builder.offset = outerOffset ?? packetOffset
    nextIndex = content.upperBound
    return UnsafeRawBufferPointer(rebasing: buffer[content])
  }

  /// Returns the range of the next packet's content in the buffer, or `nil` if it is not a packet
  /// or not completely in memory.
  @inline(__always)
  private func wholePacket() -> Range<Int>? {
    let bytes = UnsafeRawBufferPointer(start: buffer.baseAddress, count: end)
    guard nextIndex < end, bytes[nextIndex] == Self.packetTag else { return nil }
    var start = nextIndex &+ 1
    guard let length = WireFields.varint(in: bytes, at: &start),
      length <= UInt64(truncatingIfNeeded: end &- start), length <= UInt64(Self.maximumPacketLength)
    else { return nil }
    return start..<(start &+ Int(truncatingIfNeeded: length))
  }

  /// Returns the same for any input, after reading missing bytes.
  @inline(never)
  private mutating func nextOfAny(
    _ builder: inout TraceBuilder
  ) throws(ImportError) -> UnsafeRawBufferPointer? {
    while true {
      try fill(20)
      guard nextIndex < end else { return nil }
      packetOffset = offset
      builder.offset = outerOffset ?? offset
      var header = 0
      guard let tag = WireFields.varint(in: rest, at: &header) else {
        if try findPacket(&builder) { continue }
        return nil
      }
      guard tag & 7 == 2, tag >> 3 > 0 else {
        if try passOther(tag, header, &builder) { continue }
        return nil
      }
      guard let length = WireFields.varint(in: rest, at: &header),
        length <= UInt64(Self.maximumPacketLength), try fill(header + Int(length))
      else {
        if try findPacket(&builder) { continue }
        return nil
      }
      let content = header..<(header + Int(length))
      guard tag == UInt64(Self.packetTag) else {
        try fill(content.upperBound + 1)
        if try passUnknown(content.upperBound, &builder) { continue }
        return nil
      }
      let start = nextIndex
      nextIndex += content.upperBound
      return UnsafeRawBufferPointer(
        rebasing: buffer[(start + content.lowerBound)..<(start + content.upperBound)])
    }
  }

  /// Rejects the last packet, which is damaged: the next one follows it directly if there is one,
  /// otherwise it is searched for inside.
  mutating func rejectPacket(_ builder: inout TraceBuilder) throws(ImportError) {
    let start = packetOffset
    // Its bytes must stay in place: they can be searched.
    let length = Int(offset - start)
    nextIndex -= length
    try fill(length + 1)
    nextIndex += length
    if nextIndex == end || buffer[nextIndex] == Self.packetTag {
      return countDamage(at: start, bytes: offset - start, &builder)
    }
    nextIndex -= Int(offset - start)
    _ = try findPacket(&builder)
  }

  // MARK: - Damage

  /// Passes a field that is not length-delimited; returns whether there can be more.
  private mutating func passOther(
    _ tag: UInt64, _ header: Int, _ builder: inout TraceBuilder
  ) throws(ImportError) -> Bool {
    if tag == 0 {
      let start = offset
      if try passZeros() { return false }
      if offset > start {
        countDamage(at: start, bytes: offset - start, &builder)
        return true
      }
    }
    var length = header
    switch (tag >> 3, tag & 7) {
    case (1..., 0): if WireFields.varint(in: rest, at: &length) == nil { length = .max }
    case (1..., 1): length += 8
    case (1..., 5): length += 4
    default: length = .max
    }
    return try passUnknown(length, &builder)
  }

  /// Passes `length` bytes of a field from a later version if a packet or the end follows;
  /// otherwise the bytes are damaged. Returns whether there can be more.
  private mutating func passUnknown(
    _ length: Int, _ builder: inout TraceBuilder
  ) throws(ImportError) -> Bool {
    guard length <= rest.count, length == rest.count || rest[length] == Self.packetTag else {
      return try findPacket(&builder)
    }
    builder.countLoss(.unknownRecord)
    nextIndex += length
    return true
  }

  /// Passes blocks of zeros up to the end, which pad traces; returns `false` if anything else
  /// follows.
  private mutating func passZeros() throws(ImportError) -> Bool {
    while true {
      try fill(Self.searchedLength)
      guard rest.allSatisfy({ $0 == 0 }) else { return false }
      nextIndex = end
      if sourceHasEnded { return true }
    }
  }

  /// Advances to the next complete packet, starting after the first byte here; returns `false` if
  /// there is none.
  private mutating func findPacket(_ builder: inout TraceBuilder) throws(ImportError) -> Bool {
    let start = offset
    while true {
      try fill(Self.searchedLength)
      let from = offset == start ? 1 : 0
      if let found = PerfettoPacketShape.nextPacket(in: rest, from: from) {
        nextIndex += found
        countDamage(at: start, bytes: offset - start, &builder)
        return true
      }
      guard !sourceHasEnded else { break }
      // A packet can start at the end of the buffer and end after it.
      nextIndex = max(nextIndex + 1, end - Self.searchedLength / 2)
    }
    nextIndex = end
    builder.offset = outerOffset ?? start
    builder.countLoss(.cutAtEnd)
    cut = (start, offset - start)
    return false
  }

  private mutating func countDamage(
    at start: UInt64, bytes: UInt64, _ builder: inout TraceBuilder
  ) {
    builder.offset = outerOffset ?? start
    builder.countLoss(.damagedBytes, count: bytes)
    damage = (damage?.first ?? start, (damage?.bytes ?? 0) + bytes)
  }

  // MARK: - Bytes

  /// Reads until `count` bytes are in memory; returns `false` if the source ends first.
  @discardableResult
  private mutating func fill(_ count: Int) throws(ImportError) -> Bool {
    guard end - nextIndex < count else { return true }
    while end - nextIndex < count, !sourceHasEnded {
      makeRoom()
      let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      sourceHasEnded = got == 0
      end += got
    }
    return end - nextIndex >= count
  }

  /// Makes space after the last byte: by moving the remaining bytes to the front, or by doubling a
  /// full buffer, so that at most twice the received size is allocated.
  private mutating func makeRoom() {
    guard end == buffer.count || nextIndex > buffer.count / 2 else { return }
    if nextIndex > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[nextIndex..<end]))
      bufferOffset += UInt64(nextIndex)
      end -= nextIndex
      nextIndex = 0
    }
    guard end == buffer.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: end * 2, alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
    buffer.deallocate()
    buffer = larger
  }
}

/// The outer fields of one packet; their content is decoded by its users.
struct PerfettoPacket {
  private(set) var timestamp: UInt64?
  private(set) var clock: UInt32?
  private(set) var sequence: UInt32 = 0
  /// Whether earlier state is no longer valid.
  private(set) var clearsState = false
  /// Whether the packet uses interned names.
  private(set) var needsState = false
  private(set) var followsLoss = false
  private(set) var isFirst = false
  private(set) var internedData: UnsafeRawBufferPointer?
  private(set) var defaults: UnsafeRawBufferPointer?
  private(set) var content: UnsafeRawBufferPointer?
  private(set) var contentNumber: UInt32 = 0

  /// Creates the packet in `bytes`, or returns `nil` if they are damaged or have too many fields: a
  /// rejected packet is searched for packets, each of which would be walked again.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    var fields = WireFields(bytes)
    var count = 0
    while fields.next() {
      count &+= 1
      guard count <= PerfettoPacketShape.maximumFieldCount else { return nil }
      if fields.isBytes {
        guard readBytes(fields.bytes, fields.number) else { return nil }
      } else {
        readNumber(fields.value, fields.number)
      }
    }
    guard !fields.isDamaged else { return nil }
  }

  @inline(__always)
  private mutating func readNumber(_ value: UInt64, _ field: UInt32) {
    switch field {
    case 8: timestamp = value
    case 10: sequence = UInt32(truncatingIfNeeded: value)
    case 13:
      if value & 1 != 0 { clearsState = true }
      needsState = value & 2 != 0
    case 41: if value != 0 { clearsState = true }
    case 42: followsLoss = value != 0
    case 58: clock = PerfettoClocks.number(value)
    case 87: isFirst = value != 0
    default: break
    }
  }

  /// Reads a length-delimited field; returns `false` for a field that must be a number.
  @inline(__always)
  private mutating func readBytes(_ bytes: UnsafeRawBufferPointer, _ field: UInt32) -> Bool {
    switch field {
    case 12: internedData = bytes
    case 59: defaults = bytes
    case 1, 2, 6, 11, 35, 43, 44, 50, 60, 76, 133, 135, 37...40, 52...54, 56, 57, 62, 63, 66, 71:
      (content, contentNumber) = (bytes, field)
    case 3, 8, 10, 13, 58: return false
    default: break
    }
    return true
  }
}

/// Determines whether bytes can be a packet of a trace, for the search after damage and for
/// recognition.
enum PerfettoPacketShape {
  /// The maximum number of inspected fields of a packet; real ones have fewer.
  static let maximumFieldCount = 64

  /// The maximum distance after a damaged start at which packets are searched to recognize a file.
  private static let sniffedLength = 4096

  /// The first field number that no version has so far.
  private static let firstLaterField: UInt32 = 128
  /// The first number of fields that no version is expected to have.
  private static let firstUnlikelyField: UInt32 = 1 << 18

  /// Returns whether a file that starts with `bytes` is a trace.
  static func sniff(_ bytes: UnsafeRawBufferPointer) -> Sniff {
    var offset = 0
    while offset < bytes.count, bytes[offset] == PerfettoPackets.packetTag {
      var header = offset + 1
      guard let count = WireFields.varint(in: bytes, at: &header) else { return .needMoreBytes }
      guard count > 0 else {
        offset = header
        continue
      }
      if count <= UInt64(bytes.count - header) {
        let end = header + Int(count)
        let packet = UnsafeRawBufferPointer(rebasing: bytes[header..<end])
        let isLater = isOfLaterVersion(packet)
        let isFollowed = end == bytes.count || bytes[end] == PerfettoPackets.packetTag
        if isLater, isFollowed, fits(packet, below: firstUnlikelyField) { return .yes }
        // It may hold nothing that is known: the next one decides.
        if isLater, end < bytes.count {
          offset = end
          continue
        }
      }
      if isPacket(at: offset, in: bytes) { return .yes }
      guard count <= UInt64(PerfettoPackets.maximumPacketLength) else { break }
      if header + Int(count) >= bytes.count { return isDamagedTrace(bytes) ? .yes : .needMoreBytes }
      break
    }
    return isDamagedTrace(bytes) ? .yes : .no
  }

  /// Returns whether `bytes` are complete nonzero fields with unknown numbers.
  private static func isOfLaterVersion(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var fields = WireFields(bytes)
    var (count, isLater) = (0, false)
    while fields.next() {
      count += 1
      guard count <= maximumFieldCount, fields.number > 0,
        fields.number < firstUnlikelyField
      else { return false }
      if fields.number >= firstLaterField { isLater = true }
    }
    return isLater && !fields.isDamaged
  }

  /// Returns whether two packets are adjacent near the start, among bytes that are not text.
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
  ///
  /// - Parameters:
  ///   - bytes: The content of what may be a packet.
  ///   - limit: The first number that no field has.
  static func fits(_ bytes: UnsafeRawBufferPointer, below limit: UInt32 = 1000) -> Bool {
    var fields = WireFields(bytes)
    var (count, isKnown) = (0, false)
    while fields.next() {
      count += 1
      guard count <= maximumFieldCount, fields.number < limit else { return false }
      switch fields.number {
      case 3, 8, 10, 13, 41, 42, 58, 79, 87, 98:
        if fields.isBytes { return false }
      case 1, 2, 6, 9, 11, 12, 33, 35, 36, 43, 44, 45, 50, 51, 57, 59, 60, 66, 69, 72, 76, 78, 89,
        90, 133:
        guard fields.isBytes else { return false }
        isKnown = true
      default: break
      }
    }
    return isKnown && !fields.isDamaged
  }

  /// Returns the position of the next packet from `first` on, or `nil` if there is none.
  ///
  /// A packet counts if it is complete, and another one's first byte or the end follows.
  static func nextPacket(in bytes: UnsafeRawBufferPointer, from first: Int) -> Int? {
    var start = first
    while start < bytes.count {
      if bytes[start] == PerfettoPackets.packetTag, isPacket(at: start, in: bytes) { return start }
      start += 1
    }
    return nil
  }

  private static func isPacket(at start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = start + 1
    guard let count = WireFields.varint(in: bytes, at: &offset),
      count > 0, count <= UInt64(bytes.count - offset)
    else { return false }
    let end = offset + Int(count)
    guard end == bytes.count || bytes[end] == PerfettoPackets.packetTag else { return false }
    return fits(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
  }
}
