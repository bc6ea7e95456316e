#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a source line by line out of one block.
struct LineReader: ~Copyable {
  /// How many bytes can be read behind each line, whatever they are.
  static let spareCount = 64

  private let source: any ByteSource
  private let limit: Int
  private let block: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var hasEnded = false
  private var blockOffset: UInt64 = 0

  /// The number of the line that was read last, from 1.
  private(set) var number = 0
  /// Where that line begins.
  private(set) var offset: UInt64 = 0
  /// Whether that line ends with the file and not with a line feed.
  private(set) var isUnfinished = false
  /// Whether that line was longer than the limit, and is given as empty.
  private(set) var isTooLong = false

  /// How many times as long as the part that was read the whole source is; 1 where nobody knows.
  private(set) var growth = 1.0

  /// A reader of lines of up to `limit` bytes.
  init(_ source: any ByteSource, limit: Int) {
    self.source = source
    self.limit = limit
    let room = max(1 << 18, limit + 64)
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: room + Self.spareCount, alignment: 64)
    block = UnsafeMutableRawBufferPointer(rebasing: memory[..<room])
  }

  deinit { block.deallocate() }

  /// The next line without its end; `nil` at the end of all.
  mutating func next() throws(ImportError) -> UnsafeRawBufferPointer? {
    isTooLong = false
    var searched = start
    while true {
      if let place = lineFeed(from: searched) {
        let line = take(from: start, to: place)
        start = place + 1
        return line
      }
      searched = end
      if hasEnded {
        guard start < end || isTooLong else { return nil }
        isUnfinished = true
        let line = take(from: start, to: end)
        start = end
        return line
      }
      if start == 0, end == block.count {
        // Longer than the block: the rest is passed over.
        isTooLong = true
        blockOffset += UInt64(end)
        end = 0
        searched = 0
      }
      let moved = start
      try fill()
      searched -= moved
    }
  }

  private mutating func take(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
    number += 1
    offset = blockOffset + UInt64(start)
    if end - start > limit { isTooLong = true }
    guard !isTooLong else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    var last = end
    if last > start, block[last - 1] == UInt8(ascii: "\r") { last -= 1 }
    var first = start
    if number == 1, last - first >= 3, block[first] == 0xEF, block[first + 1] == 0xBB,
      block[first + 2] == 0xBF
    {
      first += 3
    }
    return UnsafeRawBufferPointer(rebasing: block[first..<last])
  }

  private func lineFeed(from place: Int) -> Int? {
    guard place < end, let base = block.baseAddress,
      let found = memchr(base + place, 0x0A, end - place)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  private mutating func fill() throws(ImportError) {
    if start > 0 {
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[start..<end]))
      blockOffset += UInt64(start)
      end -= start
      start = 0
    }
    let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[end...]))
    hasEnded = got <= 0
    end += max(0, min(got, block.count - end))
    if let count = source.byteCount {
      growth = max(1, Double(count) / Double(max(1, blockOffset + UInt64(end))))
    }
  }
}
