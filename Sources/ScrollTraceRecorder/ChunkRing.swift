internal import ScrollTraceLayout

/// The chunks of a flight recorder that are used again: the one first that was closed first (W8).
struct ChunkRing {
  /// How many chunks there are at least before one is used again.
  let leastCount: Int
  /// How many chunks that are never used again may hold events.
  let durableLimit: Int
  /// How many chunks the ring has.
  private(set) var count = 0
  /// How many chunks that are never used again hold events.
  private(set) var durableCount = 0
  /// The chunks that nobody writes to, those before `head` left out, the oldest first.
  private var closed: [Closed] = []
  private var head = 0

  /// A chunk that nobody writes to any more.
  struct Closed {
    /// The chunk.
    var chunk: Int
    /// An instant behind everything it holds.
    var end: UInt64
  }

  /// The fewest chunks of a ring: about 128 KiB.
  static var smallest: Int { 4 }

  /// A ring of `bytes` bytes.
  init(bytes: Int) {
    leastCount = max(bytes / RecordingLayout.chunkSize, Self.smallest)
    durableLimit = max(leastCount / 2, 16)
  }

  /// How many chunks there are before one is used again: twice as many as `threads` that write, so
  /// that no thread has to use its last one again.
  func wantedCount(threads: Int) -> Int { max(leastCount, 2 * threads) }

  /// Adds a chunk of the file to the ring.
  mutating func grow() { count += 1 }

  /// Whether one more chunk may be never used again.
  var hasDurableRoom: Bool { durableCount < durableLimit }

  /// Adds a chunk that is never used again.
  mutating func growDurable() { durableCount += 1 }

  /// Takes note that nobody writes to `chunk` any more, whose events end before `end`.
  mutating func close(_ chunk: Int, end: UInt64) {
    closed.append(Closed(chunk: chunk, end: end))
  }

  /// Takes out the chunk that was closed first; `nil` where all are written to.
  mutating func takeOldest() -> Closed? {
    guard head < closed.count else { return nil }
    defer {
      head += 1
      if head > 64, head * 2 > closed.count {
        closed.removeFirst(head)
        head = 0
      }
    }
    return closed[head]
  }
}
