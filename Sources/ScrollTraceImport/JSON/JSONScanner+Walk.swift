import ScrollTraceModel

/// Walking into objects and arrays of which only some values are looked at.
extension JSONScanner {
  /// Passes the mark that some editors put before a text.
  mutating func skipByteOrderMark() throws(ScanFault) {
    var place = 0
    if try require(3, at: &place), rawWord(at: 0) & 0xFF_FFFF == 0xBF_BBEF { position = 3 }
  }

  /// How long a member's name may be to be told.
  private static var longestName: Int { 512 }

  /// Passes a member's name and colon; an empty name for one that is too long to matter.
  mutating func passName() throws(ScanFault) -> String {
    guard try peek() == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
    anchor = position
    _ = try passString()
    let name = anchored[1..<(position - anchor - 1)]
    let text = name.count <= Self.longestName ? String(decoding: name, as: UTF8.self) : ""
    anchor = -1
    try passColon()
    return text
  }

  /// Passes the value that starts here; where it is an object, `body` passes each member's value.
  mutating func passMembers(
    _ body: (String, inout JSONScanner) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    guard try enters(UInt8(ascii: "{"), until: UInt8(ascii: "}")) else { return }
    repeat {
      let name = try passName()
      try body(name, &self)
    } while try goesOn(until: UInt8(ascii: "}"))
  }

  /// Passes the value that starts here, or each element where it is an array, by `body`.
  mutating func passOneOrMany(
    _ body: (inout JSONScanner) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    if try peek() == UInt8(ascii: "[") { try passElements(body) } else { try body(&self) }
  }

  /// Passes the value that starts here; where it is an array, `body` passes each element.
  mutating func passElements(
    _ body: (inout JSONScanner) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    guard try enters(UInt8(ascii: "["), until: UInt8(ascii: "]")) else { return }
    repeat { try body(&self) } while try goesOn(until: UInt8(ascii: "]"))
  }

  /// Passes the value that starts here, and gives what `body` makes of it.
  mutating func passView<Result>(_ body: (JSONView) -> Result) throws(ScanFault) -> Result {
    _ = try peek()
    anchor = position
    _ = try passValue()
    let value = anchored[..<(position - anchor)]
    defer { anchor = -1 }
    return body(JSONView(bytes: UnsafeRawBufferPointer(rebasing: value)))
  }

  /// Passes the value that starts here; where it is an array, gives its numbers and how many of its
  /// elements are none.
  mutating func passNumbers() throws(ScanFault) -> (values: [Double], otherCount: UInt64) {
    var values: [Double] = []
    var otherCount: UInt64 = 0
    try passElements { (scanner) throws(ScanFault) in
      if let value = try scanner.passView({ $0.double }) {
        values.append(value)
      } else {
        otherCount += 1
      }
    }
    return (values, otherCount)
  }

  /// Passes the value that starts here; where it is a text, gives its begin, which is enough of a name.
  mutating func passText() throws(ScanFault) -> String? {
    try passView { $0.text }.map { String($0.prefix(256)) }
  }

  /// Passes the white space behind the last value; a fault where something else follows.
  mutating func passEnd() throws(ScanFault) {
    guard try peek() == 0, isAtEnd else { throw fault("text after the end") }
  }

  /// Goes to the first value of the container that starts here; `false`, and all of it passed, where
  /// it has none or there is no such container.
  private mutating func enters(_ opening: UInt8, until closing: UInt8) throws(ScanFault) -> Bool {
    guard try peek() == opening else {
      _ = try passValue()
      return false
    }
    position += 1
    guard try peek() != closing else {
      position += 1
      return false
    }
    outerDepth += 1
    return true
  }

  /// Passes what stands behind a value; whether another one comes.
  private mutating func goesOn(until closing: UInt8) throws(ScanFault) -> Bool {
    switch try peek() {
    case UInt8(ascii: ","): position += 1
    case closing:
      position += 1
      outerDepth -= 1
      return false
    default:
      let isObject = closing == UInt8(ascii: "}")
      throw fault(isObject ? "',' or '}' was expected" : "',' or ']' was expected")
    }
    return true
  }

  /// Counts what a fault lost; throws it where nothing had been read before.
  ///
  /// - Parameter kept: What was read before; `nil` where that was nothing.
  func report(
    _ fault: ScanFault, keeping kept: String?, to builder: inout TraceBuilder
  ) throws(ImportError) {
    if fault.kind == .source, let failure { throw failure }
    guard let kept else {
      let what = fault.kind == .limit ? "is beyond the reader's limits" : "is no valid JSON"
      throw ImportError("\(what): \(fault.reason)", at: fault.offset)
    }
    builder.offset = fault.offset
    switch fault.kind {
    case .cutAtEnd:
      builder.countLoss(.cutAtEnd)
      builder.source.wasClosed = false
    case .limit: builder.countLoss(.limitReached)
    case .invalid, .source: builder.countLoss(.damagedBytes)
    }
    builder.addNotice(
      .source(
        "reading stopped at byte \(fault.offset): \(fault.reason); the \(kept) before are kept"))
  }
}
