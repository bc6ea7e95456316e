#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A thread that runs one closure and ends.
///
/// A class, since the system hands a thread a single pointer.
package final class DetachedThread {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  /// Runs `body` on a thread of its own; `false` where the system has no more threads.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(DetachedThread(body))
    let isStarted = create(box.toOpaque())
    if !isStarted { box.release() }
    return isStarted
  }

  private static func create(_ box: UnsafeMutableRawPointer) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(&thread, nil, { DetachedThread.run($0) }, box)
      if let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, { DetachedThread.run($0) }, box)
      if status == 0 { pthread_detach(thread) }
    #endif
    return status == 0
  }

  private static func run(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box else { return nil }
    Unmanaged<DetachedThread>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }
}
