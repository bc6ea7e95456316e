/// A buffer for the bytes of a file.
///
/// It stores the first write error and writes nothing afterwards. Callers check for it at the end,
/// and in long loops to stop early. Not copyable, because it owns its memory.
package struct ExportOutput: ~Copyable {
  /// The number of bytes written at a time.
  private static let pieceSize = 1 << 16
  /// The room after a piece for a number, so that only its start has to be checked.
  private static let numberSize = 32

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

  /// A Boolean value indicating whether an error stopped writing.
  package var hasFailed: Bool { errorNumber != 0 }

  /// Appends bytes.
  @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    guard bytes.count <= Self.pieceSize &- count else { return appendPieces(of: bytes) }
    (buffer + count).copyMemory(from: start, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// Appends bytes.
  @inline(__always)
  package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// Appends a text that is known when the program is compiled.
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a byte.
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if count >= Self.pieceSize { handOn() }
    buffer.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Appends `text` as UTF-8.
  package mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends what `body` writes, at most 24 bytes, of which it returns the number.
  @inline(__always)
  mutating func appendNumber(_ body: (UnsafeMutableRawPointer) -> Int) {
    if count > Self.pieceSize { handOn() }
    count &+= body(buffer + count)
  }

  /// Writes the remaining bytes and returns the system's error number, or 0.
  package mutating func finish() -> Int32 {
    handOn()
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
    defer { count = 0 }
    guard !hasFailed, count > 0 else { return }
    errorNumber = write(UnsafeRawBufferPointer(start: buffer, count: count))
  }
}
