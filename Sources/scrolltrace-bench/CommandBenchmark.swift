#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
    let (path, written) = (ScratchFile.path("trace"), ScratchFile.path("written"))
    defer {
      unlink(path)
      unlink(written)
    }
    try source.write(to: path)
    let arguments = command + [path] + (output.map { [$0, written, "--overwrite"] } ?? [])
    var megabytesPerSecond: [Double] = []
    var ratios: [Double] = []
    for round in 0...Rounds.readerCount {
      let (size, plain) = try ReaderBenchmark.readBytes(of: path)
      usleep(200_000)
      let time = try ChildProcess.run("scrolltrace", arguments).processorTime
      if round == 0 { continue }
      megabytesPerSecond.append(Double(size) / time * 1e3)
      ratios.append(time / plain)
    }
    return BenchResult(
      name: name, value: Rounds.median(megabytesPerSecond), unit: "MB/s",
      reference: ReaderBenchmark.peer, ratio: Rounds.median(ratios), rounds: Rounds.readerCount)
  }
}
