internal import CRecorderShims
internal import ScrollTraceLayout
public import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The part of a recorder's state that the hot path needs.
///
/// It is in memory of its own that is never freed: other threads may call at any time, also after the
/// recording is finished, and a recorder that is a plain pointer requires no reference counting.
@usableFromInline
struct ControlBlock: ~Copyable {
  /// The recorder's mode; see `RecorderMode`. One relaxed load decides.
  @usableFromInline let mode: Atomic<UInt32>
  /// A Boolean value indicating whether the clock is derived from the tick counter.
  let readsTicks: Bool
  /// The system clock, or `nil` for the host's own.
  let systemClock: clockid_t?
  /// The time of a manual clock.
  let manualTime: Atomic<Int64>
  /// The number of repeated ends of spans and interactions.
  let duplicateEndCount = Atomic<UInt64>(0)
  /// The number of events after the recording ended. They are in the file only as far as they
  /// happened before it was complete.
  let lateCount = Atomic<UInt64>(0)
  /// The number of events refused because their thread was inside the recorder.
  let refusedCount = Atomic<UInt64>(0)
  /// The counters of lost events: the payload of the session blob in the file, or `ownCounters` once
  /// the file is complete. Only a thread inside the recorder may use it.
  let session: Atomic<UnsafeMutableRawPointer>
  /// A Boolean value indicating whether the file is still in memory. It changes under the recorder's
  /// lock.
  let holdsFile = Atomic(true)
  /// The counters of a finished recording, with the layout of the session blob.
  let ownCounters: UnsafeMutableRawPointer
  /// The rarely used state, retained forever.
  let store: Unmanaged<RecorderStore>
  /// The surface of frames without an explicit surface.
  let defaultSurface: RecordedSurface
  /// The shortest hitch after which a dump is made, or the maximum if none is.
  @usableFromInline let hitchLimit: Int64
  /// The next block in the list of all recorders, for a forked child.
  var nextOfAll: UnsafeMutablePointer<ControlBlock>?

  init(store: RecorderStore, isEnabled: Bool, clock: RecorderClock) {
    mode = Atomic(isEnabled ? RecorderMode.on : RecorderMode.off)
    readsTicks = store.readsTicks
    systemClock = clock.systemClock
    if case .manual(let start) = clock {
      manualTime = Atomic(start)
    } else {
      manualTime = Atomic(0)
    }
    session = Atomic(store.session)
    ownCounters = .allocate(byteCount: RecordingLayout.Session.sampledSize, alignment: 8)
    ownCounters.initializeMemory(
      as: UInt8.self, repeating: 0, count: RecordingLayout.Session.sampledSize)
    hitchLimit = store.options.hitchDumps?.limit ?? .max
    defaultSurface = store.surface("display").surface
    self.store = Unmanaged.passRetained(store)
    nextOfAll = nil
  }
}

extension ControlBlock {
  /// Adds 1 to a counter of the session blob, on a thread inside the recorder.
  func count(_ offset: Int) {
    scrolltrace_add(session.load(ordering: .relaxed) + offset, 1)
  }

  /// The losses so far, read under the recorder's lock or in a forked child.
  var losses: RecorderLosses {
    func count(_ cause: DropReason) -> UInt64 {
      let own = UInt64(littleEndian: scrolltrace_load(ownCounters + cause.offset))
      guard holdsFile.load(ordering: .relaxed), mode.load(ordering: .relaxed) != RecorderMode.cut
      else { return own }
      let page = store.takeUnretainedValue().session
      return own &+ UInt64(littleEndian: scrolltrace_load_acquire(page + cause.offset))
    }
    return RecorderLosses(
      outOfSpace: count(.outOfSpace), recordTooLarge: count(.recordTooLarge),
      afterFinish: count(.afterFinish) &+ lateCount.load(ordering: .relaxed),
      insideRecorder: refusedCount.load(ordering: .relaxed),
      endedTwice: duplicateEndCount.load(ordering: .relaxed))
  }
}

/// The values of a control block's mode.
@usableFromInline
enum RecorderMode {
  /// The host turned recording off.
  @inlinable static var off: UInt32 { 0 }
  /// Recording.
  @inlinable static var on: UInt32 { 1 }
  /// The file was cut or replaced while it was recorded. Events are counted as lost.
  @inlinable static var cut: UInt32 { 2 }
  /// Finished. Events are counted as lost.
  @inlinable static var closed: UInt32 { 3 }
  /// In a forked child: nothing may be written, not even a count.
  @inlinable static var forked: UInt32 { 4 }
}

/// The handlers for forks and for the end of a thread.
enum ProcessHooks {
  /// The most recent recorder, from which `nextOfAll` leads to the others.
  private static let newest = Atomic<UInt>(0)

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
    _ = (firstWriter, newest.load(ordering: .relaxed))
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
    let control = UnsafeMutablePointer<ControlBlock>.allocate(capacity: 1)
    var head = newest.load(ordering: .acquiring)
    control.initialize(
      to: ControlBlock(store: store, isEnabled: options.isEnabled, clock: options.clock))
    while true {
      control.pointee.nextOfAll = UnsafeMutablePointer(bitPattern: head)
      let (exchanged, original) = newest.compareExchange(
        expected: head, desired: UInt(bitPattern: control), ordering: .acquiringAndReleasing)
      if exchanged {
        store.begin(with: control)
        return control
      }
      head = original
    }
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
    var next = UnsafeMutablePointer<ControlBlock>(
      bitPattern: newest.load(ordering: .relaxed))
    while let control = next {
      control.pointee.mode.store(RecorderMode.forked, ordering: .relaxed)
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
    var next: UnsafeMutablePointer<ThreadWriter>? = first.assumingMemoryBound(
      to: ThreadWriter.self)
    while let writer = next {
      next = writer.pointee.nextOfThread
      let control = writer.pointee.control
      guard control.pointee.mode.load(ordering: .relaxed) != RecorderMode.forked else { continue }
      writer.forgetSampledThread()
      scrolltrace_enter()
      control.pointee.store.takeUnretainedValue().release(writer)
      scrolltrace_leave(nil)
    }
  }
}
