public import ScrollTraceImport
public import ScrollTraceReport

extension AnalysisResults {
  /// Creates the results in the text of a JSON report.
  ///
  /// ```swift
  /// let results = try AnalysisResults(json: text)
  /// print(results.runs.flatMap(\.surfaces).map(\.rating))
  /// ```
  ///
  /// Unknown keys are ignored. A missing key means an unknown value.
  public init(json text: String) throws(ImportError) {
    let document = try JSONDocument(text)
    guard document["schema"]?.text == Self.schema else {
      throw ImportError("is not a report of the schema \(Self.schema)")
    }
    do {
      try self.init(from: JSONDocumentDecoder(document))
    } catch let error as DecodingError {
      throw ImportError("is not a report: \(error.reason)")
    } catch {
      throw ImportError("is not a report")
    }
  }
}

extension DecodingError {
  /// What is wrong, after the path of its key.
  fileprivate var reason: String {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return "a value cannot be read"
    }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return path.joined(separator: ".") + ": " + context.debugDescription
  }
}

/// Decodes values from a JSON document without Foundation.
private struct JSONDocumentDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONDocument
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(_ value: JSONDocument, at path: [any CodingKey] = []) {
    (self.value, codingPath) = (value, path)
  }

  struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.members else { throw mismatch(Key.self, "an object was expected") }
    return KeyedDecodingContainer(Members(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.elements else { throw mismatch([Any].self, "an array was expected") }
    return Elements(decoder: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ type: Any.Type, _ problem: String) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: problem))
  }

  fileprivate func inner(_ value: JSONDocument, _ key: any CodingKey) -> JSONDocumentDecoder {
    JSONDocumentDecoder(value, at: codingPath + [key])
  }

  // MARK: - One value

  func decodeNil() -> Bool { if case .null = value { true } else { false } }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let flag) = value else { throw mismatch(type, "true or false was expected") }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard let text = value.text else { throw mismatch(type, "a string was expected") }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let number = value.double else { throw mismatch(type, "a number was expected") }
    return number
  }

  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // Numbers of other sizes would call back with themselves.
    if type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type {
      throw mismatch(type, "no number of this size can be read")
    }
    return try T(from: self)
  }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    guard case .number(_, let text) = value, let number = Number(text) else {
      throw mismatch(Number.self, "a whole number was expected")
    }
    return number
  }

  // MARK: - Several values

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONDocumentDecoder
    let members: [(name: String, value: JSONDocument)]
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { members.contains { $0.name == key.stringValue } }

    func decodeNil(forKey key: Key) throws -> Bool { try inner(key).decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try T(from: inner(key))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try inner(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try inner(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

    private func inner(_ key: Key) throws -> JSONDocumentDecoder {
      guard let member = members.first(where: { $0.name == key.stringValue }) else {
        throw DecodingError.keyNotFound(
          key,
          .init(codingPath: codingPath, debugDescription: "'\(key.stringValue)' is missing"))
      }
      return decoder.inner(member.value, key)
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let decoder: JSONDocumentDecoder
    let elements: [JSONDocument]
    private(set) var currentIndex = 0

    init(decoder: JSONDocumentDecoder, elements: [JSONDocument]) {
      (self.decoder, self.elements) = (decoder, elements)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
      guard try inner().decodeNil() else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      let value = try T(from: inner())
      currentIndex += 1
      return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
      let decoder = try inner()
      currentIndex += 1
      return decoder
    }

    private func inner() throws -> JSONDocumentDecoder {
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          Any.self, .init(codingPath: codingPath, debugDescription: "an element is missing"))
      }
      return decoder.inner(elements[currentIndex], Index(intValue: currentIndex))
    }
  }
}
