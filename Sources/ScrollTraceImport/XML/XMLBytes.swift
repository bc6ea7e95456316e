/// Bytes that are put together piece by piece, for what does not lie in one piece in a file.
///
/// Views of them hold until they are changed.
struct XMLBytes: ~Copyable {
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 16)

  /// How many there are.
  private(set) var count = 0

  deinit { buffer.deallocate() }

  /// The bytes.
  var all: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  /// The bytes in `range`, which must be there.
  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: all[range])
  }

  /// Adds a byte.
  mutating func append(_ byte: UInt8) {
    makeRoom(1)
    buffer[count] = byte
    count += 1
  }

  /// Adds bytes.
  mutating func append(_ more: UnsafeRawBufferPointer) {
    makeRoom(more.count)
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: more)
    count += more.count
  }

  /// Leaves only the first `kept` bytes.
  mutating func cut(to kept: Int) { count = min(count, max(0, kept)) }

  private mutating func makeRoom(_ added: Int) {
    guard buffer.count - count < added else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(buffer.count * 2, count + added), alignment: 16)
    larger.copyMemory(from: all)
    buffer.deallocate()
    buffer = larger
  }
}
