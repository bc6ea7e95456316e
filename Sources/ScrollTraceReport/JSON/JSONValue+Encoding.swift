import ScrollTraceModel

extension JSONValue {
  /// Creates the value that something is encoded as: the keys in their declared order, null for unknown
  /// values.
  package init(encoding value: some Encodable) {
    // Only what cannot be encoded throws, and results can be.
    self = (try? JSONValueEncoder.value(of: value)) ?? .null
  }
}

/// Encodes values as JSON without Foundation, which would omit unknown values and sort keys.
///
/// A class because containers share it.
private final class JSONValueEncoder: Encoder {
  private enum Shape { case single, array, object }

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  private var shape = Shape.single
  private var single = JSONValue.null
  private var elements: [JSONValue] = []
  private var members: [(String, JSONValue)] = []
  /// The values of containers that are still being filled, by their index.
  private var open: [(index: Int, encoder: JSONValueEncoder)] = []

  private var value: JSONValue {
    switch shape {
    case .single: return single
    case .array:
      for (index, encoder) in open { elements[index] = encoder.value }
      return .array(elements)
    case .object:
      for (index, encoder) in open { members[index].1 = encoder.value }
      return .object(members)
    }
  }

  static func value<Value: Encodable>(of value: Value) throws -> JSONValue {
    // Most values are of these types, and an encoder for each would take most of the time.
    if Value.self == TimeSpan.self {
      return .integer(unsafeBitCast(value, to: TimeSpan.self).nanoseconds)
    }
    if Value.self == String.self { return .string(unsafeBitCast(value, to: String.self)) }
    let encoder = JSONValueEncoder()
    try value.encode(to: encoder)
    return encoder.value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    shape = .object
    members.reserveCapacity(8)
    return KeyedEncodingContainer(Members(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    shape = .array
    return Elements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  private func nested(in index: Int) -> JSONValueEncoder {
    let encoder = JSONValueEncoder()
    open.append((index, encoder))
    return encoder
  }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { [] }

    private func add(_ value: JSONValue?, _ key: Key) {
      encoder.members.append((key.stringValue, value ?? .null))
    }

    func encodeNil(forKey key: Key) { add(nil, key) }
    func encode(_ value: Bool, forKey key: Key) { add(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { add(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) { add(.number(value), key) }
    func encode(_ value: Int, forKey key: Key) { add(.integer(Int64(value)), key) }
    func encode(_ value: Int64, forKey key: Key) { add(.integer(value), key) }
    func encode(_ value: UInt64, forKey key: Key) { add(.unsigned(value), key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      add(try JSONValueEncoder.value(of: value), key)
    }

    // By default these encode nothing if there is no value.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { add(value.map { .bool($0) }, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { add(value.map { .string($0) }, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { add(value.map { .number($0) }, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) {
      add(value.map { .integer(Int64($0)) }, key)
    }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { add(value.map { .integer($0) }, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) {
      add(value.map { .unsigned($0) }, key)
    }
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
      if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      superEncoder(forKey: key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      superEncoder(forKey: key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { superEncoder(named: "super") }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(named: key.stringValue) }

    private func superEncoder(named name: String) -> JSONValueEncoder {
      encoder.members.append((name, .null))
      return encoder.nested(in: encoder.members.count - 1)
    }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.elements.count }

    func encodeNil() { encoder.elements.append(.null) }
    func encode<T: Encodable>(_ value: T) throws {
      encoder.elements.append(try JSONValueEncoder.value(of: value))
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      superEncoder().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      superEncoder().unkeyedContainer()
    }
    func superEncoder() -> any Encoder {
      encodeNil()
      return encoder.nested(in: count - 1)
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.single = .null }
    func encode(_ value: Bool) { encoder.single = .bool(value) }
    func encode(_ value: String) { encoder.single = .string(value) }
    func encode(_ value: Double) { encoder.single = .number(value) }
    func encode(_ value: Int) { encoder.single = .integer(Int64(value)) }
    func encode(_ value: Int64) { encoder.single = .integer(value) }
    func encode(_ value: UInt64) { encoder.single = .unsigned(value) }
    func encode<T: Encodable>(_ value: T) throws {
      // Numbers of other sizes call back with themselves.
      if T.self != TimeSpan.self, let number = value as? any BinaryInteger {
        encoder.single = .integer(Int64(clamping: number))
      } else if T.self != TimeSpan.self, let number = value as? any BinaryFloatingPoint {
        encoder.single = .number(Double(number))
      } else {
        encoder.single = try JSONValueEncoder.value(of: value)
      }
    }
  }
}
