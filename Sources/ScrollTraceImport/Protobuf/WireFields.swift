/// Walks over the fields of one message in the protocol buffers wire format.
///
/// Nothing is copied or recursive: a nested message is bytes for another walk. The walk ends at the
/// first invalid field.
struct WireFields {
  private let base: UnsafeRawBufferPointer
  private var offset = 0

  private(set) var number: UInt32 = 0
  /// Whether the field is length-delimited: a string, a message, packed numbers.
  private(set) var isBytes = false
  private(set) var value: UInt64 = 0
  /// The field's content if it is length-delimited.
  private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Whether the walk ended before the message did.
  private(set) var isDamaged = false

  @inline(__always)
  init(_ message: UnsafeRawBufferPointer) { base = message }

  /// Advances to the next field; returns `false` at the end and at damage.
  @inline(__always)
  mutating func next() -> Bool {
    guard offset < base.count else { return false }
    guard let tag = Self.varint(in: base, at: &offset), tag >> 3 > 0, tag >> 3 <= 0x1FFF_FFFF else {
      return fail()
    }
    number = UInt32(truncatingIfNeeded: tag &>> 3)
    let kind = tag & 7
    guard kind & 5 == 0 else { return readFixed(kind) }
    guard let number = Self.varint(in: base, at: &offset) else { return fail() }
    isBytes = kind == 2
    value = number
    guard isBytes else { return true }
    guard number <= UInt64(truncatingIfNeeded: base.count &- offset) else { return fail() }
    let length = Int(truncatingIfNeeded: number)
    bytes = UnsafeRawBufferPointer(start: base.baseAddress.map { $0 + offset }, count: length)
    offset &+= length
    return true
  }

  @inline(__always)
  private mutating func readFixed(_ kind: UInt64) -> Bool {
    isBytes = false
    if kind == 1, base.count &- offset >= 8 {
      value = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    } else if kind == 5, base.count &- offset >= 4 {
      let word = base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      value = UInt64(UInt32(littleEndian: word))
      offset &+= 4
    } else {
      return fail()
    }
    return true
  }

  /// Returns the last number of the field `field` of a message, or `nil` if it has none.
  static func number(_ field: UInt32, of message: UnsafeRawBufferPointer) -> UInt64? {
    var found: UInt64?
    var fields = WireFields(message)
    while fields.next() { if fields.number == field, !fields.isBytes { found = fields.value } }
    return found
  }

  /// Advances to the next content of the field `field`, or returns `nil` if there is no more.
  mutating func nextBytes(of field: UInt32) -> UnsafeRawBufferPointer? {
    while next() { if number == field, isBytes { return bytes } }
    return nil
  }

  /// Calls `body` with the field's number, or with each of those packed in its bytes; returns `false` where
  /// these are damaged.
  @discardableResult
  func forEachNumber(_ body: (UInt64) -> Void) -> Bool {
    guard isBytes else {
      body(value)
      return true
    }
    var offset = 0
    while offset < bytes.count {
      guard let number = Self.varint(in: bytes, at: &offset) else { return false }
      body(number)
    }
    return true
  }

  var signed: Int64 { Int64(bitPattern: value) }

  var double: Double { Double(bitPattern: value) }

  // Code that is not inlined would force the walk out of the registers.
  @inline(__always)
  private mutating func fail() -> Bool {
    isDamaged = true
    offset = base.count
    return false
  }

  /// Returns the number of up to ten bytes at `offset`, which advances past it, or `nil` if there is
  /// none.
  @inline(__always)
  static func varint(in bytes: UnsafeRawBufferPointer, at offset: inout Int) -> UInt64? {
    guard offset < bytes.count else { return nil }
    let first = bytes[offset]
    guard first >= 0x80 else {
      offset &+= 1
      return UInt64(first)
    }
    guard let long = longVarint(in: bytes, at: offset) else { return nil }
    offset = long.end
    return long.value
  }

  /// Returns the number of more than one byte at `offset`, and its end.
  @inline(never)
  private static func longVarint(
    in bytes: UnsafeRawBufferPointer, at offset: Int
  ) -> (value: UInt64, end: Int)? {
    var (value, shift, index) = (UInt64(bytes[offset] & 0x7F), UInt64(7), offset &+ 1)
    while index < bytes.count, shift < 64 {
      let byte = bytes[index]
      index &+= 1
      // Only the lowest bit of the tenth byte fits.
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return (value, index) }
      shift &+= 7
    }
    return nil
  }
}
