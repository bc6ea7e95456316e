/// Where the bytes of a trace come from, read from start to end in blocks.
///
/// A class because a source owns what it reads from, a file descriptor or a stream's state.
package protocol ByteSource: AnyObject {
  /// Fills the front of `buffer` with the next bytes and gives their number; 0 at the end only.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int

  /// The number of bytes in all, or `nil` if the source does not know it in advance.
  var byteCount: UInt64? { get }

  /// Goes back to the first byte; `false`, and nothing done, where the source cannot.
  func rewind() throws(ImportError) -> Bool
}

extension ByteSource {
  /// Says that the source cannot go back, as a pipe cannot.
  package func rewind() throws(ImportError) -> Bool { false }
}

/// Bytes that are in memory already.
package final class MemoryByteSource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  /// A source of `bytes`.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes given.
  package var byteCount: UInt64? { UInt64(bytes.count) }

  /// Goes back to the first byte.
  package func rewind() throws(ImportError) -> Bool {
    position = 0
    return true
  }

  /// Copies the next bytes to the front of `buffer`.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    let count = min(buffer.count, bytes.count - position)
    guard count > 0 else { return 0 }
    buffer.copyBytes(from: bytes[position..<(position + count)])
    position += count
    return count
  }
}
