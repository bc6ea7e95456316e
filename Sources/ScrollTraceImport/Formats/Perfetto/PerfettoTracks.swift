import ScrollTraceModel

/// The tracks of descriptors: threads, processes, counters, and tracks inside these.
struct PerfettoTracks {
  /// The maximum number of parents searched for a track's thread or process.
  private static let maximumDepth = 32

  /// A track as far as it is known, which can be later than its first event.
  struct Track {
    var parent: UInt64?
    var process: UInt64?
    var thread: UInt64?
    var name = StringID.empty
    var counter = Counter()
  }

  /// The representation of a counter's values.
  struct Counter {
    /// Whether each value is an increment of the previous one.
    var isIncremental = false
    /// Whether it counts the time or the instructions of its thread.
    var isOfThread = false
    var isThreadTime = false
    var multiplier: Int64 = 1
  }

  /// The owner of the work on a track.
  struct Owner {
    var process: UInt64?
    var thread: UInt64?
    /// Whether the track is the thread's own, so that its content is the thread's work.
    var isThread: Bool
  }

  private struct Thread: Hashable {
    var process: UInt64
    /// The thread, or `nil` if work belongs to the process alone.
    var thread: UInt64?
    /// The track of the process for the work, and its number there.
    var lane = StringID.empty
    var cookie: Int64 = 0
  }

  private(set) var all: [Track] = []
  private(set) var threadNames: [(process: UInt64, thread: UInt64, name: String)] = []
  private(set) var processes: [UInt64: UInt64] = [:]
  private var positions = PerfettoPositions()
  private var threadPositions = PerfettoPositions()
  private var threads: [Thread: Int] = [:]
  private var namedThreads: Set<Thread> = []

  @inline(__always)
  mutating func position(_ uuid: UInt64) -> Int { positions[uuid] ?? addTrack(uuid) }

  @inline(never)
  private mutating func addTrack(_ uuid: UInt64) -> Int {
    positions.add(uuid, at: all.count)
    all.append(Track())
    return all.count - 1
  }

  /// Returns the position of a thread that may have no descriptor.
  mutating func position(process: UInt64, thread: UInt64) -> Int {
    // System numbers have 32 bits; a file can contain larger ones.
    guard process >> 32 == 0, thread >> 32 == 0 else {
      return position(process: process, thread: thread, lane: .empty, cookie: 0)
    }
    let key = process << 32 | thread
    if let known = threadPositions[key] { return known }
    threadPositions.add(key, at: all.count)
    all.append(Track(process: process, thread: thread))
    return all.count - 1
  }

  /// Returns the position of a process, or of one piece of work on a `lane` of it, if `thread` is
  /// `nil`.
  mutating func position(
    process: UInt64, thread: UInt64?, lane: StringID = .empty, cookie: Int64 = 0
  ) -> Int {
    let key = Thread(process: process, thread: thread, lane: lane, cookie: cookie)
    return all.position(of: key, in: &threads, adding: Track(process: process, thread: thread))
  }

  /// Adds a descriptor; returns `false` if it is damaged.
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

  /// Adds a thread with its name, and returns its numbers, or `nil` if it is damaged.
  mutating func addThread(_ bytes: UnsafeRawBufferPointer) -> (process: UInt64, thread: UInt64)? {
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
    processes[thread] = process
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
      case (1, false):
        track.counter.isThreadTime = fields.value == 1
        track.counter.isOfThread = fields.value == 1 || fields.value == 2
      case (4, false): track.counter.multiplier = max(1, fields.signed)
      case (5, false): track.counter.isIncremental = fields.value != 0
      default: break
      }
    }
    return !fields.isDamaged
  }

  /// Returns the owner of the work on the track at `position`, from its own descriptor or those of
  /// its parents.
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

/// The names of processes and of the threads in them, by the system's numbers.
struct PerfettoProcesses {
  /// The maximum length of a stored name, in bytes.
  private static let maximumNameLength = 1024

  /// The number that older events write as -1: no process, or no thread.
  static let none = UInt64(UInt32.max)

  private struct Name {
    var text: String
    /// Whether the process set its own name, which is preferred to its command line.
    var isOwn: Bool
  }

