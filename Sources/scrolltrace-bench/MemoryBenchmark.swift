#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The memory used to read a recording up to the finished report, as a ratio of its size.
///
/// The memory of the process itself is measured on a nearly empty recording and subtracted.
struct MemoryBenchmark: Benchmark {
  let name: String

  func run() throws -> BenchResult {
    let path = ScratchFile.path("trace")
    defer { unlink(path) }
    try ReaderBenchmark.record(to: path, frames: 1)
    let minimum = try Self.memoryOfReading(path)
    try ReaderBenchmark.record(to: path, frames: 45_000)
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { throw Failure.child }
    var parts: [Double] = []
    for _ in 0..<Rounds.readerCount {
      parts.append((try Self.memoryOfReading(path) - minimum) / Double(status.st_size))
    }
    return BenchResult(
      name: name, value: Rounds.median(parts), unit: "x the file", rounds: Rounds.readerCount)
  }

  private enum Failure: Error {
    case child
  }

  /// Returns the maximum memory in bytes of a separate process that reads `path`.
  private static func memoryOfReading(_ path: String) throws -> Double {
    let output = ScratchFile.path("memory")
    defer { unlink(output) }
    try ChildProcess.run("scrolltrace-bench", ["read", path], output: output)
    guard let file = fopen(output, "r") else { throw Failure.child }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, CInt(line.count), file) != nil else { throw Failure.child }
    return strtod(line, nil)
  }

  /// Returns the maximum memory of this process so far, in bytes.
  static func highWater() -> Int {
    #if os(Linux)
      // The kernel's maximum resident set size of a process includes its parent's.
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
