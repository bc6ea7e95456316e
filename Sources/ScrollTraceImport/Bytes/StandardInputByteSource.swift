/// The bytes of standard input, which can be a pipe; its path is `-`.
///
/// A class because it represents the state of a stream.
package final class StandardInputByteSource: ByteSource {
  private var start: ArraySlice<UInt8>

  /// Creates a source of `start`, which was read before, and of standard input from its current position.
  package init(after start: [UInt8] = []) {
    self.start = start[...]
  }

  /// Reads the first `count` bytes of standard input, fewer only at its end.
  package static func start(_ count: Int) throws(ImportError) -> [UInt8] {
    try PrefixedByteSource(StandardInputByteSource()).peek(count)
  }

  /// `nil`, because a pipe has no size.
  package var byteCount: UInt64? { nil }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard buffer.count > 0 else { return 0 }
    if !start.isEmpty {
      let first = start.prefix(buffer.count)
      buffer.copyBytes(from: first)
      start = start.dropFirst(first.count)
      return first.count
    }
    return try readRetrying(0, into: buffer, count: buffer.count)
  }
}
