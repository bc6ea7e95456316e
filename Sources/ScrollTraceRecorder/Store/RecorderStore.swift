internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// The rarely used state of a recorder: the file, its chunks, the texts and the threads.
///
/// A class, because it owns a file and a mapping. Unchecked, because mutable state is only reached
/// through `locked`; `Mutex` cannot provide pointers.
final class RecorderStore: @unchecked Sendable {
  /// The bytes of the file, or equivalent memory, from page 0. They are in memory until the recording
  /// is finished and no thread is inside the recorder.
  let base: UnsafeMutableRawPointer
  /// The size of the address space at `base`.
  private let mappedSize: Int
  /// Where the chunks are in memory, from `base`: the first one, and from one to the next.
  private let chunkOffset: Int
  private let chunkStride: Int
  /// The texts of the recording, for threads that are inside the recorder.
  let names: NameLookup
  let capacity: Int
  /// The actual destination, which differs from the requested one if the system cannot map the
  /// file.
  let destination: RecordingDestination
  /// The file descriptor, or -1 for memory.
  let descriptor: Int32
  let process: UInt64
  let options: RecorderOptions
  /// The host's clock, or `nil` for a system clock.
  let customClock: (@Sendable () -> RecorderTime)?
  /// Whether the clock is derived from the tick counter.
  let readsTicks: Bool
  /// The keys of what is read about the thread of a frame; none where nothing is.
  let threadTimeKeys: UInt64
  /// What samples the stacks of the host's threads, or `nil` if nothing does.
  let sampler: OpaquePointer?
  /// Whether somebody refers to the recorder. `ProcessMemory` guards it.
  var hasOwner = true
  /// Whether the memory of the finished recording was given back, likewise.
  var isReleased = false
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
  convenience init(
    _ requested: RecordingDestination, options: RecorderOptions
  ) throws(RecorderError) {
    let wanted = requested.possible(whereOthersSeeFaults: scrolltrace_others_see_faults())
    let process = UInt64(options.processID ?? UInt32(bitPattern: getpid()))
    let ticks = options.clock.tickClock()
    let sampler = try options.makeSampler(path: wanted.path)
    let page = FirstPage(
      options: options, process: process, counterFrequency: ticks?.frequency ?? 0,
      samplesStacks: sampler != nil
    ).bytes
    let file: Int32
    do throws(RecorderError) {
      file = try Self.createFile(for: wanted, options: options)
    } catch {
      if let sampler { scrolltrace_free_sampler(sampler) }
      throw error
    }
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
      self.init(
        map, descriptor: file, process: process, options: options, ticks: ticks, sampler: sampler)
    } catch {
      if let sampler { scrolltrace_free_sampler(sampler) }
      if file >= 0 {
        close(file)
        unlink(wanted.path)
      }
      throw error
    }
  }

  private init(
    _ map: FileBytes.Map, descriptor: Int32, process: UInt64, options: RecorderOptions,
    ticks: TickClock?, sampler: OpaquePointer?
  ) {
    self.sampler = sampler
    base = map.start
    mappedSize = map.size
    (chunkOffset, chunkStride) = FileBytes.placement(of: map.destination)
    capacity = max(0, map.size - chunkOffset) / chunkStride
    destination = map.destination
    self.descriptor = descriptor
    self.process = process
    self.options = options
    if case .custom(let clock) = options.clock { customClock = clock } else { customClock = nil }
    readsTicks = ticks != nil
    let hasThreads = options.clock.systemClock != nil || options.readsThreadTimesInVirtualTime
    threadTimeKeys = options.recordsThreadTimes && hasThreads ? ThreadTimes.systemKeys : 0
    state = RecorderState(names: NameTable(hasThreadTimes: threadTimeKeys != 0))
    names = state.names.names
    state.tickClock = ticks
    if options.clock.systemClock != nil { state.sleepWatch = SleepWatch(.now()) }
    state.ring = options.ringBytes.map(ChunkRing.init(bytes:))
    pthread_mutex_init(mutex, nil)
    pthread_mutex_init(durableMutex, nil)
    pthread_cond_init(dumpIsWanted, nil)
    pthread_cond_init(hasGrown, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if canImport(Glibc)
      // A change of the wall time must not keep a thread waiting.
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(stockRunsLow, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    for surface in state.surfaces.values { ProcessMemory.give(surface) }
    for writer in state.freeWriters { ProcessMemory.give(writer) }
    state.control?.pointee.motion?.free()
    state.names.freeRoots()
    if destination == .memory, !state.isDropped { munmap(base, keptSize(state.chunkCount)) }
    for mutex in [mutex, durableMutex] {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }
    for condition in [hasGrown, dumpIsWanted, stockRunsLow] {
      pthread_cond_destroy(condition)
      condition.deallocate()
    }
  }

  /// Runs `body` while holding the lock.
  func locked<Result>(_ body: (inout RecorderState) -> Result) -> Result {
    ProcessMemory.holding(mutex) { body(&state) }
  }

  /// Runs `body` with the writer of chunks that are never reused while holding its lock, or returns
  /// `nil` if the recorder is not a flight recorder.
  @discardableResult
  func withDurable<Result>(_ body: (UnsafeMutablePointer<ThreadWriter>) -> Result) -> Result? {
    guard keepsRing else { return nil }
    return ProcessMemory.holding(durableMutex) { durable.map(body) }
  }

  /// Takes the writer of chunks that are never reused, which nobody uses any more.
  func takeDurable() -> UnsafeMutablePointer<ThreadWriter>? {
    withDurable { writer in
      durable = nil
      return writer
    }
  }

  func setDurable(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    pthread_mutex_lock(durableMutex)
    durable = writer
    pthread_mutex_unlock(durableMutex)
  }

  func waitForDumpWish() { waiting(on: dumpIsWanted) { !$0.dumpIsWanted && !$0.dumperStops } }

  func signalDumper() { pthread_cond_signal(dumpIsWanted) }

  /// Makes the recorder known to its file, which others may cut or replace from now on.
  func begin(with control: UnsafeMutablePointer<ControlBlock>) {
    locked { state in
      state.control = control
      guard destination.isMapped else { return }
      let mode = control.word(ControlBlock.Word.mode).assumingMemoryBound(to: UInt64.self)
      state.mapping = scrolltrace_guard(base, UInt(mappedSize), mode, RecorderMode.cut)
    }
  }

  /// Returns whether the mapped file is still the recording's. Otherwise, recording ends.
  func hasItsFile(_ state: RecorderState) -> Bool {
    guard destination.isMapped else { return true }
    let page = UnsafeRawPointer(base)
    let identifier = session + RecordingLayout.Session.identifier
    // Reading a page that is gone sets the mode.
    let isSame =
      scrolltrace_load(page) == RecordingLayout.magic.littleEndian
      && scrolltrace_load(identifier) == options.session.high.littleEndian
      && scrolltrace_load(identifier + 8) == options.session.low.littleEndian
    if !isSame { endAfterCut(state) }
    return isSame && state.control?.mode != RecorderMode.cut
  }

  /// Ends recording, because the file was cut or replaced.
  func endAfterCut(_ state: RecorderState) {
    guard let control = state.control else { return }
    // What is there now is not the recorder's to count in.
    control.session = control.pointee.ownCounters
    control.holdsFile = false
    for mode in [RecorderMode.on, RecorderMode.off] {
      control.changeMode(from: mode, to: RecorderMode.cut)
    }
  }

  /// Gives the address space back, except the first page and `chunkCount` chunks.
  func unmap(keeping chunkCount: Int?) {
    let kept = chunkCount.map(keptSize) ?? 0
    if kept < mappedSize { munmap(base + kept, mappedSize - kept) }
  }

  /// The size of the first page and `chunkCount` chunks in memory, in whole pages of the system.
  private func keptSize(_ chunkCount: Int) -> Int {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let size = min(mappedSize, chunkOffset + chunkCount * chunkStride)
    return (size + page - 1) / page * page
  }

  /// Whether chunks leave memory once they are written to the file.
  var emptiesMemory: Bool { if case .file = destination { !keepsRing } else { false } }

  func copyBytes() -> [UInt8] {
    locked { state in
      let size = RecordingLayout.pageSize + state.chunkCount * RecordingLayout.chunkSize
      return [UInt8](UnsafeRawBufferPointer(start: base, count: size))
    }
  }

  var keepsRing: Bool { options.ringBytes != nil }

  /// Waits for a signal while `isSo`, which is evaluated under the lock, returns `true`.
  ///
  /// The state is read again each time, because other threads change it.
  func waiting(
    on condition: UnsafeMutablePointer<pthread_cond_t>, while isSo: (RecorderState) -> Bool
  ) {
    ProcessMemory.holding(mutex) { while isSo(state) { pthread_cond_wait(condition, mutex) } }
  }

  /// Waits for the signal `stockRunsLow` while `isSo` returns `true`, at most for some seconds; returns
  /// whether it does no longer.
  func waitingForStock(maximumSeconds seconds: Int, while isSo: (RecorderState) -> Bool) -> Bool {
    ProcessMemory.holding(mutex) {
      var time = timespec(tv_sec: seconds, tv_nsec: 0)
      #if canImport(Glibc)
        clock_gettime(CLOCK_MONOTONIC, &time)
        time.tv_sec += seconds
      #endif
      while isSo(state) {
        #if canImport(Darwin)
          let error = pthread_cond_timedwait_relative_np(stockRunsLow, mutex, &time)
        #else
          let error = pthread_cond_timedwait(stockRunsLow, mutex, &time)
        #endif
        if error != 0 { return !isSo(state) }
      }
      return true
    }
  }

  var session: UnsafeMutableRawPointer { base + RecordingLayout.sessionPayloadOffset }

  func address(ofChunk chunk: Int) -> UnsafeMutableRawPointer {
    base + chunkOffset + chunk * chunkStride
  }

  /// Creates the file of a destination, if it has one.
  static func createFile(
    for destination: RecordingDestination, options: RecorderOptions
  ) throws(RecorderError) -> Int32 {
    guard destination != .memory else { return -1 }
    if options.replacesExistingFile { try removeFile(at: destination.path) }
    let descriptor = scrolltrace_create_file(destination.path)
    if descriptor < 0 {
      let advice =
        errno == EEXIST ? "choose another name, remove it, or set replacesExistingFile" : ""
      throw .system("cannot create the trace file", path: destination.path, advice: advice)
    }
    return descriptor
  }

  /// Removes the regular file at `path`, or the link to one, if there is any. What else is there, such as a
  /// device, is an error.
  private static func removeFile(at path: String) throws(RecorderError) {
    guard !FileBytes.isSpecial(at: path) else {
      throw RecorderError(
        path: path, reason: "is not a regular file, and is not replaced",
        advice: "choose another name")
    }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system("cannot remove the existing file", path: path)
    }
  }
}

