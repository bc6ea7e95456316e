import Foundation

/// A child made by `fork`, which Swift hides since little may be called there.
enum ForkedChild {
  struct NoFork: Error {}

  /// Runs `body` in a child and gives its exit status; `body` must not allocate much or lock.
  static func run(_ body: () -> Void) throws -> Int32 {
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { throw NoFork() }
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
      body()
      _exit(0)
    }
    var status: Int32 = -1
    waitpid(child, &status, 0)
    return status
  }
}
