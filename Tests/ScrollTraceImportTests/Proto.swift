/// A message in the wire format of protocol buffers: its fields by number, in the order of the literal.
struct Proto: ExpressibleByDictionaryLiteral {
  /// What a field contains. A value that is `nil` makes no field.
  enum Content {
    case varint(UInt64)
    case fixed(UInt64)
    case bytes([UInt8])
    /// A field for each.
    case repeated([Content])

    static func number(_ value: (some BinaryInteger)?) -> Content {
      value.map { .varint(UInt64(truncatingIfNeeded: $0)) } ?? .repeated([])
    }

    static func text(_ value: String?) -> Content {
      value.map { .bytes(Array($0.utf8)) } ?? .repeated([])
    }

    /// One message with the fields of all `parts`.
    static func message(_ parts: Proto...) -> Content { .bytes(parts.flatMap(\.bytes)) }
  }

  private(set) var bytes: [UInt8] = []

  init(_ fields: [(Int, Content)]) {
    for (field, content) in fields { append(content, as: UInt64(field)) }
  }

  init(dictionaryLiteral fields: (Int, Content)...) { self.init(fields) }

  private mutating func append(_ content: Content, as field: UInt64) {
    switch content {
    case .varint(let value):
      append(varint: field << 3)
      append(varint: value)
    case .fixed(let value):
      append(varint: field << 3 | 1)
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    case .bytes(let content):
      append(varint: field << 3 | 2)
      append(varint: UInt64(content.count))
      bytes += content
    case .repeated(let contents): for content in contents { append(content, as: field) }
    }
  }

  private mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

extension Proto.Content: ExpressibleByIntegerLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(integerLiteral value: Int64) { self = .number(value) }
  init(stringLiteral value: String) { self = .text(value) }
  init(arrayLiteral bytes: UInt8...) { self = .bytes(bytes) }
  init(dictionaryLiteral fields: (Int, Proto.Content)...) { self = .message(Proto(fields)) }
}
