internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One run of a program that was built beside this one, with its output in a file or discarded.
/// Times are nanoseconds.
struct ChildProcess {
  let time: Double
  /// The processor time, of the system too.
  let processorTime: Double
  /// The maximum memory in bytes, which is at least that of this process when it started the child.
  let maximumMemory: Double

  /// The reason nothing was measured.
  struct RunError: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) cannot be run; build all products first" }
  }

  /// Runs the program `name` and waits for its end.
  @discardableResult
  static func run(
    _ name: String, _ arguments: [String], output: String = "/dev/null"
  ) throws -> ChildProcess {
    let own = CommandLine.arguments.first ?? ""
    let path = (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "./") + name
    var copies: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    copies.append(nil)
    defer { for copy in copies { free(copy) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var child = pid_t()
    let start = scrolltrace_clock(CLOCK_MONOTONIC)
    guard posix_spawn(&child, path, &actions, nil, copies, environ) == 0 else {
      throw RunError(path: path)
    }
    var status: Int32 = 0
    var usage = rusage()
    // Exit status 3 says that something was lost, such as by converting, and is a result too.
    guard wait4(child, &status, 0, &usage) == child, status == 0 || status == 3 << 8 else {
      throw RunError(path: path)
    }
    return ChildProcess(
      time: Double(scrolltrace_clock(CLOCK_MONOTONIC) - start),
      processorTime: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
      maximumMemory: Double(usage.ru_maxrss) * memoryUnit)
  }

  /// The number of bytes in which the system counts memory.
  private static var memoryUnit: Double {
    #if canImport(Darwin)
      1
    #else
      1024
    #endif
  }

  private static func nanoseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3
  }
}
