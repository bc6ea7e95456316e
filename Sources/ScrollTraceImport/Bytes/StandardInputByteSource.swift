/// The bytes of standard input, which can be a pipe; its path is `-`.
///
/// A class because it represents the state of a stream.
package final class StandardInputByteSource: ByteSource {
  /// Creates a source that starts at the current position of standard input.
  package init() {}

  /// `nil`, because a pipe has no size.
  package var byteCount: UInt64? { nil }

  /// Waits for the next bytes of standard input.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard buffer.count > 0 else { return 0 }
    return try readRetrying(0, into: buffer, count: buffer.count)
  }
}
