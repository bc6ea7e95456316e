internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The time from start to exit of `scrolltrace --version`, compared with a Swift program without
/// Foundation that prints a line.
struct StartBenchmark: Benchmark {
  let name = "start.version"
  private let rounds = 101

  /// The reason nothing was measured.
  struct StartError: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) cannot be run; build all products first" }
  }

  func run() throws -> BenchResult {
    let own = CommandLine.arguments.first ?? ""
    let folder = own.lastIndex(of: "/").map { String(own[...$0]) } ?? "./"
    var values: [Double] = []
    var ratios: [Double] = []
    for round in 0...rounds {
      let plain = try Self.time(folder + "scrolltrace-bench-line", [])
      let value = try Self.time(folder + "scrolltrace", ["--version"])
      if round == 0 { continue }
      values.append(value)
      ratios.append(value / plain)
    }
    return BenchResult(
      name: name, value: Rounds.median(values) / 1e6, unit: "ms",
      reference: "a Swift program that prints a line", ratio: Rounds.median(ratios),
      rounds: rounds)
  }

  /// Returns the nanoseconds from a program's start to its exit; its output is discarded.
  private static func time(_ path: String, _ arguments: [String]) throws -> Double {
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var child = pid_t()
    let start = scrolltrace_clock(CLOCK_MONOTONIC)
    guard posix_spawn(&child, path, &actions, nil, words, environ) == 0 else {
      throw StartError(path: path)
    }
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child, status == 0 else { throw StartError(path: path) }
    return Double(scrolltrace_clock(CLOCK_MONOTONIC) - start)
  }
}
