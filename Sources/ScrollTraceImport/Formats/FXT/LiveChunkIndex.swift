internal import ScrollTraceLayout

/// Which chunks of a growing file have begun, and which of them nobody has read yet.
struct LiveChunkIndex {
  /// How many slots behind the last chunk are looked at: as many threads may have taken one and not
  /// begun it, and the next ones may have.
  private static let maximumGaps = 64
  /// How many slots are looked at in one go.
  private static let maximumProbes = 4096

  /// A chunk that nobody has read yet.
  struct Waiting {
    let slot: Int
    let sequence: UInt64
    let firstTick: UInt64
  }

  /// A writer of chunks: a thread, but the system's number of one that ended is used again.
  private struct Writer: Hashable {
    let process: UInt64
    let provider: UInt64

    init(_ chunk: FXTChunk) {
      process = chunk.process
      provider = chunk.provider
    }
  }

  private let file: LiveFile
  /// The chunks that have begun and of which nothing has been read, descending by number, so that the
  /// next one is the last.
  private(set) var waiting: [Waiting] = []
  /// What each slot held when it was looked at last: the number of the chunk.
  private var known: [Int: UInt64] = [:]
  private var latest: [Writer: UInt64] = [:]
  /// The first slot that has never held a chunk.
  private var firstFree = 0
  /// How many chunks had been used again when it was looked last.
  private var reuses: UInt64
  /// How many chunks had been used again, or were seen to be.
  private var seenReuses: UInt64
  /// Whether chunks that were used again have been looked for since nothing more comes.
  private var hasLookedLast = false

  /// Creates the index of a file in which `reuses` chunks had been used again.
  init(_ file: LiveFile, reuses: UInt64) {
    self.file = file
    self.reuses = reuses
    seenReuses = reuses
  }

  /// Whether the file has slots that have not been looked at.
  var hasUnknown: Bool { LiveChunk.offset(ofSlot: firstFree) < file.size }

  /// Whether the thread of `chunk` has gone on in another one.
  func isSucceeded(_ chunk: FXTChunk) -> Bool {
    latest[Writer(chunk)].map { chunk.threadSequence < $0 } ?? false
  }

  /// Takes the chunk that waits with the lowest number, or returns `nil` if there is none.
  mutating func takeNext() -> Waiting? { waiting.popLast() }

  /// The number of the chunk that is at `slot` now, or `nil` if none has begun.
  func sequence(ofSlot slot: Int) throws(ImportError) -> UInt64? {
    let bytes = try preamble(ofSlot: slot)
    guard !bytes.starts(with: FXTFileReader.padBytes) else { return nil }
    return bytes.withUnsafeBytes { FXTChunk($0)?.sequence ?? .max }
  }

  private func preamble(ofSlot slot: Int) throws(ImportError) -> [UInt8] {
    try file.bytes(
      at: LiveChunk.offset(ofSlot: slot), count: RecordingLayout.chunkPreambleSize)
  }

  // MARK: - Finding chunks

  /// Looks for chunks that have begun since the last time, behind those that are known.
  ///
  /// - Parameter isFinal: Whether nothing more comes.
  mutating func findChunks(isFinal: Bool) throws(ImportError) {
    let size = file.size
    var gaps = 0
    var slot = firstFree
    var found = false
    // Chunks that are used again lie in no order, so that all have to be known.
    let maximum = reuses > 0 ? Int.max : Self.maximumProbes
    for _ in 0..<maximum {
      guard gaps < Self.maximumGaps || isFinal, LiveChunk.offset(ofSlot: slot) < size else { break }
      if known[slot] == nil {
        if try find(slot, isFinal: isFinal) { found = true } else { gaps += 1 }
      }
      slot += 1
      while firstFree < slot, known[firstFree] != nil { firstFree += 1 }
    }
    if isFinal, gaps > 0 { firstFree = slot }
    if found { waiting.sort { ($0.sequence, $0.slot) > ($1.sequence, $1.slot) } }
  }

  /// Whether a chunk has begun at `slot`; it then waits to be read.
  private mutating func find(_ slot: Int, isFinal: Bool) throws(ImportError) -> Bool {
    let bytes = try preamble(ofSlot: slot)
    let isPad = bytes.starts(with: FXTFileReader.padBytes.prefix(bytes.count))
    guard !isPad, !bytes.isEmpty else { return false }
    let startsFile = bytes.withUnsafeBytes {
      $0.count >= 8 && $0.word(at: 0) == RecordingLayout.magic
    }
    guard !startsFile else {
      throw ImportError(
        "cannot be watched, because a second recording follows",
        at: LiveChunk.offset(ofSlot: slot), advice: "give each recording its own file")
    }
    let chunk = bytes.withUnsafeBytes { FXTChunk($0) }
    // What is no chunk may become one, until nothing more comes.
    guard chunk != nil || isFinal else { return false }
    let sequence = chunk?.sequence ?? .max
    known[slot] = sequence
    if let chunk { latest[Writer(chunk)] = max(latest[Writer(chunk)] ?? 0, chunk.threadSequence) }
    waiting.append(
      Waiting(slot: slot, sequence: sequence, firstTick: chunk?.firstTick ?? .max))
    return true
  }

  // MARK: - Chunks that were used again

  /// Returns the slots whose chunks were used again since the last time (W8).
  ///
  /// - Parameters:
  ///   - count: How many chunks of the file have been used again.
  ///   - isFinal: Whether nothing more comes.
  mutating func findReused(count: UInt64, isFinal: Bool) throws(ImportError) -> [Int] {
    let isLast = isFinal && !hasLookedLast && count > 0
    guard count != reuses || isLast else { return [] }
    hasLookedLast = isFinal
    reuses = count
    var reused: [Int] = []
    for slot in known.keys.sorted() where try sequence(ofSlot: slot) != known[slot] {
      reused.append(slot)
    }
    return reused
  }

  /// Forgets the chunk at `slot`, where another one is or will be.
  ///
  /// - Returns: The number of the chunk, and whether nothing of it had been read.
  mutating func leave(_ slot: Int) -> (sequence: UInt64?, wasWaiting: Bool) {
    let sequence = known[slot]
    let wasWaiting = waiting.contains { $0.slot == slot }
    waiting.removeAll { $0.slot == slot }
    known[slot] = nil
    firstFree = min(firstFree, slot)
    seenReuses += 1
    return (sequence, wasWaiting)
  }

  /// Returns whether more chunks came and went between two looks than were seen.
  mutating func missedReuses() -> Bool {
    guard seenReuses < reuses else { return false }
    seenReuses = reuses
    return true
  }
}
