/// A look into one JSON value whose bytes are at hand.
///
/// Meant for values that a scanner has passed; bytes that are no JSON give nothing, and no harm.
/// Valid only as long as the bytes are.
struct JSONView {
  /// The value, without white space around it.
  let bytes: UnsafeRawBufferPointer

  /// What the value is, by its first byte.
  var kind: JSONKind {
    guard let first = bytes.first else { return .missing }
    switch first {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""):
      return bytes.contains(UInt8(ascii: "\\")) ? .escapedString : .plainString
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: return .literal
    }
  }

  /// The bytes between a string's quotes, escapes as they are; `nil` for anything else.
  var rawText: UnsafeRawBufferPointer? {
    guard bytes.count >= 2, bytes[0] == UInt8(ascii: "\"") else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
  }

  /// A string's text; `nil` for anything else.
  var text: String? {
    rawText.map { raw in
      kind == .plainString
        ? String(decoding: raw, as: UTF8.self)
        : String(decoding: JSONText.unescape(raw), as: UTF8.self)
    }
  }

  /// A whole number, also one that is written as a string.
  var integer: Int64? { JSONNumber.integer(rawText ?? bytes) }

  /// A number.
  var double: Double? { kind == .number ? JSONNumber.double(bytes) : nil }

  /// The value of the member called `name`; `nil` where there is none.
  func member(_ name: StaticString) -> JSONView? {
    let wanted = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var found: JSONView?
    forEachMember { key, value in
      guard key.elementsEqual(wanted) else { return true }
      found = value
      return false
    }
    return found
  }

  /// Calls `body` with each member's name, escapes as they are, and value, until it says `false`.
  func forEachMember(_ body: (UnsafeRawBufferPointer, JSONView) -> Bool) {
    guard bytes.first == UInt8(ascii: "{") else { return }
    var index = 1
    while true {
      skipSeparators(at: &index)
      guard let key = nextValue(at: &index)?.rawText else { return }
      skipSeparators(at: &index)
      guard let value = nextValue(at: &index), body(key, value) else { return }
    }
  }

  /// Calls `body` with each element of an array.
  func forEachElement(_ body: (JSONView) -> Void) {
    guard bytes.first == UInt8(ascii: "[") else { return }
    var index = 1
    while true {
      skipSeparators(at: &index)
      guard let value = nextValue(at: &index) else { return }
      body(value)
    }
  }

  private func skipSeparators(at index: inout Int) {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"): index += 1
      default: return
      }
    }
  }

  /// The value at `index`, which moves past it; `nil` at the end of the container.
  private func nextValue(at index: inout Int) -> JSONView? {
    let start = index
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): skipString(at: &index)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return value(from: start, to: index) }
        depth -= 1
        index += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
        if depth == 0 { return value(from: start, to: index) }
        index += 1
        continue
      default:
        index += 1
        continue
      }
      if depth == 0 { return value(from: start, to: index) }
    }
    return nil
  }

  private func skipString(at index: inout Int) {
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index + 1, bytes.count)
  }

  private func value(from start: Int, to end: Int) -> JSONView? {
    guard start < end else { return nil }
    return JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
  }
}
