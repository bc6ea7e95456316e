internal import CRecorderShims
internal import ScrollTracePlatform

/// The processor time of one run of the `scrolltrace` command on a file, start included, compared with
/// reading the file's bytes.
///
/// Each round has a process of its own, whose memory is new, after a pause. That is what a user waits
/// for; a benchmark in one process reads into memory that the system has already cleared.
struct CommandBenchmark: Benchmark {
  let name: String
  let source: ReaderBenchmark.Source
  /// The arguments before the file.
  let command: [String]
  /// The option for a file that the command writes, or `nil` if it writes none.
  var output: String?

  func run() throws -> BenchResult {
    try run(unit: "MB/s") { size, time in size / time * 1e3 }
  }

  /// - Parameter value: Returns the result from the file's size in bytes and the processor time.
  fileprivate func run(
    unit: String, _ value: (_ size: Double, _ time: Double) -> Double
  ) throws -> BenchResult {
    let (path, written) = (ScratchFile.path("trace"), ScratchFile.path("written"))
    defer {
      unlink(path)
      unlink(written)
    }
    try source.write(to: path)
    let arguments = command + [path] + (output.map { [$0, written, "--overwrite"] } ?? [])
    return try Rounds.medians(name, unit: unit, reference: ReaderBenchmark.peer) {
      let (size, plain) = try ReaderBenchmark.readBytes(of: path)
      usleep(200_000)
      let time = try ChildProcess.run("scrolltrace", arguments).processorTime
      return (value(Double(size), time), time / plain)
    }
  }
}

/// The processor time of `scrolltrace analyze` for each frame of a recording of frames without spans.
struct FrameReadingBenchmark: Benchmark {
  let name: String

  static let frames: Int64 = 150_000

  func run() throws -> BenchResult {
    let command = CommandBenchmark(name: name, source: .frames, command: ["analyze"])
    return try command.run(unit: "ns per frame") { $1 / Double(Self.frames) }
  }
}

/// The maximum memory of the `scrolltrace` command on a recording, and its ratio to the file's size.
struct MemoryBenchmark: Benchmark {
  let name: String
  /// The arguments before the file.
  let command: [String]
  var frames = 400_000
  var spansPerThread = 30

  func run() throws -> BenchResult {
    let path = ScratchFile.path("trace")
    defer { unlink(path) }
    // The system counts the memory of a process as its child's too, so another one records.
    try ChildProcess.run(
      "scrolltrace-bench", ["record", path, String(frames), String(spansPerThread)])
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else {
      throw ChildProcess.RunError(path: path)
    }
    let memory = try ChildProcess.run("scrolltrace", command + [path]).maximumMemory
    return BenchResult(
      name: name, value: memory / 1e6, unit: "MB", reference: "the file",
      ratio: memory / Double(status.st_size), rounds: 1)
  }
}

/// The time from start to exit of `scrolltrace --version`, compared with a Swift program without
/// Foundation that prints a line.
struct StartBenchmark: Benchmark {
  let name = "start.version"

  func run() throws -> BenchResult {
    try Rounds.medians(
      name, unit: "ms", reference: "a Swift program that prints a line", rounds: 101
    ) {
      let plain = try ChildProcess.run("scrolltrace-bench-line", []).time
      let value = try ChildProcess.run("scrolltrace", ["--version"]).time
      return (value / 1e6, value / plain)
    }
  }
}

/// One run of a program that was built beside this one, without its output. Times are nanoseconds.
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
  static func run(_ name: String, _ arguments: [String]) throws -> ChildProcess {
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
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
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
