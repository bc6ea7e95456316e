#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The memory that a recording takes on its way to the finished report, as a part of its size.
///
/// What a process needs for itself is measured on a recording of next to nothing and taken off.
struct MemoryBenchmark: Benchmark {
  let name: String

  func run() throws -> BenchResult {
    let path = ScratchFile.path("trace")
    defer { unlink(path) }
    try ReaderBenchmark.record(to: path, frames: 1)
    let least = try Self.memoryOfReading(path)
    try ReaderBenchmark.record(to: path, frames: 45_000)
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { throw Failure.child }
    var parts: [Double] = []
    for _ in 0..<Rounds.readerCount {
      parts.append((try Self.memoryOfReading(path) - least) / Double(status.st_size))
    }
    return BenchResult(
      name: name, value: Rounds.median(parts), unit: "x the file", rounds: Rounds.readerCount)
  }

  private enum Failure: Error {
    case child
  }

  /// The most bytes that a process of its own had in memory while it read `path`.
  private static func memoryOfReading(_ path: String) throws -> Double {
    guard let output = popen("'\(CommandLine.arguments[0])' read '\(path)'", "r") else {
      throw Failure.child
    }
    var line = [CChar](repeating: 0, count: 64)
    let hasLine = fgets(&line, CInt(line.count), output) != nil
    guard pclose(output) == 0, hasLine else { throw Failure.child }
    return strtod(line, nil)
  }

  /// The most bytes that this process had in memory so far.
  static func highWater() -> Int {
    #if os(Linux)
      // What the kernel calls the largest set of a process counts that of its parent in.
      guard let status = fopen("/proc/self/status", "r") else { return 0 }
      defer { fclose(status) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, CInt(line.count), status) != nil {
        if strncmp(line, "VmHWM:", 6) == 0 {
          return strtol(Array(line.dropFirst(6)), nil, 10) * 1024
        }
      }
      return 0
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss)
    #endif
  }
}
