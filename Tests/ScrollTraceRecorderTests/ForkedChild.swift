import Foundation

/// A child made by `fork`, which Swift hides since little may be called there.
enum ForkedChild {
  struct NoFork: Error {}

  /// Runs `body` in a child and gives its exit status; `body` must not allocate much or lock.
  ///
  /// A child that hangs is killed after a minute, which its status tells.
  static func run(_ body: () -> Void) throws -> Int32 {
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { throw NoFork() }
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
      body()
      _exit(0)
    }
    var status: Int32 = -1
    for _ in 0..<60_000 {
      if waitpid(child, &status, WNOHANG) != 0 { return status }
      usleep(1_000)
    }
    kill(child, SIGKILL)
    waitpid(child, &status, 0)
    return status
  }
}
