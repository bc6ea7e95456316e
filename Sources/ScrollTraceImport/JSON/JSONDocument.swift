/// A tree of a small JSON file that a person or the tool itself wrote.
///
/// Traces are never read this way, because they are too large.
package enum JSONDocument: Sendable {
  case null
  case bool(Bool)
  /// A number, and how it is written, because a large whole number may be no `Double`.
  case number(Double, text: String)
  case string(String)
  case array([JSONDocument])
  case object([(name: String, value: JSONDocument)])

  private static let maximumDepth = 16

  package init(_ text: String) throws(ImportError) {
    self = try JSONView.read(Array(text.utf8), as: "JSON") { view throws(ImportError) in
      try JSONDocument(view, depth: 0)
    }
  }

  /// The member named `name` of an object, or `nil` for anything else.
  package subscript(_ name: String) -> JSONDocument? { members?.first { $0.name == name }?.value }

  package var members: [(name: String, value: JSONDocument)]? {
    if case .object(let members) = self { members } else { nil }
  }

  package var elements: [JSONDocument]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }

  package var double: Double? { if case .number(let value, _) = self { value } else { nil } }

  // Recursion is bounded by `maximumDepth`.
  private init(_ view: JSONView, depth: Int) throws(ImportError) {
    guard depth <= Self.maximumDepth else { throw ImportError("is nested too deeply") }
    switch view.kind {
    case .plainString, .escapedString: self = .string(view.text ?? "")
    case .number:
      guard let value = view.double else { throw ImportError("a number is too large") }
      self = .number(value, text: String(decoding: view.bytes, as: UTF8.self))
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

/// The bytes in a JSON array of numbers, as Dart writes binary data.
///
/// A class because byte sources are classes; it owns the position in the text. The array can fill a
/// large file, so its bytes are provided while they are read.
final class JSONByteArray: ByteSource {
  private var scanner: JSONScanner

  /// The fault in the text; the bytes before it were provided.
  private(set) var fault: ScanFault?

  /// Whether the closing bracket was passed.
  private(set) var hasEnded = false

  private var hasBegun = false

  /// Creates the bytes of the array at whose bracket `scanner` is.
  init(_ scanner: consuming JSONScanner) { self.scanner = scanner }

  /// Returns the scanner, which is after the bytes already read.
  func giveBack(_ scanner: inout JSONScanner) { swap(&self.scanner, &scanner) }

  /// `nil`, because the number is unknown before all bytes are read.
  var byteCount: UInt64? { nil }

  /// Reads the next bytes of the array, but none after a fault.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard !hasEnded, fault == nil else { return 0 }
    var count = 0
    do throws(ScanFault) {
      while count < buffer.count, let byte = try next() {
        buffer[count] = byte
        count += 1
      }
    } catch {
      if error.kind == .source, let failure = scanner.failure { throw failure }
      fault = error
    }
    return count
  }

  /// Returns the next byte, or `nil` after the last.
  private func next() throws(ScanFault) -> UInt8? {
    let (isFirst, closing) = (!hasBegun, UInt8(ascii: "]"))
    hasBegun = true
    let hasByte =
      try isFirst
      ? scanner.enters(UInt8(ascii: "["), until: closing) : scanner.goesOn(until: closing)
    hasEnded = !hasByte
    return hasByte ? try passByte() : nil
  }

  private func passByte() throws(ScanFault) -> UInt8 {
    _ = try scanner.peek()
    var index = scanner.position
    var value: UInt = 0
    var digits = 0
    while case let digit = try scanner.byte(at: &index) &- 0x30, digit < 10, digits < 4 {
      value = value * 10 + UInt(digit)
      digits += 1
      index += 1
    }
    guard digits > 0, let byte = UInt8(exactly: value) else {
      throw scanner.fault("a byte, 0 to 255, was expected")
    }
    scanner.position = index
    return byte
  }
}
