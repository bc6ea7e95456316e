internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Everything of a recorder that is needed rarely: the file, its chunks, the texts, the threads.
///
/// A class since it owns a file and a mapping. Unchecked, since what changes is only reached through
/// `locked`; `Mutex` would give out no pointers.
final class RecorderStore: @unchecked Sendable {
  /// The file's bytes, or as many as there are, page 0 first; never unmapped, since threads may be
  /// writing at any time.
  let base: UnsafeMutableRawPointer
  /// How many chunks there may be.
  let capacity: Int
  /// Where the recording goes: not what was asked for where the system does not map the file.
  let sink: RecorderSink
  /// The file; -1 for memory.
  let descriptor: Int32
  /// The process id.
  let process: UInt64
  /// How the recording is made.
  let options: RecorderOptions
  /// The host's clock, if it has given one.
  let customClock: (@Sendable () -> Nanoseconds)?
  /// Whether the clock is told from the tick counter.
  let readsTicks: Bool
  private var state = RecorderState()
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Guards `lasting`; taken before the lock of everything else.
  private let lastingMutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// The writer of chunks that a flight recorder never uses again, for all threads.
  private var lasting: UnsafeMutablePointer<ThreadWriter>?
  /// Told when chunks have been made.
  let hasGrown = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Told when a dump is wanted, or none any more.
  private let dumpIsWanted = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Told when few chunks are left.
  let stockRunsLow = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Makes the file, writes its first page and maps it.
  convenience init(_ wanted: RecorderSink, options: RecorderOptions) throws(RecorderError) {
    let process = UInt64(options.processID ?? UInt32(bitPattern: getpid()))
    let ticks = options.clock.tickClock()
    let page = FirstPage(
      options: options, process: process, counterFrequency: ticks?.frequency ?? 0
    ).bytes
    let file = try Self.createFile(for: wanted, options: options)
    do throws(RecorderError) {
      let written = page.withUnsafeBytes {
        file < 0 ? $0.count : FileBytes.write($0, to: file, at: 0)
      }
      guard written == page.count else {
        throw .system("cannot write the trace file", path: wanted.path)
      }
      let map = try FileBytes.map(wanted, descriptor: file, wanted: options.maximumBytes)
      // The mapping of a file has the page already, all others are blank.
      if !map.sink.isMapped { map.start.copyMemory(from: page, byteCount: page.count) }
      self.init(map, descriptor: file, process: process, options: options, ticks: ticks)
    } catch {
      if file >= 0 {
        close(file)
        unlink(wanted.path)
      }
      throw error
    }
  }

  private init(
    _ map: FileBytes.Map, descriptor: Int32, process: UInt64, options: RecorderOptions,
    ticks: TickClock?
  ) {
    base = map.start
    capacity = max(0, map.size - RecordingLayout.pageSize) / RecordingLayout.chunkSize
    sink = map.sink
    self.descriptor = descriptor
    self.process = process
    self.options = options
    if case .custom(let clock) = options.clock { customClock = clock } else { customClock = nil }
    readsTicks = ticks != nil
    state.tickClock = ticks
    if options.clock.systemClock != nil { state.sleepWatch = SleepWatch(.now()) }
    state.ring = options.ringBytes.map(ChunkRing.init(bytes:))
    pthread_mutex_init(mutex, nil)
    pthread_mutex_init(lastingMutex, nil)
    pthread_cond_init(dumpIsWanted, nil)
    pthread_cond_init(hasGrown, nil)
    pthread_cond_init(stockRunsLow, nil)
  }

