/// The source of a trace's bytes, read from start to end in blocks.
///
/// A class because a source owns a file descriptor or the state of a stream.
package protocol ByteSource: AnyObject {
  /// Fills the front of `buffer` with the next bytes and returns their number, which is 0 only at
  /// the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int

  /// The total number of bytes, or `nil` if it is not known in advance.
  var byteCount: UInt64? { get }

  /// Returns to the first byte; returns `false` and changes nothing if the source cannot.
  func rewind() throws(ImportError) -> Bool
}

extension ByteSource {
  package func rewind() throws(ImportError) -> Bool { false }
}

package final class MemoryByteSource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var byteCount: UInt64? { UInt64(bytes.count) }

  package func rewind() throws(ImportError) -> Bool {
    position = 0
    return true
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    let count = min(buffer.count, bytes.count - position)
    guard count > 0 else { return 0 }
    buffer.copyBytes(from: bytes[position..<(position + count)])
    position += count
    return count
  }
}
