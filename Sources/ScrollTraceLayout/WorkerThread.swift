internal import CRecorderShims
internal import ScrollTracePlatform

/// A thread that runs a closure. It must be joined or detached.
package struct WorkerThread {
  private let thread: pthread_t

  /// The work of a thread. A class, because a thread receives only a pointer.
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      return nil
    }
  }

  /// Starts a thread, or returns `nil` if the system cannot create it.
  ///
  /// - Parameters:
  ///   - stackSize: The size of the stack, by default the same on every system.
  ///   - hasQualityOfService: Whether the system is told how urgent a recorder's own work is.
  ///   - body: The work.
  package init?(
    stackSize: Int = 8 << 20, hasQualityOfService: Bool = false,
    _ body: @escaping @Sendable () -> Void
  ) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackSize)
    if hasQualityOfService { scrolltrace_set_quality_of_service(&attributes) }
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var created: pthread_t?
      let error = pthread_create(&created, &attributes, { Work.run($0) }, work.toOpaque())
    #else
      var handle = pthread_t()
      let error = pthread_create(
        &handle, &attributes, { $0.flatMap { Work.run($0) } }, work.toOpaque())
      let created: pthread_t? = handle
    #endif
    guard error == 0, let created else {
      work.release()
      return nil
    }
    thread = created
  }

  /// Waits for the end of the closure.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread run on by itself.
  package func detach() { pthread_detach(thread) }
}
