internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A thread of the recorder. It blocks the host's signals and needs little memory.
struct HelperThread {
  private let thread: pthread_t

  /// Starts a thread that runs `body` with `object`, or returns `nil` if the system cannot create
  /// it.
  static func start(
    _ name: StaticString, _ object: RecorderStore,
    _ body: @escaping @Sendable (RecorderStore) -> Void
  ) -> HelperThread? {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 256 << 10)
    scrolltrace_set_quality_of_service(&attributes)
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // The thread reads and writes mapped files: a page that is gone kills a process that blocks this.
    sigdelset(&all, SIGBUS)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(
      Work {
        scrolltrace_name_thread(name.utf8Start)
        body(object)
      })
    #if canImport(Darwin)
      var thread: pthread_t?
      let error = pthread_create(&thread, &attributes, { Work.run($0) }, work.toOpaque())
      if error == 0, let thread { return HelperThread(thread: thread) }
    #else
      var thread = pthread_t()
      let error = pthread_create(
        &thread, &attributes, { $0.flatMap { Work.run($0) } }, work.toOpaque())
      if error == 0 { return HelperThread(thread: thread) }
    #endif
    work.release()
    return nil
  }

  func join() { pthread_join(thread, nil) }

  /// A thread's work. A class, because a thread receives only a pointer.
  private final class Work {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      return nil
    }
  }
}
