/// Takes the bytes of a file in small pieces and hands them on in large ones.
///
/// The first error of what it writes to is kept, and nothing is handed on after it: whoever writes
/// asks for it at the end, and in long loops, so as not to go on in vain.
package struct ExportOutput {
  /// How many bytes are handed on at once.
  private static let pieceSize = 1 << 16

  private var buffer: [UInt8] = []
  private let write: (UnsafeRawBufferPointer) -> Int32

  /// The number of the system's error that stopped the writing; 0 where there was none.
  package private(set) var errorNumber: Int32 = 0

  /// How many bytes were taken.
  package private(set) var byteCount: UInt64 = 0

  /// An output whose bytes go to `write`, which gives 0 or the system's error number.
  package init(_ write: @escaping (UnsafeRawBufferPointer) -> Int32) {
    self.write = write
    buffer.reserveCapacity(Self.pieceSize + 4096)
  }

  /// Whether the writing was stopped by an error.
  package var hasFailed: Bool { errorNumber != 0 }

  /// Takes `bytes`.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    guard !hasFailed else { return }
    let before = buffer.count
    buffer.append(contentsOf: bytes)
    byteCount &+= UInt64(buffer.count - before)
    if buffer.count >= Self.pieceSize { handOn() }
  }

  /// Takes one byte.
  mutating func append(_ byte: UInt8) {
    guard !hasFailed else { return }
    buffer.append(byte)
    byteCount &+= 1
    if buffer.count >= Self.pieceSize { handOn() }
  }

  /// Takes `text` as UTF-8.
  mutating func append(_ text: String) { append(text.utf8) }

  /// Hands on what is left, and gives the number of the system's error, or 0.
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
