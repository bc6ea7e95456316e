internal import CImportShims

/// A view of one JSON value in memory.
///
/// It is meant for values that a scanner has passed; bytes that are not JSON give no result and do
/// no harm. It is valid only as long as the bytes are.
struct JSONView {
  /// The value, without surrounding white space; bytes after an object or array can follow.
  let bytes: UnsafeRawBufferPointer

  /// Returns what `body` makes of the only value in `bytes`, which errors call `noun`.
  static func read<Value>(
    _ bytes: [UInt8], as noun: String, _ body: (JSONView) throws(ImportError) -> Value
  ) throws(ImportError) -> Value {
    var scanner = JSONScanner(MemoryByteSource(bytes), blockSize: bytes.count)
    do throws(ScanFault) {
      _ = try scanner.passValue()
      try scanner.passEnd("text follows the value")
    } catch { throw ImportError("is not \(noun): \(error.reason)", at: error.offset) }
    let result: Result<Value, ImportError> = bytes.withUnsafeBytes { bytes in
      // JSON has a first and a last byte that is not white space.
      let start = bytes.firstIndex { $0 > 0x20 } ?? 0
      let end = (bytes.lastIndex { $0 > 0x20 } ?? start - 1) + 1
      let view = JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      return Result { () throws(ImportError) in try body(view) }
    }
    return try result.get()
  }

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

  /// The bytes between a string's quotes with escapes intact, or `nil` for anything else.
  var rawText: UnsafeRawBufferPointer? {
    guard bytes.count >= 2, bytes[0] == UInt8(ascii: "\"") else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
  }

  var text: String? {
    rawText.map { raw in
      kind == .plainString
        ? String(decoding: raw, as: UTF8.self)
        : String(decoding: JSONText.unescape(raw), as: UTF8.self)
    }
  }

  /// A whole number, which can also be written as a string.
  var integer: Int64? { JSONNumber.integer(rawText ?? bytes) }

  var double: Double? { kind == .number ? JSONNumber.double(bytes) : nil }

  func isText(_ text: StaticString) -> Bool {
    guard let raw = rawText else { return false }
    return raw.hasBytes(of: text) || (kind == .escapedString && self.text == "\(text)")
  }

  func member(_ name: StaticString) -> JSONView? {
    guard bytes.first == UInt8(ascii: "{") else { return nil }
    var index = 1
    while true {
      skipSeparators(at: &index)
      guard let key = nextValue(at: &index)?.rawText else { return nil }
      skipSeparators(at: &index)
      if key.hasBytes(of: name) { return openValue(at: &index) }
      guard nextValue(at: &index) != nil else { return nil }
    }
  }

