import Foundation

/// Real threads, which end before the call returns.
enum TestThread {
  static func run(_ body: @escaping @Sendable () -> Void) {
    run(1) { _ in body() }
  }

  /// Runs `count` threads at once, each with a large enough stack.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    for index in 0..<count {
      let box = Unmanaged.passRetained(Box { body(index) }).toOpaque()
      #if canImport(Darwin)
        var thread: pthread_t?
        pthread_create(&thread, nil, { TestThread.start($0) }, box)
        if let thread { threads.append(thread) }
      #else
        var thread = pthread_t()
        pthread_create(&thread, nil, { $0.flatMap { TestThread.start($0) } }, box)
        threads.append(thread)
      #endif
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  private static func start(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }

  private final class Box {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
}
