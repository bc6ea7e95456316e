public import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// The part of a recorder's state that the hot path needs.
///
/// It is in memory of its own that is never freed: frames and spans refer to it without counting
/// references, and may outlive their recorder. What several threads change at the same time is in the
/// words before it.
@usableFromInline
struct ControlBlock: ~Copyable {
  /// Whether the clock is derived from the tick counter.
  let readsTicks: Bool
  /// The system clock, or `nil` for the host's own.
  let systemClock: clockid_t?
  /// The counters of a finished recording, with the layout of the session blob.
  let ownCounters: UnsafeMutableRawPointer
  /// The rarely used state, which is released with the recorder.
  let store: Unmanaged<RecorderStore>
  /// The surface of frames without an explicit surface.
  let defaultSurface: RecordedSurface
  /// The shortest hitch after which a dump is made, or the maximum if none is.
  let hitchLimit: Int64
  @usableFromInline let measuresFrames: Bool
  /// The time in motion, or `nil` if all traces are kept.
  let motion: MotionMeter?
  /// The recorder, if a host in another language has it, which never gives it back, or `nil`.
  var owner: Unmanaged<TraceRecorder>?
  /// The next block in the list of all recorders, for a forked child.
  var nextOfAll: UnsafeMutablePointer<ControlBlock>?

  /// The words before a control block, which any thread may access at any time.
  @usableFromInline
  enum Word {
    /// One relaxed load of the mode decides whether to record.
    @inlinable static var mode: Int { -8 }
    static var manualTime: Int { -16 }
    static var session: Int { -24 }
    static var holdsFile: Int { -32 }
    static var duplicateEnds: Int { -40 }
    static var lateEvents: Int { -48 }
    static var refusedEvents: Int { -56 }
    static var noStacks: Int { -64 }
    /// The size of all words, which keeps the block aligned.
    static var size: Int { 64 }
  }

  fileprivate init(store: RecorderStore, clock: RecorderClock) {
    readsTicks = store.readsTicks
    systemClock = clock.systemClock
    ownCounters = .allocate(byteCount: RecordingLayout.Session.sampledSize, alignment: 8)
    ownCounters.initializeMemory(
      as: UInt8.self, repeating: 0, count: RecordingLayout.Session.sampledSize)
    hitchLimit = store.options.hitchDumps?.minimumHitch.nanoseconds ?? .max
    motion = store.options.isSelective ? MotionMeter() : nil
    measuresFrames = store.options.measuresFrames
    defaultSurface = store.surface("display")
    self.store = Unmanaged.passRetained(store)
    owner = nil
    nextOfAll = nil
  }
}

extension UnsafeMutablePointer<ControlBlock> {
  fileprivate static func make(store: RecorderStore, options: RecorderOptions) -> Self {
    let size = ControlBlock.Word.size
    let start = UnsafeMutableRawPointer.allocate(
      byteCount: size + MemoryLayout<ControlBlock>.size, alignment: size)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let control = (start + size).bindMemory(to: ControlBlock.self, capacity: 1)
    control.initialize(to: ControlBlock(store: store, clock: options.clock))
    control.mode = options.isEnabled ? RecorderMode.on : RecorderMode.off
    control.holdsFile = true
    control.session = store.session
    if case .manual(let start) = options.clock { control.manualTime = start.nanoseconds }
    return control
  }

  /// A word, for which an offset is enough: passing a property inout would count as a change of the
  /// whole value.
  @inlinable @inline(__always)
  func word(_ offset: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) + offset }

  /// The recorder's mode; see `RecorderMode`.
  @inlinable @inline(__always)
  var mode: UInt64 {
    get { scrolltrace_load(word(ControlBlock.Word.mode)) }
    nonmutating set { scrolltrace_store(word(ControlBlock.Word.mode), newValue) }
  }

  func changeMode(from old: UInt64, to new: UInt64) {
    _ = scrolltrace_replace(word(ControlBlock.Word.mode), old, new)
  }

  var manualTime: Int64 {
    get { Int64(bitPattern: scrolltrace_load(word(ControlBlock.Word.manualTime))) }
    nonmutating set {
      scrolltrace_store(word(ControlBlock.Word.manualTime), UInt64(bitPattern: newValue))
    }
  }

  /// The counters of lost events: the payload of the session blob in the file, or `ownCounters` once
  /// the file is complete. Only a thread inside the recorder may use it.
  var session: UnsafeMutableRawPointer {
    get {
      let address = scrolltrace_load(word(ControlBlock.Word.session))
      return UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: address))
        .unsafelyUnwrapped
    }
    nonmutating set {
      scrolltrace_store(word(ControlBlock.Word.session), UInt64(UInt(bitPattern: newValue)))
    }
  }

  /// Whether the file is still in memory. It changes under the recorder's lock.
  var holdsFile: Bool {
    get { scrolltrace_load(word(ControlBlock.Word.holdsFile)) != 0 }
    nonmutating set { scrolltrace_store(word(ControlBlock.Word.holdsFile), newValue ? 1 : 0) }
  }

  /// The number of events refused because their thread was inside the recorder.
  var refusedCount: UInt64 { scrolltrace_load(word(ControlBlock.Word.refusedEvents)) }

  /// Counts a repeated end of a span or an interaction.
  func countDuplicateEnd() { scrolltrace_add(word(ControlBlock.Word.duplicateEnds), 1) }

  /// Counts an event after the recording ended. Such events are in the file only as far as they
  /// happened before it was complete.
  func countLate() { scrolltrace_add(word(ControlBlock.Word.lateEvents), 1) }

  /// Counts an event whose thread was inside the recorder.
  func countRefused() { scrolltrace_add(word(ControlBlock.Word.refusedEvents), 1) }

  /// Whether the host keeps stacks from being sampled.
  var hasNoStacks: Bool { scrolltrace_load(word(ControlBlock.Word.noStacks)) != 0 }

  /// Adds 1 to a counter of the session blob, on a thread inside the recorder.
  func count(_ offset: Int) { scrolltrace_add(session + offset, 1) }

  /// The losses so far, read under the recorder's lock or in a forked child.
  var losses: RecorderLosses {
    func count(_ cause: DropReason) -> UInt64 {
      let own = UInt64(littleEndian: scrolltrace_load(pointee.ownCounters + cause.offset))
      guard holdsFile, mode != RecorderMode.cut else { return own }
      let page = pointee.store.takeUnretainedValue().session
      return own &+ UInt64(littleEndian: scrolltrace_load_acquire(page + cause.offset))
    }
    return RecorderLosses(
      outOfSpace: count(.outOfSpace), recordTooLarge: count(.recordTooLarge),
      afterFinish: count(.afterFinish) &+ scrolltrace_load(word(ControlBlock.Word.lateEvents)),
      insideRecorder: refusedCount, hasNoStacks: hasNoStacks,
      endedTwice: scrolltrace_load(word(ControlBlock.Word.duplicateEnds)))
  }
}

