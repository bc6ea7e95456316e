internal import CRecorderShims
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
