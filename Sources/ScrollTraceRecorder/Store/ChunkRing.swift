internal import CRecorderShims
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

  /// Takes out the chunk that was closed first, or `nil` if all are written to.
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

/// What a flight recorder never overwrites: names, interactions, states, what surfaces are (W8).
///
/// It lies in chunks that belong to no thread and are written under a lock; such events are few.
extension RecorderStore {
  /// Makes the writer of those chunks, if the recorder is a flight recorder.
  func startDurable(_ control: UnsafeMutablePointer<ControlBlock>) {
    guard keepsRing else { return }
    let ordinal = locked { state in
      state.writerCount += 1
      return state.writerCount
    }
    setDurable(
      ThreadWriter.make(
        for: control, slot: ThreadWriter.makeSlot(), ordinal: ordinal,
        flags: RecordingLayout.ChunkFlag.durable))
  }

  /// Writes the names that were given a number since the last time into a chunk that is never used
  /// again: a span may be open for longer than the chunk lives in which it began.
  func keepNames() {
    withDurable { writer in
      let (first, count) = locked { ($0.durableNameCount, NameTable.Number($0.names.count)) }
      var next = first
      // Names without an index stand in each record.
      while next < min(count, NameTable.lastIndex + 1), writer.define(next) { next += 1 }
      locked { $0.durableNameCount = next }
    }
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Writes an event that a flight recorder does not overwrite.
  ///
  /// Where there is no room for it any more it lies with all others, and is counted (W8).
  func writeDurable(
    _ kind: FXT.EventType, _ category: RecordedName, _ name: RecordedName, at time: UInt64,
    tail: UInt64? = nil, details: some EventDetails
  ) {
    let thread = pointee.thread
    let store = pointee.control.pointee.store.takeUnretainedValue()
    if let isWritten = store.withDurable({
      $0.writeShared(kind, category, name, at: time, of: thread, tail: tail, details: details)
    }) {
      if isWritten { return }
      scrolltrace_add(pointee.control.pointee.session + RecordingLayout.Session.notDurable, 1)
    }
    guard let reference = reference(category: category, name: name) else { return }
    writeEvent(kind, reference, at: time, tail: tail, details: details)
  }

  /// Writes an event of `thread` into a chunk that belongs to no thread; whether it could be.
  private func writeShared(
    _ kind: FXT.EventType, _ category: RecordedName, _ name: RecordedName, at time: UInt64,
    of thread: UInt32, tail: UInt64?, details: some EventDetails
  ) -> Bool {
    guard let reference = reference(category: category, name: name) else { return false }
    let process = pointee.control.pointee.store.takeUnretainedValue().process
    return encodeEvent(
      kind, reference, at: time, tail: tail, of: (process, thread), details: details)
  }
}