  private var names: [UInt64: Name] = [:]
  private var countOfName: [String: Int] = [:]
  /// The process of each thread, as far as the system's tables contain it.
  private var processes: [UInt64: UInt64] = [:]
  private(set) var threadNames: [UInt64: String] = [:]

  func name(_ process: UInt64) -> String? { names[process]?.text }

  /// Returns the process of a thread, or the thread's own number, as for a main thread, if it is
  /// unknown.
  func process(of thread: UInt64) -> UInt64 { processes[thread] ?? thread }

  func hasProcess(of thread: UInt64) -> Bool { processes[thread] != nil }

  mutating func setProcess(_ process: UInt64, of thread: UInt64) {
    if processes[thread] != process { processes[thread] = process }
  }

  /// Says that `thread` has the name `text` where nothing has named it.
  mutating func setThreadName(_ text: String, of thread: UInt64) {
    if threadNames[thread] == nil { threadNames[thread] = text }
  }

  /// What the process's frames are called: its name, with its number where another one has the same.
  func displayName(_ process: UInt64) -> String {
    guard let name = names[process]?.text, !name.isEmpty else { return "process \(process)" }
    return countOfName[name] == 1 ? name : "\(name) (\(process))"
  }

  /// Adds a table of the system's processes and threads; returns `false` if it is damaged.
  mutating func addTree(_ tree: UnsafeRawBufferPointer) -> Bool {
    var isWhole = true
    var fields = WireFields(tree)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, true): isWhole = addProcess(fields.bytes, commandField: 3) != nil && isWhole
      case (2, true): isWhole = addThread(fields.bytes) && isWhole
      default: break
      }
    }
    return isWhole && !fields.isDamaged
  }

  /// Adds one process from a message and returns its number, or `nil` if it is damaged.
  ///
  /// - Parameter commandField: The number of the command line's field; the process's own name is
  ///   field 6 in messages that have it.
  mutating func addProcess(_ process: UnsafeRawBufferPointer, commandField: UInt32 = 2) -> UInt64? {
    var (id, command, own) = (UInt64?.none, String?.none, String?.none)
    var fields = WireFields(process)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = Self.processNumber(fields.value)
      case (commandField, true): command = command ?? Self.program(fields.bytes)
      case (6, true) where commandField != 3: own = Self.text(fields.bytes)
      default: break
      }
    }
    guard !fields.isDamaged, let id else { return nil }
    if let own, !own.isEmpty {
      setName(Name(text: own, isOwn: true), of: id)
    } else if let command, !command.isEmpty, names[id]?.isOwn != true {
      setName(Name(text: command, isOwn: false), of: id)
    }
    return id
  }

  private mutating func setName(_ name: Name, of process: UInt64) {
    let before = names[process]
    if let before {
      guard before.text != name.text || before.isOwn != name.isOwn else { return }
      countOfName[before.text, default: 0] -= 1
    }
    names[process] = name
    countOfName[name.text, default: 0] += 1
  }

  private mutating func addThread(_ thread: UnsafeRawBufferPointer) -> Bool {
    var (id, process, name) = (UInt64?.none, UInt64?.none, String?.none)
    var fields = WireFields(thread)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = Self.processNumber(fields.value)
      case (2, true): name = Self.text(fields.bytes)
      case (3, false): process = Self.processNumber(fields.value)
      default: break
      }
    }
    guard !fields.isDamaged, let id else { return false }
    if let process { processes[id] = process }
    if let name, !name.isEmpty { threadNames[id] = name }
    return true
  }

  /// Returns the number of a process, which has 32 bits although it is written with more.
  static func processNumber(_ value: UInt64) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: value)) }

  static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix(maximumNameLength), as: UTF8.self)
  }

  /// Returns the name of the program, without its path and arguments.
  private static func program(_ bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.first == UInt8(ascii: "/") else { return text(bytes) }
    let path = bytes.prefix(maximumNameLength).prefix { $0 != UInt8(ascii: " ") && $0 != 0 }
    let name = path.split(separator: UInt8(ascii: "/")).last
    return name.map { String(decoding: $0, as: UTF8.self) } ?? text(bytes)
  }
}
