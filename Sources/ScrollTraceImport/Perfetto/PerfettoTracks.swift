import ScrollTraceModel

/// The tracks that descriptors tell of: threads, processes, counters, and tracks inside of these.
struct PerfettoTracks {
  /// How many parents up a track's thread or process is looked for.
  private static let maximumDepth = 32

  /// A track as far as it is known, which may be later than its first event.
  struct Track {
    var parent: UInt64?
    var process: UInt64?
    var thread: UInt64?
    var name = StringID.empty
    var counter = Counter()
  }

  /// How the values of a counter are told.
  struct Counter {
    /// Whether each value is a step from the one before.
    var isIncremental = false
    var multiplier: Int64 = 1
  }

  /// Whose work is on a track.
  struct Owner {
    var process: UInt64?
    var thread: UInt64?
    /// Whether the track is the thread's own, so that what is on it is the thread's work.
    var isThread: Bool
  }

  private struct Thread: Hashable {
    var process: UInt64
    /// `nil` where work belongs to the process alone.
    var thread: UInt64?
    /// The track of the process that the work is on, and its number there.
    var lane = StringID.empty
    var cookie: Int64 = 0
  }

  /// The tracks by their position.
  private(set) var all: [Track] = []
  /// The threads that descriptors name, in their order.
  private(set) var threadNames: [(process: UInt64, thread: UInt64, name: String)] = []
  private var positions = PerfettoPositions()
  private var threadPositions = PerfettoPositions()
  private var threads: [Thread: Int] = [:]
  private var namedThreads: Set<Thread> = []

  /// The position of the track that is called `uuid`.
  @inline(__always)
  mutating func position(_ uuid: UInt64) -> Int { positions[uuid] ?? addTrack(uuid) }

  @inline(never)
  private mutating func addTrack(_ uuid: UInt64) -> Int {
    positions.add(uuid, at: all.count)
    all.append(Track())
    return all.count - 1
  }

  /// The position of a thread that no descriptor may tell of.
  mutating func position(process: UInt64, thread: UInt64) -> Int {
    // Numbers of the system have 32 bits; a file may have others.
    guard process >> 32 == 0, thread >> 32 == 0 else {
      return position(process: process, thread: thread, lane: .empty, cookie: 0)
    }
    let key = process << 32 | thread
    if let known = threadPositions[key] { return known }
    threadPositions.add(key, at: all.count)
    all.append(Track(process: process, thread: thread))
    return all.count - 1
  }

  /// The position of a process alone, or of one piece of work on a `lane` of it, where `thread` is
  /// `nil`.
  mutating func position(
    process: UInt64, thread: UInt64?, lane: StringID = .empty, cookie: Int64 = 0
  ) -> Int {
    let key = Thread(process: process, thread: thread, lane: lane, cookie: cookie)
    if let known = threads[key] { return known }
    threads[key] = all.count
    all.append(Track(process: process, thread: thread))
    return all.count - 1
  }

  /// Takes a descriptor; `false` where it is damaged.
  mutating func add(
    _ descriptor: UnsafeRawBufferPointer, _ processes: inout PerfettoProcesses,
    in builder: inout TraceBuilder
  ) -> Bool {
    var (uuid, track) = (UInt64(0), Track())
    var (thread, isWhole) = (UnsafeRawBufferPointer?.none, true)
    var fields = WireFields(descriptor)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): uuid = fields.value
      case (5, false): track.parent = fields.value
      case (2, true), (10, true), (13, true):
        track.name = builder.string(PerfettoProcesses.text(fields.bytes))
      case (3, true):
        track.process = processes.addProcess(fields.bytes)
        isWhole = track.process != nil && isWhole
      case (4, true): thread = fields.bytes
      case (8, true): isWhole = Self.readCounter(fields.bytes, into: &track) && isWhole
      default: break
      }
    }
    guard !fields.isDamaged, isWhole else { return false }
    if let thread {
      guard let (process, id) = addThread(thread) else { return false }
      (track.process, track.thread) = (process, id)
    }
    let position = position(uuid)
    if track.name == .empty { track.name = all[position].name }
    all[position] = track
    return true
  }

  /// Takes a thread with its name, and gives its numbers; `nil` where it is damaged.
  mutating func addThread(
    _ bytes: UnsafeRawBufferPointer
  ) -> (process: UInt64, thread: UInt64)? {
    var (process, thread, name) = (UInt64?.none, UInt64?.none, "")
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): process = PerfettoProcesses.processNumber(fields.value)
      case (2, false): thread = fields.value
      case (5, true): name = PerfettoProcesses.text(fields.bytes)
      default: break
      }
    }
    guard !fields.isDamaged, let process, let thread else { return nil }
    if !name.isEmpty, namedThreads.insert(Thread(process: process, thread: thread)).inserted {
      threadNames.append((process, thread, name))
    }
    return (process, thread)
  }

  private static func readCounter(
    _ bytes: UnsafeRawBufferPointer, into track: inout Track
  ) -> Bool {
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (4, false): track.counter.multiplier = max(1, fields.signed)
      case (5, false): track.counter.isIncremental = fields.value != 0
      default: break
      }
    }
    return !fields.isDamaged
  }

  /// Whose work is on the track at `position`, by its own descriptor or those of its parents.
  mutating func owner(of position: Int) -> Owner {
    var track = all[position]
    if let thread = track.thread {
      return Owner(process: track.process, thread: thread, isThread: true)
    }
    for _ in 0..<Self.maximumDepth {
      if track.thread != nil || track.process != nil { break }
      guard let parent = track.parent, let next = positions[parent] else { break }
      track = all[next]
    }
    return Owner(process: track.process, thread: track.thread, isThread: false)
  }
}
