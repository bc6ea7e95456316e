import ScrollTraceModel

/// Gives the packets of a trace one after another as their bytes arrive in blocks.
///
/// A trace is nothing but packets with their lengths before them, so one damaged length would take
/// all behind it along. Where the next packet is not where the last one ends, one is searched for,
/// and what was passed over is counted.
struct PerfettoPackets: ~Copyable {
  /// The first byte of each packet: field 1 of the trace, of bytes.
  static let packetTag: UInt8 = 0x0A

  /// The longest packet that is read, in bytes; what is in memory at once is about as much.
  static let maximumPacketLength = 1 << 26

  /// How many bytes behind damage are looked at at once; longer packets are not found there.
  private static let searchedLength = 1 << 20

  private let source: any ByteSource
  /// Where losses are counted, for packets that are inside of another one.
  private let outerOffset: UInt64?
  private var packetOffset: UInt64 = 0
  private var buffer: UnsafeMutableRawBufferPointer
  private var place = 0
  private var end = 0
  private var bufferOffset: UInt64 = 0
  private var sourceHasEnded = false

  /// Where the first damage is, and how many bytes it took in all, or `nil` if all is whole.
  private(set) var damage: (first: UInt64, bytes: UInt64)?
  /// Where the trace ends inside a packet, and how many bytes stand there.
  private(set) var cut: (offset: UInt64, bytes: UInt64)?

  /// The packets of `source`, read in blocks of `blockSize` bytes; all of them are at `outerOffset`
  /// where they are inside of another packet.
  init(_ source: any ByteSource, blockSize: Int = 1 << 18, outerOffset: UInt64? = nil) {
    self.source = source
    self.outerOffset = outerOffset
    buffer = .allocate(byteCount: max(64, blockSize), alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Where in the source the reader stands.
  private var offset: UInt64 { bufferOffset + UInt64(place) }

  private var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[place..<end]) }

  /// The next packet, valid until the next call; `nil` at the end. The builder's offset is its.
  @inline(__always)
  mutating func next(
    _ builder: inout TraceBuilder
  ) throws(ImportError) -> UnsafeRawBufferPointer? {
    guard let content = wholePacket() else { return try nextOfAny(&builder) }
    packetOffset = offset
    builder.offset = outerOffset ?? packetOffset
    place = content.upperBound
    return UnsafeRawBufferPointer(rebasing: buffer[content])
  }

  /// Where in the buffer the content of the next packet is, or `nil` if it is not a packet, or not
  /// at hand as a whole.
  @inline(__always)
  private func wholePacket() -> Range<Int>? {
    let bytes = UnsafeRawBufferPointer(start: buffer.baseAddress, count: end)
    guard place < end, bytes[place] == Self.packetTag else { return nil }
    var start = place &+ 1
    guard let length = WireFields.varint(in: bytes, at: &start),
      length <= UInt64(truncatingIfNeeded: end &- start),
      length <= UInt64(Self.maximumPacketLength)
    else { return nil }
    return start..<(start &+ Int(truncatingIfNeeded: length))
  }

  /// The same whatever comes, after reading what is missing.
  @inline(never)
  private mutating func nextOfAny(
    _ builder: inout TraceBuilder
  ) throws(ImportError) -> UnsafeRawBufferPointer? {
    while true {
      try fill(20)
      guard place < end else { return nil }
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
      let start = place
      place += content.upperBound
      return UnsafeRawBufferPointer(
        rebasing: buffer[(start + content.lowerBound)..<(start + content.upperBound)])
    }
  }

  /// Leaves the packet that was given last, which turned out to be damaged: the next one is where it
  /// ends if one stands there, else it is searched for inside of it.
  mutating func rejectPacket(_ builder: inout TraceBuilder) throws(ImportError) {
    let start = packetOffset
    // What was read of it must stay where it is: it may be searched.
    let length = Int(offset - start)
    place -= length
    try fill(length + 1)
    place += length
    if place == end || buffer[place] == Self.packetTag {
      return noteDamage(at: start, bytes: offset - start, &builder)
    }
    place -= Int(offset - start)
    _ = try findPacket(&builder)
  }

  // MARK: - Damage

