internal import CRecorderShims
public import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the hot path needs to know of a recorder.
///
/// It lies in memory of its own that is never freed: other threads may call in at any time, and a
/// recorder that is a plain pointer costs them no reference counting.
@usableFromInline
struct ControlBlock: ~Copyable {
  /// Whether events are taken; see `RecorderMode`. One relaxed load decides.
  @usableFromInline let mode: Atomic<UInt32>
  /// Whether the clock is told from the tick counter.
  let readsTicks: Bool
  /// Which of the system's clocks; `nil` for one of the host's.
  let systemClock: clockid_t?
  /// The time of a manual clock.
  let manualTime: Atomic<Int64>
  /// The number of ends of spans and interactions that had ended before.
  let duplicateEndCount = Atomic<UInt64>(0)
  /// The payload of the session blob, in place.
  let session: UnsafeMutableRawPointer
  /// Everything that is needed rarely; retained for ever.
  let store: Unmanaged<RecorderStore>
  /// The surface frames belong to where the host names none.
  let defaultSurface: RecordedSurface
  /// The shortest hitch after which a dump is wanted; the greatest number where none ever is.
  @usableFromInline let hitchLimit: Int64
  /// The next block in the list of all, for a fork's child.
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
    session = store.session
    hitchLimit = store.options.hitchDumps?.limit ?? .max
    defaultSurface = store.surface("display").surface
    self.store = Unmanaged.passRetained(store)
    nextOfAll = nil
  }
}

/// The values of a control block's mode.
@usableFromInline
enum RecorderMode {
  /// Switched off by the host.
  @inlinable static var off: UInt32 { 0 }
  /// Recording.
  @inlinable static var on: UInt32 { 1 }
  /// Finished; calls are counted as lost.
  @inlinable static var closed: UInt32 { 2 }
  /// In the child of a fork: nothing may be written, not even a count.
  @inlinable static var forked: UInt32 { 3 }
}

/// What has to happen when the process forks and when a thread ends.
enum ProcessHooks {
  /// The last recorder made; the others follow through `nextOfAll`.
  private static let newest = Atomic<UInt>(0)

  /// The key whose destructor runs at a thread's end; its value is the thread's first writer.
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

  /// Registers the handler once.
  ///
  /// What the handler uses has its value before: a child of a process in which another thread was
  /// just about to give it one would wait for that thread forever.
  private static let forkHandler: Int32 = {
    _ = (firstWriter, newest.load(ordering: .relaxed))
    return pthread_atfork(nil, nil) { ProcessHooks.childBegins() }
  }()

  /// Makes a control block that a fork's child will find.
  static func makeControl(
    store: RecorderStore, options: RecorderOptions
  ) -> UnsafeMutablePointer<ControlBlock> {
    _ = forkHandler
    let control = UnsafeMutablePointer<ControlBlock>.allocate(capacity: 1)
    var head = newest.load(ordering: .acquiring)
    control.initialize(
      to: ControlBlock(store: store, isEnabled: options.isEnabled, clock: options.clock))
    while true {
      control.pointee.nextOfAll = UnsafeMutablePointer(bitPattern: head)
      let (exchanged, original) = newest.compareExchange(
        expected: head, desired: UInt(bitPattern: control), ordering: .acquiringAndReleasing)
      if exchanged { return control }
      head = original
    }
  }

  /// Turns all recorders off in the child: it shares the mapped files with its parent.
  private static func childBegins() {
    scrolltrace_set_writer(nil)
    // That file is about the parent's thread.
    scrolltrace_close_thread_times()
    var own = firstWriter
    while let writer = own {
      // Spans that are open look no further when they end.
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

  /// Gives the writers of a thread back.
  private static func threadEnds(_ first: UnsafeMutableRawPointer) {
    scrolltrace_set_writer(nil)
    scrolltrace_close_thread_times()
    var next: UnsafeMutablePointer<ThreadWriter>? = first.assumingMemoryBound(
      to: ThreadWriter.self)
    while let writer = next {
      next = writer.pointee.nextOfThread
      let control = writer.pointee.control
      guard control.pointee.mode.load(ordering: .relaxed) != RecorderMode.forked else { continue }
      control.pointee.store.takeUnretainedValue().release(writer)
    }
  }
}