/// The mutable state of a recorder's store, guarded by its lock.
struct RecorderState {
  init(names: NameTable) { self.names = names }

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
  var stock = Self.minimumStock
  /// The reason why the file cannot grow, or 0. See `RecordingLayout.Session.stop`.
  var stopReason: UInt64 = 0
  /// Whether a thread is making chunks. Only that thread may write to the file's end.
  var isGrowing = false
  /// The thread that keeps chunks ready, or `nil`.
  var grower: WorkerThread?
  var growerWaits = false
  /// The thread that writes dumps after hitches, or `nil`.
  var dumper: WorkerThread?
  var dumpIsWanted = false
  var dumperStops = false
  var dumpCount = 0
  var lastDumpTime: Nanoseconds?
  var dumps = AutomaticDumps()
  var sampling: WorkerThread?
  var isClosed = false
  /// Whether the recording is finished and not kept.
  var isDropped = false
  var dumpsRunning = 0
  /// The chunks whose content a file that is not mapped does not have, or not all of it.
  var unwritten: Set<Int> = []
  /// What guards the mapped file, or `nil`.
  var mapping: OpaquePointer?
  /// The writers that were in use when the recording was finished, and their stacks in the file.
  var retired: [(writer: UnsafeMutablePointer<ThreadWriter>, stack: UnsafeMutableRawPointer)] = []
  /// The recorder, once it exists.
  var control: UnsafeMutablePointer<ControlBlock>?
  /// Whether the file contains the process name.
  var processIsNamed = false
  var writers: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The writers whose threads have ended.
  var freeWriters: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The writers of ended threads that still have open spans.
  var endedWriters: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The free slots of stack chunks, the next one last.
  var freeSlots: [UnsafeMutableRawPointer] = []
  /// The chunks with stacks of open spans.
  var stackChunks: [Int] = []
  var writerCount: UInt32 = 0
  var openInteractions: [UInt64] = []
  var surfaces: [String: UnsafeMutablePointer<SurfaceBlock>] = [:]
  /// Whether the file says that the display's times are on another clock.
  var hasNotedClock = false

  /// The minimum number of chunks that are kept ready, about a quarter of a MiB.
  static var minimumStock: Int { 8 }
  /// Whether fewer than half of the intended number of chunks are ready.
  var isLow: Bool { grownCount - chunkCount < stock / 2 }
}
