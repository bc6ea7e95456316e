/// A protobuf message taken apart, written from the wire format alone.
struct ProtoWalk {
  /// The value of a field.
  enum Value {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
  }

  /// The fields, in the order of the bytes.
  var fields: [(number: UInt64, value: Value)] = []

  /// The message in `bytes`; `nil` where they are none.
  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      guard let tag = Self.varint(&rest) else { return nil }
      switch tag & 7 {
      case 0:
        guard let number = Self.varint(&rest) else { return nil }
        fields.append((tag >> 3, .number(number)))
      case 1:
        guard rest.count >= 8 else { return nil }
        let number = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        fields.append((tag >> 3, .number(number)))
        rest = rest.dropFirst(8)
      case 2:
        guard let count = Self.varint(&rest), count <= UInt64(rest.count) else { return nil }
        fields.append((tag >> 3, .bytes(rest.prefix(Int(count)))))
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
    }
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// The first number of a field.
  func number(_ field: UInt64) -> UInt64? {
    for case (field, .number(let number)) in fields { return number }
    return nil
  }

  /// The messages of a field.
  func messages(_ field: UInt64) -> [ProtoWalk] {
    fields.compactMap { number, value in
      guard number == field, case .bytes(let bytes) = value else { return nil }
      return ProtoWalk(bytes)
    }
  }

  /// The first text of a field.
  func text(_ field: UInt64) -> String? {
    for case (field, .bytes(let bytes)) in fields { return String(decoding: bytes, as: UTF8.self) }
    return nil
  }
}
