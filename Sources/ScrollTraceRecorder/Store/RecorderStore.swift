internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The rarely used state of a recorder: the file, its chunks, the texts and the threads.
///
/// A class, because it owns a file and a mapping. Unchecked, because mutable state is only reached
/// through `locked`; `Mutex` cannot provide pointers.
final class RecorderStore: @unchecked Sendable {
  /// The bytes of the file, or equivalent memory, from page 0. Never unmapped, because threads may
  /// be writing at any time.
  let base: UnsafeMutableRawPointer
  /// The maximum number of chunks.
  let capacity: Int
  /// The actual destination, which differs from the requested one if the system cannot map the
  /// file.
  let destination: RecordingDestination
  /// The file descriptor, or -1 for memory.
  let descriptor: Int32
  let process: UInt64
  let options: RecorderOptions
  /// The host's clock, or `nil` for a system clock.
  let customClock: (@Sendable () -> Nanoseconds)?
  /// A Boolean value indicating whether the clock is derived from the tick counter.
  let readsTicks: Bool
  /// The keys of what is read about the thread of a frame; none where nothing is.
  let threadTimeKeys: UInt64
  private var state: RecorderState
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Guards `durable`. It is locked before the lock of everything else.
  private let durableMutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// The shared writer of chunks that a flight recorder never reuses.
  private var durable: UnsafeMutablePointer<ThreadWriter>?
  /// Signaled when chunks have been made.
  let hasGrown = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Signaled when a dump is requested, or when no more will be.
  private let dumpIsWanted = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Signaled when few chunks are left.
  let stockRunsLow = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Creates the file, writes its first page and maps it.
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
      // The mapping of a file already contains the page; all others are empty.
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
    state = RecorderState(names: NameTable(hasThreadTimes: threadTimeKeys != 0))
    state.tickClock = ticks
    if options.clock.systemClock != nil { state.sleepWatch = SleepWatch(.now()) }
    state.ring = options.ringBytes.map(ChunkRing.init(bytes:))
    pthread_mutex_init(mutex, nil)
    pthread_mutex_init(durableMutex, nil)
    pthread_cond_init(dumpIsWanted, nil)
    pthread_cond_init(hasGrown, nil)
    pthread_cond_init(stockRunsLow, nil)
  }

  /// Runs `body` while holding the lock.
  func locked<Result>(_ body: (inout RecorderState) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Runs `body` with the writer of chunks that are never reused while holding its lock, or returns
  /// `nil` if the recorder is not a flight recorder.
  @discardableResult
  func withDurable<Result>(_ body: (UnsafeMutablePointer<ThreadWriter>) -> Result) -> Result? {
    guard keepsRing else { return nil }
    pthread_mutex_lock(durableMutex)
    defer { pthread_mutex_unlock(durableMutex) }
    return durable.map(body)
  }

  /// Sets the writer of chunks that are never reused.
  func setDurable(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    pthread_mutex_lock(durableMutex)
    durable = writer
    pthread_mutex_unlock(durableMutex)
  }

  /// Waits until a dump is requested, or until no more will be.
  func waitForDumpWish() { waiting(on: dumpIsWanted) { !$0.dumpIsWanted && !$0.dumperStops } }

  /// Signals a change to the thread that writes dumps.
  func signalDumper() { pthread_cond_signal(dumpIsWanted) }

  /// A Boolean value indicating whether old chunks are reused.
  var keepsRing: Bool { options.ringBytes != nil }

  /// Waits for a signal while `isSo`, which is evaluated under the lock, returns `true`.
  ///
  /// The state is read again each time, because other threads change it.
  func waiting(
    on condition: UnsafeMutablePointer<pthread_cond_t>, while isSo: (RecorderState) -> Bool
  ) {
    pthread_mutex_lock(mutex)
    while isSo(state) { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// The payload of the session blob.
  var session: UnsafeMutableRawPointer { base + RecordingLayout.sessionPayloadOffset }

  /// The address of a chunk in memory.
  func address(ofChunk chunk: Int) -> UnsafeMutableRawPointer {
    base + RecordingLayout.pageSize + chunk * RecordingLayout.chunkSize
  }

  /// Creates the file of a destination, if it has one.
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

/// The mutable state of a recorder's store, guarded by its lock.
struct RecorderState {
  /// Creates the state of a recorder with these names, whose memory is never freed.
  init(names: NameTable) {
    self.names = names
  }

  var names: NameTable
  /// The clock that is derived from the tick counter, or `nil`.
  var tickClock: TickClock?
  /// The detection of sleep, or `nil` if the time comes from the host.
  var sleepWatch: SleepWatch?
  /// The chunks that are reused, or `nil` if the file grows.
  var ring: ChunkRing?
  /// The number of names in chunks that are never reused. The empty name needs no room.
  var durableNameCount: NameTable.Number = 1
  /// The number of chunks begun so far.
  var sequenceCount: UInt64 = 0
  /// The number of chunks in use.
  var chunkCount = 0
  /// The number of chunks that the file has room for.
  var grownCount = 0
  /// The number of chunks to keep ready.
  var stock = Self.leastStock
  /// The reason why the file cannot grow, or 0. See `RecordingLayout.Session.stop`.
  var stopReason: UInt64 = 0
  /// A Boolean value indicating whether a thread is making chunks. Only that thread may write to
  /// the file's end.
  var isGrowing = false
  /// The thread that keeps chunks ready, or `nil`.
  var grower: HelperThread?
  /// A Boolean value indicating whether that thread waits to be woken.
  var growerWaits = false
  /// The thread that writes dumps after hitches, or `nil`.
  var dumper: HelperThread?
  /// A Boolean value indicating whether a dump is requested.
  var dumpIsWanted = false
  /// A Boolean value indicating whether that thread is to end.
  var dumperStops = false
  /// The number of requested dumps.
  var dumpCount = 0
  /// The time of the last dump, or `nil` if there was none.
  var lastDumpTime: Nanoseconds?
  var dumps = AutomaticDumps()
  /// A Boolean value indicating whether the recording is finished.
  var isClosed = false
  /// A Boolean value indicating whether the file contains the process name.
  var processIsNamed = false
  /// The writers in use.
  var writers: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The writers whose threads have ended.
  var freeWriters: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The writers of ended threads that still have open spans.
  var endedWriters: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The free slots of stack chunks, the next one last.
  var freeSlots: [UnsafeMutableRawPointer] = []
  /// The chunks with stacks of open spans.
  var stackChunks: [Int] = []
  /// The number of writers so far.
  var writerCount: UInt32 = 0
  /// The open interactions.
  var openInteractions: [UInt64] = []
  var surfaces: [String: UnsafeMutablePointer<SurfaceBlock>] = [:]

  /// The minimum number of chunks that are kept ready, about a quarter of a MiB.
  static var leastStock: Int { 8 }
  /// A Boolean value indicating whether fewer than half of the intended number of chunks are ready.
  var isLow: Bool { grownCount - chunkCount < stock / 2 }
}

extension RecorderStore {
  /// Ends the recording: writes seals, anchor and state, and truncates the file after its last used
  /// chunk. No chunk is available afterwards.
  ///
  /// - Parameter caller: The writer of the calling thread, or `nil`.
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
      markFinished(session, chunkCount: state.chunkCount)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return closeFile(state)
    }
    if let failure { throw failure }
  }

  /// Marks the session at `payload` as that of a finished file of `chunkCount` chunks.
  ///
  /// The size comes first: a host that dies in between leaves an open recording, and never one that
  /// says that it is finished and not how long it is.
  func markFinished(_ payload: UnsafeMutableRawPointer, chunkCount: Int) {
    typealias Session = RecordingLayout.Session
    scrolltrace_store(
      payload + Session.finishedChunks, UInt64(chunkCount).littleEndian)
    scrolltrace_store(
      payload + Session.finishedSize,
      RecordingLayout.fileSize(chunkCount: chunkCount).littleEndian)
    scrolltrace_store_release(payload + Session.state, UInt64(1).littleEndian)
  }

  /// Seals the chunks that no other thread may currently be writing to.
  private func sealChunks(_ state: RecorderState, caller: UnsafeMutablePointer<ThreadWriter>?) {
    var unsealed = Set(state.stackChunks)
    for writer in state.writers where writer != caller && !writer.pointee.isSimulated {
      if let chunk = writer.pointee.chunk { unsealed.insert(chunk) }
    }
    for chunk in 0..<state.chunkCount where !unsealed.contains(chunk) {
      Chunk.seal(at: address(ofChunk: chunk))
    }
  }

  /// Writes the rest and truncates the file.
  private func closeFile(_ state: RecorderState) -> RecorderError? {
    if case .file = destination {
      // The page is written last, because it marks the recording as finished.
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

  /// Returns the bytes of a recording in memory.
  func copyBytes() -> [UInt8] {
    locked { state in
      let size = RecordingLayout.pageSize + state.chunkCount * RecordingLayout.chunkSize
      return [UInt8](UnsafeRawBufferPointer(start: base, count: size))
    }
  }
}

/// The cost of a span for the host, measured when the recording begins.
extension RecorderStore {
  /// The number of spans that are timed together, and the maximum number of rounds.
  private static var spans: Int { 64 }
  private static var rounds: Int { 8 }
  /// The time after which the measurement ends: 50 µs.
  private static var longest: UInt64 { 50_000 }

  /// Times some spans in separate memory and writes the cost of one to the first page, if the clock
  /// is a system clock.
  func measureCost(_ control: UnsafeMutablePointer<ControlBlock>) {
    guard options.clock.systemClock != nil else { return }
    let size = (Self.spans + 2) * 24
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    let slot = ThreadWriter.makeSlot()
    let writer = ThreadWriter.make(for: control, slot: slot, ordinal: 0)
    // The empty text, which the timed spans use, needs no definition.
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
      _ = ThreadTimes.now()
      least = min(least, scrolltrace_clock(CLOCK_MONOTONIC) &- begin)
    }
    // The thread may never record, and so nobody would know of its end.
    scrolltrace_close_thread_times()
    let cost = min(least, .max / 1000) * 1000
    scrolltrace_store_release(
      session + RecordingLayout.Session.threadTimeCost, cost.littleEndian)
  }

  /// The cost of a span of `writer` in picoseconds: the minimum of several rounds, because any
  /// interruption makes a round longer.
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
