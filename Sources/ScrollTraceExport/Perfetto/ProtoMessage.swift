/// A protobuf message under construction.
struct ProtoMessage {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(48) }

  /// Removes the content, and keeps its memory for another message.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func add(_ field: UInt64, _ number: UInt64) {
    addVarint(field << 3)
    addVarint(number)
  }

  /// Adds a signed integer, as `int32` and `int64` are encoded.
  mutating func add(_ field: UInt64, _ number: Int64) { add(field, UInt64(bitPattern: number)) }

  mutating func add(_ field: UInt64, _ truth: Bool) { add(field, truth ? 1 : UInt64(0)) }

  mutating func add(_ field: UInt64, _ number: Double) { addFixed(field, number.bitPattern) }

  mutating func addFixed(_ field: UInt64, _ number: UInt64) {
    addVarint(field << 3 | 1)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ field: UInt64, _ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      addVarint(field << 3 | 2)
      addVarint(UInt64(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  /// Adds a message, or a string as UTF-8.
  mutating func add(_ field: UInt64, _ content: [UInt8]) {
    addVarint(field << 3 | 2)
    addVarint(UInt64(content.count))
    bytes += content
  }

  mutating func add(_ field: UInt64, _ message: ProtoMessage) { add(field, message.bytes) }

  /// Adds a message or a string whose content `body` adds.
  mutating func add(_ field: UInt64, _ body: (inout ProtoMessage) -> Void) {
    addVarint(field << 3 | 2)
    // Most sizes take one byte, which is set afterwards.
    bytes.append(0)
    let start = bytes.count
    body(&self)
    let size = bytes.count - start
    guard size >= 0x80 else { return bytes[start - 1] = UInt8(size) }
    let content = Array(bytes[start...])
    bytes.removeSubrange((start - 1)...)
    addVarint(UInt64(size))
    bytes += content
  }

  /// Appends nanoseconds as microseconds with three decimals, without a field of their own: a number would not
  /// keep the last one.
  mutating func append(microseconds nanoseconds: Int64) {
    if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer in
      guard let start = buffer.baseAddress else { return }
      let count = DecimalDigits.write(whole, to: start)
      start.storeBytes(of: UInt8(ascii: "."), toByteOffset: count, as: UInt8.self)
      let decimals = DecimalDigits.write(UInt32(rest), digits: 3, to: start + count + 1)
      bytes.append(contentsOf: buffer.prefix(count + 1 + decimals))
    }
  }

  private mutating func addVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

extension UnsafeMutableRawPointer {
  /// Stores a number as protobuf's varint, of at most 10 bytes, and moves behind it.
  @inline(__always)
  mutating func add(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      rest >>= 7
      self += 1
    }
    storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    self += 1
  }
}