  /// Passes a field that is no run of bytes; whether there may be more.
  private mutating func passOther(
    _ tag: UInt64, _ header: Int, _ builder: inout TraceBuilder
  ) throws(ImportError) -> Bool {
    if tag == 0 {
      let start = offset
      if try passZeros() { return false }
      if offset > start {
        noteDamage(at: start, bytes: offset - start, &builder)
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

  /// Passes `length` bytes of a field that a later version may know, if a packet or the end follows;
  /// else what is here is damage. Whether there may be more.
  private mutating func passUnknown(
    _ length: Int, _ builder: inout TraceBuilder
  ) throws(ImportError) -> Bool {
    guard length <= rest.count, length == rest.count || rest[length] == Self.packetTag else {
      return try findPacket(&builder)
    }
    builder.countLoss(.unknownRecord)
    place += length
    return true
  }

  /// Passes blocks of zeros up to the end, which pad traces; `false` where more follows.
  private mutating func passZeros() throws(ImportError) -> Bool {
    while true {
      try fill(Self.searchedLength)
      guard rest.allSatisfy({ $0 == 0 }) else { return false }
      place = end
      if sourceHasEnded { return true }
    }
  }

  /// Goes on to the next packet that is whole, from behind the first byte here; `false` where there
  /// is none up to the end.
  private mutating func findPacket(_ builder: inout TraceBuilder) throws(ImportError) -> Bool {
    let start = offset
    while true {
      try fill(Self.searchedLength)
      let from = offset == start ? 1 : 0
      if let found = PerfettoPacketShape.nextPacket(in: rest, from: from) {
        place += found
        noteDamage(at: start, bytes: offset - start, &builder)
        return true
      }
      guard !sourceHasEnded else { break }
      // A packet may begin at the end of what is here and end behind it.
      place = max(place + 1, end - Self.searchedLength / 2)
    }
    place = end
    builder.offset = outerOffset ?? start
    builder.countLoss(.cutAtEnd)
    cut = (start, offset - start)
    return false
  }

  private mutating func noteDamage(
    at start: UInt64, bytes: UInt64, _ builder: inout TraceBuilder
  ) {
    builder.offset = outerOffset ?? start
    builder.countLoss(.damagedBytes, count: bytes)
    damage = (damage?.first ?? start, (damage?.bytes ?? 0) + bytes)
  }

  // MARK: - Bytes

  /// Reads until `count` bytes are at hand; `false` where the source ends before.
  @discardableResult
  private mutating func fill(_ count: Int) throws(ImportError) -> Bool {
    guard end - place < count else { return true }
    while end - place < count, !sourceHasEnded {
      makeRoom()
      let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      sourceHasEnded = got == 0
      end += got
    }
    return end - place >= count
  }

  /// Makes room behind the last byte: by moving what is left to the front, or by doubling what is
  /// full, so that never more is taken than twice of what came.
  private mutating func makeRoom() {
    guard end == buffer.count || place > buffer.count / 2 else { return }
    if place > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[place..<end]))
      bufferOffset += UInt64(place)
      end -= place
      place = 0
    }
    guard end == buffer.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: end * 2, alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
    buffer.deallocate()
    buffer = larger
  }
}

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

  /// The packet in `bytes`, or `nil` if they are damaged, or more fields than a packet has: what is
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
    case 1, 2, 6, 11, 35, 43, 44, 50, 60, 76, 133, 135, 37...40, 52...54, 56, 57, 62, 63, 66, 71:
      (content, contentNumber) = (bytes, field)
    case 3, 8, 10, 13, 58: return false
    default: break
    }
    return true
  }
}

/// Tells whether bytes can be a packet of a trace: for the search behind damage, and to know a file.
enum PerfettoPacketShape {
  /// How many fields of a packet are looked at; real ones have fewer.
  static let maximumFieldCount = 64

  /// How far behind a damaged begin a file is searched for packets to know it by.
  private static let sniffedLength = 4096

  /// The first number of fields that no version so far has.
  private static let firstLaterField: UInt32 = 128

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
      // A packet of a later version may hold nothing that is known: the next one decides.
      if count <= UInt64(bytes.count - header), header + Int(count) < bytes.count,
        isOfLaterVersion(
          UnsafeRawBufferPointer(rebasing: bytes[header..<(header + Int(count))]))
      {
        place = header + Int(count)
        continue
      }
      if isPacket(at: place, in: bytes) { return .yes }
      guard count <= UInt64(PerfettoPackets.maximumPacketLength) else { break }
      if header + Int(count) >= bytes.count { return isDamagedTrace(bytes) ? .yes : .needMoreBytes }
      break
    }
    return isDamagedTrace(bytes) ? .yes : .no
  }

  /// Whether `bytes` are fields, whole and none of them zero, but of numbers that are not known yet.
  private static func isOfLaterVersion(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var fields = WireFields(bytes)
    var (count, isLater) = (0, false)
    while fields.next() {
      count += 1
      guard count <= maximumFieldCount, fields.number > 0, fields.number < 1 << 18 else {
        return false
      }
      if fields.number >= firstLaterField { isLater = true }
    }
    return isLater && !fields.isDamaged
  }

  /// Whether two packets stand one after another near the start, among bytes that are no text.
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

  /// Where the next packet begins, at `first` or behind it, or `nil` if none is found.
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
