/// A protobuf message under construction.
struct ProtoMessage {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(48) }

  /// Removes the content, and keeps its memory for another message.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Adds fields that are encoded already.
  mutating func append(_ fields: [UInt8]) { bytes += fields }

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

  mutating func add(_ field: UInt64, _ text: String) { add(field, Array(text.utf8)) }

  /// Adds a message, or a string as UTF-8.
  mutating func add(_ field: UInt64, _ content: [UInt8]) {
    addVarint(field << 3 | 2)
    addVarint(UInt64(content.count))
    bytes += content
  }

  mutating func add(_ field: UInt64, _ message: ProtoMessage) { add(field, message.bytes) }

  private mutating func addVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
