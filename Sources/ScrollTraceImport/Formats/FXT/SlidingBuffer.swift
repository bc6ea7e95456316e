/// The part of a source in memory: a window that moves along the source.
///
/// Its memory is bounded, whatever sizes the file contains (R7). Records start at multiples of
/// eight bytes in the file, and therefore in the window.
struct SlidingBuffer: ~Copyable {
  /// The size of the window: many chunks, and more than the largest record.
  static let capacity = 1 << 20

  private let source: any ByteSource
  private let block: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var hasEnded = false

  /// The offset of the window in the source.
  private(set) var offset: UInt64 = 0

  init(_ source: any ByteSource) {
    self.source = source
    block = .allocate(byteCount: Self.capacity, alignment: 64)
  }

  deinit { block.deallocate() }

  /// The bytes of the window; valid until the window changes.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[start..<end])
  }

  /// Returns the number of bytes from the window's start on, reading more if there are fewer than
  /// `wanted`. It is smaller than `wanted` only at the end of the source.
  mutating func fill(_ wanted: Int) throws(ImportError) -> Int {
    guard end - start < wanted, !hasEnded else { return end - start }
    let count = end - start
    if start > 0 {
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[start..<end]))
      start = 0
      end = count
    }
    while end < block.count, !hasEnded {
      let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[end...]))
      hasEnded = read <= 0
      end += max(0, min(read, block.count - end))
    }
    return end - start
  }

  /// Advances the window's start by `count` bytes, which are in it.
  mutating func advance(_ count: Int) {
    start += count
    offset += UInt64(count)
  }

  /// Advances the window's start by `count` bytes, reading more as needed, and returns the number
  /// of bytes advanced.
  mutating func skip(_ count: UInt64) throws(ImportError) -> UInt64 {
    var left = count
    while left > 0 {
      let available = try fill(1)
      guard available > 0 else { break }
      let step = Int(min(UInt64(available), left))
      advance(step)
      left -= UInt64(step)
    }
    return count - left
  }
}