  /// Runs `body` while no other thread does.
  func locked<Result>(_ body: (inout RecorderState) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Runs `body` with the writer of chunks that are never used again, while no other thread does;
  /// `nil` where the recorder is no flight recorder.
  @discardableResult
  func withLasting<Result>(_ body: (UnsafeMutablePointer<ThreadWriter>) -> Result) -> Result? {
    guard keepsRing else { return nil }
    pthread_mutex_lock(lastingMutex)
    defer { pthread_mutex_unlock(lastingMutex) }
    return lasting.map(body)
  }

  /// Sets the writer of chunks that are never used again.
  func setLasting(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    pthread_mutex_lock(lastingMutex)
    lasting = writer
    pthread_mutex_unlock(lastingMutex)
  }

  /// Waits until a dump is wanted, or none any more.
  func waitForDumpWish() { waiting(on: dumpIsWanted) { !$0.dumpIsWanted && !$0.dumperStops } }

  /// Tells the thread that makes dumps that something has changed.
  func signalDumper() { pthread_cond_signal(dumpIsWanted) }

  /// Whether old chunks are used again.
  var keepsRing: Bool { options.ringBytes != nil }

  /// Waits as long as `isSo`, which is asked under the lock, until told that something has changed.
  ///
  /// The state is looked at anew each time: others change it meanwhile.
  func waiting(
    on condition: UnsafeMutablePointer<pthread_cond_t>, while isSo: (RecorderState) -> Bool
  ) {
    pthread_mutex_lock(mutex)
    while isSo(state) { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// The payload of the session blob.
  var session: UnsafeMutableRawPointer { base + RecordingLayout.sessionPayloadOffset }

  /// Where a chunk lies in memory.
  func address(ofChunk chunk: Int) -> UnsafeMutableRawPointer {
    base + RecordingLayout.pageSize + chunk * RecordingLayout.chunkSize
  }

  /// Creates the file of a sink that has one.
  static func createFile(
    for sink: RecorderSink, options: RecorderOptions
  ) throws(RecorderError) -> Int32 {
    guard sink != .memory else { return -1 }
    if options.replacesExistingFile, unlink(sink.path) != 0, errno != ENOENT {
      throw .system("cannot remove the file that is there", path: sink.path)
    }
    let descriptor = scrolltrace_create_file(sink.path)
    if descriptor < 0 {
      let advice =
        errno == EEXIST ? "choose another name, or remove it first" : ""
      throw .system("cannot create the trace file", path: sink.path, advice: advice)
    }
    return descriptor
  }
}

/// What changes in a recorder's store; guarded by its lock.
struct RecorderState {
  /// The texts.
  var names = NameTable()
  /// The clock that is told from the tick counter, where one is.
  var tickClock: TickClock?
  /// Whether the machine sleeps; `nil` where the time comes from the host.
  var sleepWatch: SleepWatch?
  /// The chunks that are used again; `nil` where the file grows.
  var ring: ChunkRing?
  /// How many names lie in chunks that are never used again; the empty one needs no place.
  var lastingNameCount: NameTable.Number = 1
  /// How many times a chunk was begun.
  var sequenceCount: UInt64 = 0
  /// How many chunks are in use.
  var chunkCount = 0
  /// How many chunks the file has room for.
  var grownCount = 0
  /// How many chunks are to be kept ready.
  var stock = Self.leastStock
  /// Why the file grows no more; 0 it does. See `RecordingLayout.Session.stop`.
  var stopReason: UInt64 = 0
  /// Whether a thread is making room at this moment; it alone may write to the file's end.
  var isGrowing = false
  /// The thread that keeps chunks ready, where there is one.
  var grower: HelperThread?
  /// Whether that thread waits to be woken.
  var growerWaits = false
  /// The thread that makes dumps after hitches, where there is one.
  var dumper: HelperThread?
  /// Whether it is to make one.
  var dumpIsWanted = false
  /// Whether it is to end.
  var dumperStops = false
  /// How many dumps were asked for.
  var dumpCount = 0
  /// When the last one was.
  var lastDumpTime: Nanoseconds?
  /// The dumps it has made.
  var dumps = RecorderDumps()
  /// Whether the recording is finished.
  var isClosed = false
  /// Whether the process's name is in the file.
  var processIsNamed = false
  /// The writers in use.
  var writers: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The writers whose threads have ended.
  var freeWriters: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The slots of stack chunks that are free, the next one last.
  var freeSlots: [UnsafeMutableRawPointer] = []
  /// The chunks with stacks of open spans.
  var stackChunks: [Int] = []
  /// How many writers there have been.
  var writerCount: UInt32 = 0
  /// The surfaces, by name.
  var surfaces: [String: UnsafeMutablePointer<SurfaceBlock>] = [:]

  /// The fewest chunks that are kept ready, about a quarter of a MiB.
  static var leastStock: Int { 8 }
  /// Whether fewer than half of the chunks are ready that are to be.
  var isLow: Bool { grownCount - chunkCount < stock / 2 }
}
