internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Ten minutes of scrolling over a million items in virtual time, recorded into a file and read up
/// to the finished report.
struct EngineBenchmark: Benchmark {
  enum Part {
    case recording, reading
  }

  let name: String
  let part: Part

  func run() throws -> BenchResult {
    let path = ScratchFile.path("trace")
    defer { unlink(path) }
    var configuration = EngineConfiguration(content: ListContent(feedOf: 1_000_000, seed: 1))
    configuration.policies = .best
    let script = ScrollScript.reading(for: 600_000_000_000, seed: 1)
    var milliseconds: [Double] = []
    for round in 0...Rounds.readerCount {
      let record = try Rounds.time { try Self.record(configuration, script, to: path) }
      let read = try Rounds.time { try ReaderBenchmark.report(on: path) }
      if round > 0 { milliseconds.append((part == .recording ? record : read) / 1e6) }
    }
    return BenchResult(
      name: name, value: Rounds.median(milliseconds), unit: "ms", rounds: Rounds.readerCount)
  }

  static func record(
    _ configuration: EngineConfiguration, _ script: ScrollScript, to path: String
  ) throws {
    let clock = VirtualClock()
    var options = RecorderOptions.virtual(clock.recorderClock)
    options.replacesExistingFile = true
    let recorder = try TraceRecorder(writingTo: path, options: options)
    ListEngine(configuration, clock: clock, recorder: recorder).run(script)
    try recorder.finish()
  }
}
