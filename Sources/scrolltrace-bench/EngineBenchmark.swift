internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder
internal import ScrollTracePlatform

/// Ten minutes of scrolling over a million items in virtual time, recorded into a file and read up
/// to the finished report.
struct EngineBenchmark: Benchmark {
  enum Part { case recording, reading }

  let name: String
  let part: Part

  func run() throws -> BenchResult {
    let path = ScratchFile.path("trace")
    defer { unlink(path) }
    var configuration = EngineConfiguration(content: ListContent(feedOf: 1_000_000, seed: 1))
    configuration.policies = .best
    let script = ScrollScript.reading(for: 600_000_000_000, seed: 1)
    return try Rounds.medians(name, unit: "ms") {
      let record = try Rounds.time { try Self.record(configuration, script, to: path) }
      let read = try Rounds.time { try ReaderBenchmark.report(on: path) }
      return ((part == .recording ? record : read) / 1e6, nil)
    }
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

/// The report with causes, lists, findings and predictions, compared with the plain one, starting
/// from the file: ten minutes of scrolling over a feed that does everything on the main thread on
/// demand.
struct ExplainBenchmark: Benchmark {
  let name: String

  func run() throws -> BenchResult {
    let path = ScratchFile.path("trace")
    defer { unlink(path) }
    let configuration = EngineConfiguration(content: ListContent(feedOf: 100_000, seed: 1))
    try EngineBenchmark.record(configuration, .reading(for: 600_000_000_000, seed: 1), to: path)
    var plain = AnalysisOptions()
    plain.explains = false
    return try Rounds.medians(name, unit: "ms", reference: "the plain report") {
      let reference = try Rounds.time { try ReaderBenchmark.report(on: path, plain) }
      let time = try Rounds.time { try ReaderBenchmark.report(on: path) }
      return (time / 1e6, time / reference)
    }
  }
}
