#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A fixed number of system threads, whatever the number of cores.
enum Threads {
  /// Runs `body` on `count` threads, including the calling one, and waits for all.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 1..<max(count, 1) {
      let box = Unmanaged.passRetained(Box(body)).toOpaque()
      #if canImport(Darwin)
        var thread: pthread_t?
        pthread_create(&thread, nil, { Threads.start($0) }, box)
        if let thread { threads.append(thread) }
      #else
        var thread = pthread_t()
        pthread_create(&thread, nil, { $0.flatMap { Threads.start($0) } }, box)
        threads.append(thread)
      #endif
    }
    body()
    for thread in threads { pthread_join(thread, nil) }
  }

  private static func start(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }

  /// A closure behind a pointer; a class because pointers lead to objects only.
  private final class Box {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
