internal import ScrollTraceLayout
internal import ScrollTraceModel

/// Which chunks of a recording were read, to count those that are missing or have no seal.
struct FXTChunkLedger {
  private struct Seen {
    var offset: UInt64
    /// Whether its seal is right, or it was read before the recording was finished, which seals it.
    var isSealed = false
    /// The thread and the chunk's number among its chunks, or `nil` if it belongs to none.
    var owner: (thread: UInt32, number: UInt64)?
  }

  private struct Sequence {
    var highest: UInt64 = 0
    var count: UInt64 = 0
    var drops: UInt64 = 0
    var firstOffset: UInt64
    /// The times from the start of each chunk to its latest event, by its number.
    var times: [UInt64: (first: UInt64, last: UInt64)] = [:]

    /// The number of chunks missing between others.
    var gap: UInt64 {
      let total = highest.saturatingAdd(1)
      return total - min(total, count)
    }

    mutating func add(_ chunk: FXTChunk, until latest: UInt64) {
      highest = max(highest, chunk.threadSequence)
      count += 1
      drops = max(drops, chunk.threadDrops)
      times[chunk.threadSequence] = (chunk.firstTick, max(chunk.firstTick, latest))
    }
  }

  /// The chunks read so far, by their number in the recording.
  private var seen: [UInt64: Seen] = [:]
  private var sequences: [UInt32: Sequence] = [:]
  /// The number of chunks rejected because their checksums do not match.
  private(set) var rejectedCount: UInt64 = 0

  var count: UInt64 { sequences.values.reduce(0) { $0 &+ $1.count } }

  /// Adds a chunk at `offset`, of the thread with number `thread` unless it belongs to none.
  ///
  /// - Parameter latest: The time of its latest event.
  mutating func add(
    _ chunk: FXTChunk, of thread: UInt32?, at offset: UInt64, until latest: UInt64
  ) {
    let owner = thread.map { (thread: $0, number: chunk.threadSequence) }
    seen[chunk.sequence] = Seen(offset: offset, owner: owner)
    guard let thread else { return }
    sequences[thread, default: Sequence(firstOffset: offset)].add(chunk, until: latest)
  }

  /// Adds a chunk whose checksum does not match: any of its records can be wrong (R12).
  mutating func reject(_ chunk: FXTChunk?) {
    if let chunk, chunk.isShared || chunk.holdsStacks { return }
    rejectedCount += 1
  }

  /// Stores whether the seal of the chunk with number `number` is right.
  mutating func setSealed(_ isSealed: Bool, _ number: UInt64) { seen[number]?.isSealed = isSealed }

  /// Returns whether the chunk with number `number` has a valid seal, or `nil` if it was not read.
  func isSealed(_ number: UInt64) -> Bool? { seen[number]?.isSealed }

  /// Forgets chunks so old that they do not come again.
  mutating func forgetOld() {
    guard seen.count > 1 << 16, let latest = seen.keys.max() else { return }
    let first = latest - min(latest, 1 << 15)
    seen = seen.filter { $0.key >= first }
    for (thread, sequence) in sequences {
      let oldest = sequence.highest - min(sequence.highest, 1 << 15)
      sequences[thread]?.times = sequence.times.filter { $0.key >= oldest }
    }
  }

  // MARK: - Missing times

  /// The number of chunks missing between others of their threads.
  var gapCount: UInt64 {
    sequences.values.reduce(0) { $0.saturatingAdd($1.gap) }
  }

  /// The times of which chunks are missing between others of their thread, by thread and then by time.
  ///
  /// - Parameter kept: The time from which a flight recorder has retained everything, or 0.
  func holes(keptSince kept: UInt64) -> [(thread: UInt32, range: TimeRange)] {
    var holes: [(thread: UInt32, range: TimeRange)] = []
    for (thread, sequence) in sequences.sorted(by: { $0.key < $1.key }) {
      guard sequence.count <= sequence.highest else { continue }
      var (next, last) = (UInt64.max, UInt64(0))
      for (number, times) in sequence.times.sorted(by: { $0.key < $1.key }) {
        if number > next, let from = Timestamp(max(last, kept)), let to = Timestamp(times.first),
          from < to
        {
          holes.append((thread, TimeRange(start: from, end: to)))
        }
        (next, last) = (number.saturatingAdd(1), max(last, times.last))
      }
    }
    return holes
  }

  // MARK: - At the end of the file

  /// Counts what is missing.
  ///
  /// - Parameters:
  ///   - session: What the file says of itself.
  ///   - byteCount: The number of bytes of the file, if it is known.
  func countMissing(
    _ session: FXTSession?, byteCount: UInt64?, _ trace: inout FXTTrace
  ) {
    let cut = session.map { Self.countCut($0, byteCount, &trace) } ?? 0
    // The gaps in the numbers of each thread's chunks, except those a flight recorder reused.
    var missing = gapCount
    missing -= min(missing, session?.chunksOverwritten ?? 0)
    missing -= min(missing, rejectedCount)
    if cut > missing {
      trace.lose(.missingChunk, cut, at: byteCount ?? 0)
    } else if let first = sequences.filter({ $0.value.gap > 0 }).min(by: { $0.key < $1.key }) {
      trace.lose(.missingChunk, missing, at: first.value.firstOffset)
    }
    if let session { countMissingSeals(session, &trace) }
  }

  /// Returns the number of whole chunks the finished file lacks at its end (F-8), and counts a
  /// truncated last one.
  private static func countCut(
    _ session: FXTSession, _ byteCount: UInt64?, _ trace: inout FXTTrace
  ) -> UInt64 {
    if session.hasWrongSize {
      trace.lose(
        .invalidValue,
        at: UInt64(RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.finishedSize))
    }
    guard let byteCount, byteCount < session.finishedSize else { return 0 }
    let missing = session.finishedSize - byteCount
    let size = UInt64(RecordingLayout.chunkSize)
    if missing % size > 0, !trace.builder.hasLoss(.cutAtEnd) {
      trace.lose(.cutAtEnd, at: byteCount)
    }
    return missing / size
  }

  /// Counts the chunks of a finished recording whose seals are missing: all but the last of each thread
  /// had one (R12).
  private func countMissingSeals(_ session: FXTSession, _ trace: inout FXTTrace) {
    guard session.state == 1, session.sealsChunks else { return }
    let missing = seen.values.filter { chunk in
      guard !chunk.isSealed, let owner = chunk.owner,
        let last = sequences[owner.thread]?.highest
      else { return false }
      return owner.number < last
    }
    if let first = missing.map(\.offset).min() {
      trace.lose(.checksumMismatch, UInt64(missing.count), at: first)
    }
  }

  /// Counts the events that the threads say they lost, for files without counts of their own.
  func countThreadDrops(_ trace: inout FXTTrace) {
    for (_, sequence) in sequences.sorted(by: { $0.key < $1.key }) {
      trace.builder.countLoss(.recorderOutOfSpace, count: sequence.drops)
    }
  }
}

extension Timestamp {
  /// Creates the time of a tick, or returns `nil` if it cannot be represented.
  fileprivate init?(_ tick: UInt64) {
    guard let nanoseconds = Int64(exactly: tick) else { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}
