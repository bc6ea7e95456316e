/// A small JSON file that a person or the tool itself wrote, as a tree.
///
/// Traces are never read this way: they are too large.
package enum JSONDocument: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONDocument])
  case object([(name: String, value: JSONDocument)])

  /// How deep values may be nested.
  private static let maximumDepth = 16

  /// The value that `text` is.
  package init(_ text: String) throws(ImportError) {
    let bytes = Array(text.utf8)
    try Self.check(bytes)
    let value: Result<JSONDocument, ImportError> = bytes.withUnsafeBytes { bytes in
      // What is JSON has a first and a last byte that is no white space.
      let start = bytes.firstIndex { $0 > 0x20 } ?? 0
      let end = (bytes.lastIndex { $0 > 0x20 } ?? start - 1) + 1
      let view = JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      do throws(ImportError) {
        return .success(try JSONDocument(view, depth: 0))
      } catch {
        return .failure(error)
      }
    }
    self = try value.get()
  }

  /// The member called `name` of an object; `nil` for anything else.
  package subscript(_ name: String) -> JSONDocument? {
    members?.first { $0.name == name }?.value
  }

  /// The members of an object.
  package var members: [(name: String, value: JSONDocument)]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array.
  package var elements: [JSONDocument]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text of a string.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A number.
  package var double: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  private static func check(_ bytes: [UInt8]) throws(ImportError) {
    var scanner = JSONScanner(MemoryByteSource(bytes))
    do throws(ScanFault) {
      _ = try scanner.passValue()
      let next = try scanner.peek()
      guard next == 0, scanner.isAtEnd else { throw scanner.fault("something follows the value") }
    } catch {
      throw ImportError("is no JSON: \(error.reason)", at: error.offset)
    }
  }

  // Recursion is bounded by `maximumDepth`.
  private init(_ view: JSONView, depth: Int) throws(ImportError) {
    guard depth <= Self.maximumDepth else { throw ImportError("is nested too deeply") }
    switch view.kind {
    case .plainString, .escapedString: self = .string(view.text ?? "")
    case .number:
      guard let value = view.double else { throw ImportError("holds a number that is too large") }
      self = .number(value)
    case .array:
      var views: [JSONView] = []
      view.forEachElement { views.append($0) }
      var elements: [JSONDocument] = []
      for view in views { elements.append(try JSONDocument(view, depth: depth + 1)) }
      self = .array(elements)
    case .object: self = .object(try Self.members(of: view, depth: depth))
    case .literal, .missing:
      self = view.bytes.hasBytes(of: "null") ? .null : .bool(view.bytes.hasBytes(of: "true"))
    }
  }

  private static func members(
    of view: JSONView, depth: Int
  ) throws(ImportError) -> [(name: String, value: JSONDocument)] {
    var views: [(String, JSONView)] = []
    view.forEachMember { name, value in
      views.append((String(decoding: JSONText.unescape(name), as: UTF8.self), value))
      return true
    }
    var members: [(name: String, value: JSONDocument)] = []
    var names: Set<String> = []
    for (name, view) in views {
      guard names.insert(name).inserted else { throw ImportError("has '\(name)' twice") }
      members.append((name, try JSONDocument(view, depth: depth + 1)))
    }
    return members
  }
}
