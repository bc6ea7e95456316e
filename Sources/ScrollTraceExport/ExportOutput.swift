import ScrollTraceModel

/// A buffer for the bytes of a file.
///
/// It stores the first write error and writes nothing afterwards. Callers check for it at the end,
/// and in long loops to stop early. Not copyable, because it owns its memory.
package struct ExportOutput: ~Copyable {
  /// The number of bytes written at a time: whole pages of the file, whose start and end the system would
  /// otherwise look up twice.
  private static let pieceSize = 1 << 17
  /// The room after a piece for a few numbers, so that only their start has to be checked.
  private static let numberSize = 64

  private let buffer: UnsafeMutableRawPointer
  private var count = 0
  private let write: (UnsafeRawBufferPointer) -> Int32

  /// The system's error number that stopped writing, or 0.
  package private(set) var errorNumber: Int32 = 0

  /// Creates an output with a function that writes bytes and returns 0 or the system's error
  /// number.
  package init(_ write: @escaping (UnsafeRawBufferPointer) -> Int32) {
    self.write = write
    buffer = .allocate(byteCount: Self.pieceSize + Self.numberSize, alignment: 64)
  }

  deinit { buffer.deallocate() }

  package var hasFailed: Bool { errorNumber != 0 }

  @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    guard bytes.count <= Self.pieceSize &- count else { return appendPieces(of: bytes) }
    (buffer + count).copyMemory(from: start, byteCount: bytes.count)
    count &+= bytes.count
  }

  @inline(__always)
  package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// Appends a text that is known when the program is compiled.
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if count >= Self.pieceSize { handOn() }
    buffer.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  package mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends what `body` writes, at most 64 bytes, of which it returns the number.
  @inline(__always)
  mutating func appendNumber(_ body: (UnsafeMutableRawPointer) -> Int) {
    if count > Self.pieceSize { handOn() }
    count &+= body(buffer + count)
  }

  /// Writes the remaining bytes and returns the system's error number, or 0.
  package mutating func finish() -> Int32 {
    while count > 0 { handOn() }
    return errorNumber
  }

  @inline(never)
  private mutating func appendPieces(of bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      if count >= Self.pieceSize { handOn() }
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize - count))
      UnsafeMutableRawBufferPointer(start: buffer + count, count: piece.count).copyMemory(
        from: piece)
      count += piece.count
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
    }
  }

  @inline(never)
  private mutating func handOn() {
    let piece = min(count, Self.pieceSize)
    if !hasFailed { errorNumber = write(UnsafeRawBufferPointer(start: buffer, count: piece)) }
    // Numbers may lie in the room after a piece.
    count -= piece
    buffer.copyMemory(from: buffer + piece, byteCount: count)
  }

  // MARK: - Numbers

  @inline(__always)
  package mutating func append(decimal number: UInt64) {
    appendNumber { DecimalDigits.write(number, to: $0) }
  }

  @inline(__always)
  package mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: number.magnitude)
  }

  /// Appends nanoseconds as microseconds with three decimals, which is exact.
  mutating func append(microseconds nanoseconds: Int64) {
    if nanoseconds < 0 { append(UInt8(ascii: "-")) }
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    append(decimal: whole)
    append(UInt8(ascii: "."))
    appendNumber { DecimalDigits.write(UInt32(rest), digits: 3, to: $0) }
  }

  /// Appends a finite number with the minimum number of digits that identify it, as its description
  /// does.
  package mutating func append(_ number: Double) {
    let magnitude = number.magnitude
    // A description of a larger or smaller number has an exponent.
    let isPlain = magnitude == 0 || (magnitude >= 0.001 && magnitude < 1e15)
    guard isPlain, let parts = DecimalParts(magnitude) else {
      return append(text: number.description)
    }
    if number.sign == .minus { append(UInt8(ascii: "-")) }
    append(decimal: parts.whole)
    append(UInt8(ascii: "."))
    appendNumber { DecimalDigits.write(parts.fraction, digits: parts.digits, to: $0) }
  }

  // MARK: - JSON

  mutating func appendJSON(_ text: String) { append(Self.quoted(text)) }

  /// Appends a number, or `null` if it is not finite.
  mutating func appendJSON(_ number: Double) {
    number.isFinite ? append(number) : append("null")
  }

  mutating func appendJSON(_ value: ArgumentValue, _ names: inout WrittenTexts) {
    switch value {
    case .integer(let number): append(decimal: number)
    case .unsigned(let number): append(decimal: number)
    case .double(let number): appendJSON(number)
    case .bool(let truth): truth ? append("true") : append("false")
    case .string(let id): names.append(id, to: &self)
    case .null: append("null")
    }
  }

  /// Returns `text` as a quoted JSON string.
  static func quoted(_ text: String) -> [UInt8] {
    let digits: StaticString = "0123456789abcdef"
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 2)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += "\\n".utf8
      case 0x09: bytes += "\\t".utf8
      case 0..<0x20, 0x7F:
        bytes += "\\u00".utf8
        bytes += [digits.utf8Start[Int(byte >> 4)], digits.utf8Start[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return bytes
  }
}
