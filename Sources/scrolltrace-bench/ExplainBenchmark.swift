internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
    var milliseconds: [Double] = []
    var ratios: [Double] = []
    for round in 0...Rounds.readerCount {
      let reference = try Rounds.time { try Self.report(on: path, plain) }
      let time = try Rounds.time { try Self.report(on: path, AnalysisOptions()) }
      if round == 0 { continue }
      milliseconds.append(time / 1e6)
      ratios.append(time / reference)
    }
    return BenchResult(
      name: name, value: Rounds.median(milliseconds), unit: "ms", reference: "the plain report",
      ratio: Rounds.median(ratios), rounds: Rounds.readerCount)
  }

  private static func report(on path: String, _ options: AnalysisOptions) throws {
    let trace = try TraceFile.open(path)
    let report = Report([TraceAnalyzer(options).analyze(trace)])
    if TextRenderer().render(report).isEmpty { Console.warn("no report") }
  }
}