  /// Returns the value at `index`; a container's end is not checked.
  private func openValue(at index: inout Int) -> JSONView? {
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[index...]))
    default: return nextValue(at: &index)
    }
  }

  /// Calls `body` with each member's name, with escapes intact, and value.
  @inline(__always)
  func forEachMember(_ body: (UnsafeRawBufferPointer, JSONView) -> Void) {
    guard bytes.first == UInt8(ascii: "{") else { return }
    var index = 1
    while true {
      skipSeparators(at: &index)
      guard let key = nextValue(at: &index)?.rawText else { return }
      skipSeparators(at: &index)
      guard let value = nextValue(at: &index) else { return }
      body(key, value)
    }
  }

  func forEachElement(_ body: (JSONView) -> Void) {
    guard bytes.first == UInt8(ascii: "[") else { return }
    var index = 1
    while true {
      skipSeparators(at: &index)
      guard let value = nextValue(at: &index) else { return }
      body(value)
    }
  }

  @inline(__always)
  private func skipSeparators(at index: inout Int) {
    while index < bytes.count, bytes[index].isSeparator { index &+= 1 }
  }

  /// Returns the value at `index`, which advances past it, or `nil` at the end of the container.
  @inline(__always)
  private func nextValue(at index: inout Int) -> JSONView? {
    guard index < bytes.count else { return nil }
    let start = index
    switch bytes[index] {
    case UInt8(ascii: "\""): skipString(at: &index)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard skipContainer(at: &index) else { return nil }
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return nil
    default:
      repeat { index &+= 1 } while index < bytes.count && !bytes[index].endsScalar
      // No value of a container extends to the end of the bytes.
      guard index < bytes.count else { return nil }
    }
    return JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
  }

  /// Passes an object or array; returns whether it ends.
  private func skipContainer(at index: inout Int) -> Bool {
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        skipString(at: &index)
        continue
      case UInt8(ascii: "{"): depth &+= 1
      case UInt8(ascii: "["):
        depth &+= 1
        index &+= 1
        if index < bytes.count, bytes[index].isDigit || bytes[index] == UInt8(ascii: "-") {
          skipNumbers(at: &index)
        }
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth &-= 1
        guard depth > 0 else {
          index &+= 1
          return true
        }
      default: break
      }
      index &+= 1
    }
    return false
  }

  /// Passes whole blocks of an array's numbers, up to its end or to anything but a number.
  private func skipNumbers(at index: inout Int) {
    guard let base = bytes.baseAddress else { return }
    while index &+ 64 <= bytes.count {
      let block = base + index
      let found =
        scrolltrace_mask_of(block, UInt8(ascii: "]"))
        | scrolltrace_mask_of(block, UInt8(ascii: "["))
        | scrolltrace_mask_of(block, UInt8(ascii: "{"))
        | scrolltrace_mask_of(block, UInt8(ascii: "}"))
        | scrolltrace_mask_of(block, UInt8(ascii: "\""))
      index &+= found == 0 ? 64 : found.trailingZeroBitCount
      guard found == 0 else { return }
    }
  }

  @inline(__always)
  private func skipString(at index: inout Int) {
    index = LineBytes.stringEnd(bytes, from: index &+ 1)
    while index < bytes.count, bytes[index] == UInt8(ascii: "\\") {
      index = LineBytes.stringEnd(bytes, from: index &+ 2)
    }
    index = min(index &+ 1, bytes.count)
  }
}

extension UInt8 {
  fileprivate var isSeparator: Bool {
    switch self {
    case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"): true
    default: false
    }
  }

  /// Whether a number or literal ends before this.
  fileprivate var endsScalar: Bool {
    isSeparator || self == UInt8(ascii: "}") || self == UInt8(ascii: "]")
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func hasBytes(of text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasPrefix(text)
  }

  @inline(__always)
  func hasPrefix(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] {
      return false
    }
    return true
  }
}

enum JSONKind: UInt8 {
  case missing
  /// A string without escapes, whose bytes are its text.
  case plainString
  case escapedString
  case number
  /// `true`, `false` or `null`.
  case literal
  case object
  case array

  var isString: Bool { self == .plainString || self == .escapedString }
}

enum JSONText {
  static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - 0x30)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - 0x57)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - 0x37)
    default: nil
    }
  }

  /// Returns the UTF-8 text of a string's `content` between the quotes.
  ///
  /// An unpaired surrogate becomes U+FFFD.
  static func unescape(_ content: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var index = 0
    while index < content.count {
      guard content[index] == UInt8(ascii: "\\"), index + 1 < content.count else {
        text.append(content[index])
        index += 1
        continue
      }
      let escape = content[index + 1]
      if escape == UInt8(ascii: "u") {
        appendUnicode(content, at: &index, to: &text)
      } else {
        text.append(character(of: escape))
        index += 2
      }
    }
    return text
  }

  private static func character(of escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: escape
    }
  }

  private static func appendUnicode(
    _ content: UnsafeRawBufferPointer, at index: inout Int, to text: inout [UInt8]
  ) {
    let first = codeUnit(content, at: index)
    index += 6
    var scalar = first.flatMap { Unicode.Scalar($0) }
    if let first, UTF16.isLeadSurrogate(first), let second = codeUnit(content, at: index),
      UTF16.isTrailSurrogate(second)
    {
      index += 6
      scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    }
    text.append(contentsOf: String(scalar ?? "\u{FFFD}").utf8)
  }

  private static func codeUnit(_ content: UnsafeRawBufferPointer, at index: Int) -> UInt16? {
    guard index + 6 <= content.count, content[index] == UInt8(ascii: "\\"),
      content[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for digitIndex in (index + 2)..<(index + 6) {
      guard let digit = hexDigit(content[digitIndex]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }
}
