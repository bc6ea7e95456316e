internal import ScrollTraceLayout

/// The chunks that a flight recorder reuses, in the order in which they were closed (W8).
struct ChunkRing {
  /// The minimum number of chunks before one is reused.
  let minimumCount: Int
  /// The maximum number of chunks that are never reused.
  let durableLimit: Int
  private(set) var count = 0
  /// The number of chunks that are never reused.
  private(set) var durableCount = 0
  /// The chunks that are no longer written to, oldest first, except those before `head`.
  private var closed: [Closed] = []
  private var head = 0

  /// A chunk that is no longer written to.
  struct Closed {
    var chunk: Int
    /// A time after all its events.
    var end: UInt64
  }

  /// The minimum number of chunks of a ring: about 128 KiB.
  static var smallest: Int { 4 }

  init(bytes: Int) {
    minimumCount = max(bytes / RecordingLayout.chunkSize, Self.smallest)
    durableLimit = max(minimumCount / 2, 16)
  }

  /// The number of chunks before one is reused: at least two for each thread that writes, so that
  /// no thread must reuse its latest chunk.
  func wantedCount(threads: Int) -> Int { max(minimumCount, 2 * threads) }

  /// Adds a chunk of the file to the ring.
  mutating func grow() { count += 1 }

  /// Whether another chunk may be reserved for records that are never overwritten.
  var hasDurableRoom: Bool { durableCount < durableLimit }

  mutating func growDurable() { durableCount += 1 }

  /// Adds a chunk that is no longer written to and whose events end before `end`.
  mutating func close(_ chunk: Int, end: UInt64) { closed.append(Closed(chunk: chunk, end: end)) }

  /// The end of the chunk that was closed first, or `nil` if all are written to.
  var oldestEnd: UInt64? { head < closed.count ? closed[head].end : nil }

  /// Removes and returns the chunk that was closed first, or `nil` if all are written to.
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

/// The records that a flight recorder never overwrites: names, interactions, states and surfaces
/// (W8).
///
/// They are in chunks that belong to no thread and are written under a lock; such events are few.
extension RecorderStore {
  /// Creates the writer of those chunks if the recorder is a flight recorder.
  func startDurable(_ control: UnsafeMutablePointer<ControlBlock>) {
    guard keepsRing else { return }
    let ordinal = locked { state in
      state.writerCount += 1
      return state.writerCount
    }
    setDurable(
      ThreadWriter.make(for: control, ordinal: ordinal, flags: RecordingLayout.ChunkFlag.durable))
  }

  /// Writes new names into a chunk that is never reused, because a span can be open for longer than
  /// the chunk in which it began exists.
  func keepNames() {
    withDurable { writer in
      let (first, count) = locked { ($0.durableNameCount, NameTable.Number($0.names.count)) }
      var next = first
      // Names without an index are inline in each record.
      while next < min(count, NameTable.lastIndex + 1), writer.define(next) { next += 1 }
      locked { $0.durableNameCount = next }
    }
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Writes an event that a flight recorder does not overwrite.
  ///
  /// If there is no room for it, it is written with all others and counted (W8).
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
      pointee.control.count(RecordingLayout.Session.notDurable)
    }
    guard let reference = reference(category: category, name: name) else { return }
    writeEvent(kind, reference, at: time, tail: tail, details: details)
  }

  /// Writes an event of `thread` into a chunk that belongs to no thread, and returns whether it
  /// could.
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
