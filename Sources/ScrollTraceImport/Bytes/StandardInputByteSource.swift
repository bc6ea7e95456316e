/// The bytes of standard input, which may be a pipe; the path `-` stands for it.
///
/// A class because it stands for the state of a stream.
package final class StandardInputByteSource: ByteSource {
  /// A source that goes on where standard input is.
  package init() {}

  /// Unknown: a pipe has no size.
  package var byteCount: UInt64? { nil }

  /// Waits for the next bytes of standard input.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard buffer.count > 0 else { return 0 }
    return try readRetrying(0, into: buffer, count: buffer.count)
  }
}
