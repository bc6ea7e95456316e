#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The maximum memory of the `scrolltrace` command on a recording of 1 GB, and its ratio to the file's size.
struct MemoryBenchmark: Benchmark {
  let name: String
  /// The arguments before the file.
  let command: [String]

  /// The frames of a recording of 1 GB.
  private static let frames = 400_000

  func run() throws -> BenchResult {
    let path = ScratchFile.path("trace")
    defer { unlink(path) }
    // The system counts the memory of a process as its child's too, so another one records.
    try ChildProcess.run("scrolltrace-bench", ["record", path, String(Self.frames)])
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
