internal import ScrollTraceFormat

/// The texts of one recording: each has one number, the same in all chunks (W5).
///
/// The bytes are copied once and never freed, since names that were given out point to them.
/// Numbers above `lastIndex` have no place in FXT's string table; such texts stand inline.
struct NameTable {
  /// The number of a text.
  typealias Number = UInt32

  /// The greatest number that is an index in the file.
  static var lastIndex: Number { 0x7FFF }
  /// The most texts that are kept apart.
  static var maximumCount: Int { 1 << 20 }
  /// The longest text, in bytes: six of them, the names of process and thread and the four of an
  /// event, fit into one chunk together.
  static var maximumLength: Int { 4_000 }

  private var texts: [UnsafeRawBufferPointer] = []
  private var numbers: [[UInt8]: Number] = [:]

  /// A table with the argument keys, whose numbers are fixed.
  init() {
    texts.append(UnsafeRawBufferPointer(start: nil, count: 0))
    numbers[[]] = 0
    for key in ArgumentKey.allCases {
      _ = number(
        of: UnsafeRawBufferPointer(start: key.text.utf8Start, count: key.text.utf8CodeUnitCount))
    }
  }

  /// How many numbers are given, that of the empty text included.
  var count: Int { texts.count }

  /// The number of a text, given now if it has none; `nil` where it is too long or there are too many.
  mutating func number(of bytes: UnsafeRawBufferPointer) -> Number? {
    guard bytes.count <= Self.maximumLength else { return nil }
    let text = [UInt8](bytes)
    if let number = numbers[text] { return number }
    guard texts.count < Self.maximumCount else { return nil }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyMemory(from: bytes)
    let number = Number(texts.count)
    texts.append(UnsafeRawBufferPointer(copy))
    numbers[text] = number
    return number
  }

  /// The bytes of a text.
  func bytes(of number: Number) -> UnsafeRawBufferPointer {
    texts[Int(number)]
  }
}
