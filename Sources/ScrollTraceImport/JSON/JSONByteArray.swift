/// The bytes that an array of JSON's numbers stands for, as Dart writes binary data.
///
/// A class because a byte source is one: it owns the position in the text. The array may be all of a
/// large file, so its bytes are given as they are read.
final class JSONByteArray: ByteSource {
  private var scanner: JSONScanner

  /// What is wrong with the text; the bytes before it were given.
  private(set) var fault: ScanFault?

  /// Whether the closing bracket was passed.
  private(set) var hasEnded = false

  private var hasBegun = false

  /// The bytes of the array at whose bracket `scanner` stands.
  init(_ scanner: consuming JSONScanner) {
    self.scanner = scanner
  }

  /// Gives the text back, which stands behind what was read.
  func giveBack(_ scanner: inout JSONScanner) { swap(&self.scanner, &scanner) }

  /// Unknown before all is read.
  var byteCount: UInt64? { nil }

  /// Reads the next bytes of the array; none behind a fault.
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

  /// The next byte; `nil` behind the last.
  private func next() throws(ScanFault) -> UInt8? {
    let first = try scanner.peek()
    if !hasBegun {
      hasBegun = true
      scanner.position += 1
      guard try scanner.peek() != UInt8(ascii: "]") else { return end() }
    } else if first == UInt8(ascii: ",") {
      scanner.position += 1
    } else if first == UInt8(ascii: "]") {
      return end()
    } else {
      throw scanner.fault("',' or ']' was expected")
    }
    return try passByte()
  }

  private func passByte() throws(ScanFault) -> UInt8 {
    _ = try scanner.peek()
    var place = scanner.position
    var value: UInt = 0
    var digits = 0
    while case let digit = try scanner.byte(at: &place) &- 0x30, digit < 10, digits < 4 {
      value = value * 10 + UInt(digit)
      digits += 1
      place += 1
    }
    guard digits > 0, let byte = UInt8(exactly: value) else {
      throw scanner.fault("a byte, 0 to 255, was expected")
    }
    scanner.position = place
    return byte
  }

  private func end() -> UInt8? {
    scanner.position += 1
    hasEnded = true
    return nil
  }
}
