internal import ScrollTraceLayout

/// The part of a source in memory: a window that moves along the source.
///
/// Its memory is bounded, whatever sizes the file contains (R7). Records start at multiples of
/// eight bytes in the file, and therefore in the window.
struct SlidingBuffer: ~Copyable {
  /// The size of the window: many chunks, and more than the largest record.
  static let capacity = 1 << 20

  /// The number of bytes that are read at once, which stay in a processor's cache until they are decoded.
  private static let step = 1 << 17

  private let source: any ByteSource
  private let block: Block
  private var start = 0
  private var end = 0
  private var hasEnded = false

  private(set) var offset: UInt64 = 0

  init(_ source: any ByteSource) {
    self.source = source
    block = Block.take()
  }

  deinit { block.giveBack() }

  /// The bytes of the window; valid until the window changes.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block.bytes)[start..<end])
  }

  /// Returns the number of bytes from the window's start on, reading more if there are fewer than
  /// `wanted`. It is smaller than `wanted` only at the end of the source.
  mutating func fill(_ wanted: Int) throws(ImportError) -> Int {
    guard end - start < wanted, !hasEnded else { return end - start }
    let count = end - start
    if start > 0 {
      block.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.bytes[start..<end]))
      start = 0
      end = count
    }
    let limit = min(max(wanted, Self.step), Self.capacity)
    while end < limit, !hasEnded {
      let read = try source.read(
        into: UnsafeMutableRawBufferPointer(rebasing: block.bytes[end..<limit]))
      hasEnded = read <= 0
      end += max(0, min(read, limit - end))
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

  /// The memory of a window. That of the last few is kept, because many files are read one after another.
  ///
  /// Unchecked, because one window uses it at a time.
  private struct Block: @unchecked Sendable {
    private static let unused = Locked<[Block]>([])
    private static let maximumUnused = 4

    let bytes: UnsafeMutableRawBufferPointer

    static func take() -> Block {
      unused.withLock { $0.popLast() }
        ?? Block(bytes: .allocate(byteCount: SlidingBuffer.capacity, alignment: 64))
    }

    func giveBack() {
      let isKept = Self.unused.withLock { unused in
        guard unused.count < Self.maximumUnused else { return false }
        unused.append(self)
        return true
      }
      if !isKept { bytes.deallocate() }
    }
  }
}
