/// The part of a source that is in memory: a block that moves along it.
///
/// Its memory is bounded whatever the file says of sizes (R7). Records start at multiples of eight
/// bytes of the file, and so they do in the block.
struct SlidingBuffer: ~Copyable {
  /// The size of the block; many chunks, and more than the largest record.
  static let capacity = 1 << 20

  private let source: any ByteSource
  private let block: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var hasEnded = false

  /// Where in the source the window begins.
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

  /// How many bytes there are from the window's begin on, reading on where they are fewer than
  /// `wanted`; fewer only at the end of the source.
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

  /// Moves the window's begin over `count` bytes that are in it.
  mutating func advance(_ count: Int) {
    start += count
    offset += UInt64(count)
  }

  /// Moves the window's begin over `count` bytes, reading on as needed, and gives how many there were.
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