/// The values of a control block's mode.
@usableFromInline
enum RecorderMode {
  /// The host turned recording off.
  @inlinable static var off: UInt64 { 0 }
  @inlinable static var on: UInt64 { 1 }
  /// The file was cut or replaced while it was recorded. Events are counted as lost.
  @inlinable static var cut: UInt64 { 2 }
  /// Finished. Events are counted as lost.
  @inlinable static var closed: UInt64 { 3 }
  /// In a forked child: nothing may be written, not even a count.
  @inlinable static var forked: UInt64 { 4 }
  /// The recorder is gone, and nothing but the control block is left.
  @inlinable static var freed: UInt64 { 5 }
}

/// The handlers for forks and for the end of a thread.
enum ProcessHooks {
  /// The key whose destructor runs at a thread's end. Its value is the thread's first writer.
  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { first in
      #if canImport(Darwin)
        ProcessHooks.threadEnds(first)
      #else
        if let first { ProcessHooks.threadEnds(first) }
      #endif
    }
    return key
  }()

  /// Registers the fork handler once.
  ///
  /// Everything that the handler uses is initialized before: if another thread were initializing it
  /// at the time of the fork, the child would wait for that thread forever.
  private static let forkHandler: Int32 = {
    _ = (firstWriter, ProcessMemory.newestControl)
    // No other thread holds the lock in the child, which would never be unlocked there.
    return pthread_atfork(
      { ProcessMemory.lock() }, { ProcessMemory.unlock() },
      {
        ProcessMemory.unlock()
        ProcessHooks.childBegins()
      })
  }()

  /// Creates a control block that a forked child will find.
  static func makeControl(
    store: RecorderStore, options: RecorderOptions
  ) -> UnsafeMutablePointer<ControlBlock> {
    _ = forkHandler
    ProcessMemory.releaseFinished()
    let control = UnsafeMutablePointer.make(store: store, options: options)
    ProcessMemory.add(control)
    store.begin(with: control)
    return control
  }

  /// Turns off all recorders in the child, which shares the mapped files with its parent.
  private static func childBegins() {
    scrolltrace_set_writer(nil)
    // That file is about the parent's thread.
    scrolltrace_close_thread_times()
    var own = firstWriter
    while let writer = own {
      // Ending an open span then has no effect.
      writer.limit = 0
      own = writer.pointee.nextOfThread
    }
    var next = ProcessMemory.newestControl
    while let control = next {
      if control.mode != RecorderMode.freed { control.mode = RecorderMode.forked }
      next = control.pointee.nextOfAll
    }
  }

  /// The first of the calling thread's writers.
  static var firstWriter: UnsafeMutablePointer<ThreadWriter>? {
    get { pthread_getspecific(threadKey)?.assumingMemoryBound(to: ThreadWriter.self) }
    set { pthread_setspecific(threadKey, newValue) }
  }

  /// Gives back the calling thread's writers of finished recordings. The thread is inside the
  /// recorder and finds another writer next.
  static func giveRetiredWriters() {
    var before: UnsafeMutablePointer<ThreadWriter>?
    var next = firstWriter
    while let writer = next {
      next = writer.pointee.nextOfThread
      if writer.isRetired {
        if let before { before.pointee.nextOfThread = next } else { firstWriter = next }
        ProcessMemory.give(writer)
      } else {
        before = writer
      }
    }
  }

  /// Releases the writers of a thread.
  private static func threadEnds(_ first: UnsafeMutableRawPointer) {
    scrolltrace_set_writer(nil)
    scrolltrace_close_thread_times()
    var next: UnsafeMutablePointer<ThreadWriter>? = first.assumingMemoryBound(to: ThreadWriter.self)
    while let writer = next {
      next = writer.pointee.nextOfThread
      let control = writer.pointee.control
      guard control.mode != RecorderMode.forked else { continue }
      if let store = ProcessMemory.store(of: control) {
        writer.forgetSampledThread()
        scrolltrace_enter()
        store.release(writer)
        scrolltrace_leave(nil)
      } else {
        ProcessMemory.give(writer)
      }
    }
  }
}
