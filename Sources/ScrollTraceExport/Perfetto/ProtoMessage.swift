/// A protobuf message under construction. Not copyable, because it owns its memory.
struct ProtoMessage: ~Copyable {
  /// The room for a field's tag and number, or the size of its content.
  private static let numberSize = 20

  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)
  private var count = 0

  deinit { memory.deallocate() }

  /// The message so far, valid until it changes.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory.baseAddress, count: count)
  }

  /// Removes the content, and keeps its memory for another message.
  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func add(_ field: UInt64, _ number: UInt64) {
    append(upTo: Self.numberSize) { end in
      end.add(varint: field << 3)
      end.add(varint: number)
    }
  }

  /// Adds a signed integer, as `int32` and `int64` are encoded.
  mutating func add(_ field: UInt64, _ number: Int64) { add(field, UInt64(bitPattern: number)) }

  mutating func add(_ field: UInt64, _ truth: Bool) { add(field, truth ? 1 : UInt64(0)) }

  mutating func add(_ field: UInt64, _ number: Double) { addFixed(field, number.bitPattern) }

  mutating func addFixed(_ field: UInt64, _ number: UInt64) {
    append(upTo: Self.numberSize) { end in
      end.add(varint: field << 3 | 1)
      end.storeBytes(of: number.littleEndian, as: UInt64.self)
      end += 8
    }
  }

  mutating func add(_ field: UInt64, _ text: String) {
    var text = text
    text.withUTF8 { add(field, UnsafeRawBufferPointer($0)) }
  }

  /// Adds a message, or a string as UTF-8.
  mutating func add(_ field: UInt64, _ content: UnsafeRawBufferPointer) {
    append(upTo: Self.numberSize + content.count) { end in
      end.add(varint: field << 3 | 2)
      end.add(varint: UInt64(content.count))
      if let start = content.baseAddress { end.copyMemory(from: start, byteCount: content.count) }
      end += content.count
    }
  }

  mutating func add(_ field: UInt64, _ content: [UInt8]) {
    content.withUnsafeBytes { add(field, $0) }
  }

  mutating func add(_ field: UInt64, _ message: borrowing ProtoMessage) {
    add(field, message.bytes)
  }

  /// Adds a message or a string whose content `body` adds.
  mutating func add(_ field: UInt64, _ body: (inout ProtoMessage) -> Void) {
    let first = count
    // Most sizes take one byte, which is set afterwards.
    append(upTo: Self.numberSize) { end in
      end.add(varint: field << 3 | 2)
      end.add(0)
    }
    let start = count
    body(&self)
    let size = count - start
    guard size >= 0x80 else { return memory[start - 1] = UInt8(size) }
    let content = Array(bytes[start...])
    count = first
    add(field, content)
  }

  /// Appends nanoseconds as microseconds with three decimals, without a field of their own: a number would not
  /// keep the last one.
  mutating func append(microseconds nanoseconds: Int64) {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
    append(upTo: 40) { end in
      if nanoseconds < 0 { end.add(UInt8(ascii: "-")) }
      end += DecimalDigits.write(whole, to: end)
      end.add(UInt8(ascii: "."))
      end += DecimalDigits.write(UInt32(rest), digits: 3, to: end)
    }
  }

  /// Appends what `write` writes, at most `size` bytes, behind which it moves the pointer.
  @inline(__always)
  private mutating func append(upTo size: Int, _ write: (inout UnsafeMutableRawPointer) -> Void) {
    if memory.count - count < size { grow(by: size) }
    guard let start = memory.baseAddress else { return }
    var end = start + count
    write(&end)
    count = end - start
  }

  @inline(never)
  private mutating func grow(by size: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: (count + size) * 2, alignment: 16)
    larger.copyMemory(from: bytes)
    memory.deallocate()
    memory = larger
  }
}

extension UnsafeMutableRawPointer {
  /// Stores a byte, and moves behind it.
  @inline(__always)
  mutating func add(_ byte: UInt8) {
    storeBytes(of: byte, as: UInt8.self)
    self += 1
  }

  /// Stores a number as protobuf's varint, of at most 10 bytes, and moves behind it.
  @inline(__always)
  mutating func add(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      add(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    add(UInt8(truncatingIfNeeded: rest))
  }
}
