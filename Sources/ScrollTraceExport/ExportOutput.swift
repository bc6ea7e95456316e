/// A buffer for the bytes of a file.
///
/// It stores the first write error and writes nothing afterwards. Callers check for it at the end,
/// and in long loops to stop early.
package struct ExportOutput {
  /// The number of bytes written at a time.
  private static let pieceSize = 1 << 16

  private var buffer: [UInt8] = []
  private let write: (UnsafeRawBufferPointer) -> Int32

  /// The system's error number that stopped writing, or 0.
  package private(set) var errorNumber: Int32 = 0

  /// The number of appended bytes.
  package private(set) var byteCount: UInt64 = 0

  /// Creates an output with a function that writes bytes and returns 0 or the system's error
  /// number.
  package init(_ write: @escaping (UnsafeRawBufferPointer) -> Int32) {
    self.write = write
    buffer.reserveCapacity(Self.pieceSize + 4096)
  }

  /// A Boolean value indicating whether an error stopped writing.
  package var hasFailed: Bool { errorNumber != 0 }

  /// Appends bytes.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    guard !hasFailed else { return }
    let before = buffer.count
    buffer.append(contentsOf: bytes)
    byteCount &+= UInt64(buffer.count - before)
    if buffer.count >= Self.pieceSize { handOn() }
  }

  /// Appends a byte.
  mutating func append(_ byte: UInt8) {
    guard !hasFailed else { return }
    buffer.append(byte)
    byteCount &+= 1
    if buffer.count >= Self.pieceSize { handOn() }
  }

  /// Appends `text` as UTF-8.
  package mutating func append(_ text: String) { append(text.utf8) }

  /// Writes the remaining bytes and returns the system's error number, or 0.
  package mutating func finish() -> Int32 {
    handOn()
    return errorNumber
  }

  private mutating func handOn() {
    guard !hasFailed, !buffer.isEmpty else { return }
    errorNumber = buffer.withUnsafeBytes(write)
    buffer.removeAll(keepingCapacity: true)
  }
}
