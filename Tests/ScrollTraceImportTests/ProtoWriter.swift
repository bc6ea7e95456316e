/// Writes messages in the wire format of protocol buffers, field by field.
struct ProtoWriter {
  private(set) var bytes: [UInt8] = []

  static func message(_ build: (inout ProtoWriter) -> Void) -> [UInt8] {
    var writer = ProtoWriter()
    build(&writer)
    return writer.bytes
  }

  mutating func number(_ field: UInt64, _ value: UInt64) {
    varint(field << 3)
    varint(value)
  }

  mutating func number(_ field: UInt64, _ value: Int64) {
    number(field, UInt64(bitPattern: value))
  }

  mutating func fixed(_ field: UInt64, _ value: UInt64) {
    varint(field << 3 | 1)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func text(_ field: UInt64, _ value: String) { run(field, Array(value.utf8)) }

  mutating func run(_ field: UInt64, _ content: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  mutating func message(_ field: UInt64, _ build: (inout ProtoWriter) -> Void) {
    run(field, Self.message(build))
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
