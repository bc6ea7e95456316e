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
  let destination: RecordingDestination
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
  /// The keys of what is read about the thread of a frame; none where nothing is.
  let threadTimeKeys: UInt64
  private var state = RecorderState()
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Guards `durable`; taken before the lock of everything else.
  private let durableMutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// The writer of chunks that a flight recorder never uses again, for all threads.
  private var durable: UnsafeMutablePointer<ThreadWriter>?
  /// Told when chunks have been made.
  let hasGrown = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Told when a dump is wanted, or none any more.
  private let dumpIsWanted = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Told when few chunks are left.
  let stockRunsLow = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Makes the file, writes its first page and maps it.
  convenience init(_ wanted: RecordingDestination, options: RecorderOptions) throws(RecorderError) {
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
      if !map.destination.isMapped { map.start.copyMemory(from: page, byteCount: page.count) }
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
    destination = map.destination
    self.descriptor = descriptor
    self.process = process
    self.options = options
    if case .custom(let clock) = options.clock { customClock = clock } else { customClock = nil }
    readsTicks = ticks != nil
    threadTimeKeys =
      options.threadTime && options.clock.systemClock != nil ? ThreadTimes.systemKeys : 0
    state.names = NameTable(hasThreadTimes: threadTimeKeys != 0)
    state.tickClock = ticks
    if options.clock.systemClock != nil { state.sleepWatch = SleepWatch(.now()) }
    state.ring = options.ringBytes.map(ChunkRing.init(bytes:))
    pthread_mutex_init(mutex, nil)
    pthread_mutex_init(durableMutex, nil)
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
  func withDurable<Result>(_ body: (UnsafeMutablePointer<ThreadWriter>) -> Result) -> Result? {
    guard keepsRing else { return nil }
    pthread_mutex_lock(durableMutex)
    defer { pthread_mutex_unlock(durableMutex) }
    return durable.map(body)
  }

  /// Sets the writer of chunks that are never used again.
  func setDurable(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    pthread_mutex_lock(durableMutex)
    durable = writer
    pthread_mutex_unlock(durableMutex)
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

  /// Creates the file of a destination that has one.
  static func createFile(
    for destination: RecordingDestination, options: RecorderOptions
  ) throws(RecorderError) -> Int32 {
    guard destination != .memory else { return -1 }
    if options.replacesExistingFile, unlink(destination.path) != 0, errno != ENOENT {
      throw .system("cannot remove the file that is there", path: destination.path)
    }
    let descriptor = scrolltrace_create_file(destination.path)
    if descriptor < 0 {
      let advice =
        errno == EEXIST ? "choose another name, or remove it first" : ""
      throw .system("cannot create the trace file", path: destination.path, advice: advice)
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
  /// Whether the machine sleeps, or `nil` if the time comes from the host.
  var sleepWatch: SleepWatch?
  /// The chunks that are used again, or `nil` if the file grows.
  var ring: ChunkRing?
  /// How many names lie in chunks that are never used again; the empty one needs no place.
  var durableNameCount: NameTable.Number = 1
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
  /// The interactions that have begun and not ended.
  var openInteractions: [UInt64] = []
  /// The surfaces, by name.
  var surfaces: [String: UnsafeMutablePointer<SurfaceBlock>] = [:]

  /// The fewest chunks that are kept ready, about a quarter of a MiB.
  static var leastStock: Int { 8 }
  /// Whether fewer than half of the chunks are ready that are to be.
  var isLow: Bool { grownCount - chunkCount < stock / 2 }
}

extension RecorderStore {
  /// Ends the recording: no chunk is given out any more, seals, anchor and state are written, the
  /// file is cut to its last chunk in use.
  ///
  /// - Parameter caller: The writer of the calling thread, if it has one.
  func finish(caller: UnsafeMutablePointer<ThreadWriter>?) throws(RecorderError) {
    stopDumper()
    let isFirst = locked { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    stopGrower()
    withDurable { $0.limit = 0 }
    let failure = locked { state -> RecorderError? in
      for writer in state.writers { writer.limit = 0 }
      if options.sealsChunks { sealChunks(state, caller: caller) }
      if let anchor = options.closeAnchor ?? .now(of: options.clock) {
        anchor.write(to: session + RecordingLayout.Session.closeAnchor)
      }
      scrolltrace_store_release(session + RecordingLayout.Session.state, UInt64(1).littleEndian)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return closeFile(state)
    }
    if let failure { throw failure }
  }

  /// Seals the chunks that no other thread may be writing to at this moment.
  private func sealChunks(_ state: RecorderState, caller: UnsafeMutablePointer<ThreadWriter>?) {
    var unsealed = Set(state.stackChunks)
    for writer in state.writers where writer != caller && !writer.pointee.isSimulated {
      if let chunk = writer.pointee.chunk { unsealed.insert(chunk) }
    }
    for chunk in 0..<state.chunkCount where !unsealed.contains(chunk) {
      Chunk.seal(at: address(ofChunk: chunk))
    }
  }

  /// Writes what is not written yet and cuts the file.
  private func closeFile(_ state: RecorderState) -> RecorderError? {
    if case .file = destination {
      // The page last, which says that the recording is closed.
      var isWritten = true
      for chunk in 0..<state.chunkCount where isWritten { isWritten = writeOut(chunk) }
      if !isWritten || !writeOutPage() {
        return .system("cannot write the trace file", path: destination.path)
      }
    }
    let size = RecordingLayout.pageSize + state.chunkCount * RecordingLayout.chunkSize
    guard ftruncate(descriptor, off_t(size)) == 0 else {
      return .system("cannot cut the trace file to its size", path: destination.path)
    }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_nlink == 0 {
      return RecorderError(
        path: destination.path, reason: "the trace file was removed while it was recorded")
    }
    return nil
  }

  /// The bytes of a recording in memory.
  func copyBytes() -> [UInt8] {
    locked { state in
      let size = RecordingLayout.pageSize + state.chunkCount * RecordingLayout.chunkSize
      return [UInt8](UnsafeRawBufferPointer(start: base, count: size))
    }
  }
}

/// What a span costs the host, found out when the recording begins.
extension RecorderStore {
  /// How many spans are timed together, and how many times at most.
  private static var spans: Int { 64 }
  private static var rounds: Int { 8 }
  /// When it is enough: 50 µs.
  private static var longest: UInt64 { 50_000 }

  /// Times some spans in memory of their own and writes what one costs into the first page; only
  /// where the clock is one of the system's.
  func measureCost(_ control: UnsafeMutablePointer<ControlBlock>) {
    guard options.clock.systemClock != nil else { return }
    let size = (Self.spans + 2) * 24
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    let slot = ThreadWriter.makeSlot()
    let writer = ThreadWriter.make(for: control, slot: slot, ordinal: 0)
    // The empty text, of which spans are timed, needs no definition.
    writer.pointee.defined[0] = 1
    writer.pointee.chunkEnd = memory + size
    writer.limit = UInt(bitPattern: memory + size)
    let before = scrolltrace_get_writer()
    scrolltrace_set_writer(writer)
    if let cost = time(writer, in: memory, size) {
      scrolltrace_store_release(
        session + RecordingLayout.Session.recordCost, cost.littleEndian)
    }
    scrolltrace_set_writer(before)
    measureThreadTimes()
    ThreadWriter.discard(writer)
    slot.deallocate()
    memory.deallocate()
  }

  /// Times some readings of the calling thread's counts and writes what one costs into the first page,
  /// if frames have them: the least, likewise. The first one opens a file.
  private func measureThreadTimes() {
    guard threadTimeKeys != 0 else { return }
    var least = UInt64.max
    for _ in 0...Self.rounds {
      let begin = scrolltrace_clock(CLOCK_MONOTONIC)
      _ = ThreadTimes.now(cpuLast: true)
      least = min(least, scrolltrace_clock(CLOCK_MONOTONIC) &- begin)
    }
    // The thread may never record, and so nobody would know of its end.
    scrolltrace_close_thread_times()
    let cost = min(least, .max / 1000) * 1000
    scrolltrace_store_release(
      session + RecordingLayout.Session.threadTimeCost, cost.littleEndian)
  }

  /// What a span of `writer` costs in picoseconds: the least of some rounds, since whatever comes
  /// between makes them longer.
  private func time(
    _ writer: UnsafeMutablePointer<ThreadWriter>, in memory: UnsafeMutableRawPointer, _ size: Int
  ) -> UInt64? {
    let control = writer.pointee.control
    let name: RecordedName = "span"
    let category = SpanCategory.work.name
    let (nameAddress, categoryAddress) = (
      UInt(bitPattern: name.start), UInt(bitPattern: category.start)
    )
    writer.headerEntry(nameAddress, categoryAddress).pointee = HeaderEntry(
      name: nameAddress, category: categoryAddress, header: FXTWord.plainSpan)
    _ = writer.readClock()
    var least = UInt64.max
    let start = scrolltrace_clock(CLOCK_MONOTONIC)
    var now = start
    for _ in 0..<Self.rounds where now &- start < Self.longest {
      writer.pointee.cursor = memory
      RecordBuilder.writePad(from: memory, to: memory + size)
      let begin = scrolltrace_clock(CLOCK_MONOTONIC)
      for _ in 0..<Self.spans {
        if let span = control.openSpan(name.start, category.start) {
          span.end()
        } else {
          let span = writer.beginSpan(NameReference(header: FXTWord.plainSpan), item: nil)
          writer.endSpan(span, depth: 0, at: nil, details: NoDetails())
        }
      }
      now = scrolltrace_clock(CLOCK_MONOTONIC)
      guard writer.pointee.cursor == memory + Self.spans * 24 else { return nil }
      least = min(least, now &- begin)
    }
    return least == .max ? nil : least * 1000 / UInt64(Self.spans)
  }
}
