import ScrollTraceImport
import ScrollTraceKit

/// What is tried with the bytes of an input.
enum FuzzPart: String, CaseIterable {
  /// All readers: the input's format is found as for any file. Which reader mostly, the seeds say.
  case readers
  /// All exporters, and the readers of what they write.
  case exports
  /// All forms of a report.
  case reports
  /// What would go without the causes of hitches.
  case predictions
  /// Comparisons with another recording, and the gate.
  case comparison
  /// What `inspect` counts.
  case inspection
  /// The reader of a file that is being written.
  case live
  /// The reader of files with the names of functions, and what shortens these.
  case symbols
  /// Budgets and baselines.
  case gate
  /// Lines of summaries, their sums and a report on them.
  case summaries

  func run(_ input: [UInt8]) {
    switch self {
    case .readers: Self.read(input)
    case .exports: Self.trace(input).map(FuzzExports.run)
    case .reports: Self.trace(input).map(FuzzReports.run)
    case .predictions: Self.trace(input).map(FuzzReports.predict)
    case .comparison: Self.trace(input).map(FuzzReports.compare)
    case .inspection: FuzzFiles.inspect(input)
    case .live: FuzzFiles.follow(input)
    case .symbols: FuzzSymbols.run(input)
    case .gate: FuzzGate.run(input)
    case .summaries: FuzzSummaries.run(input)
    }
  }

  private static func trace(_ input: [UInt8]) -> Trace? {
    try? TraceFile.read(MemoryByteSource(input))
  }

  private static func read(_ input: [UInt8]) {
    guard let trace = trace(input) else { return }
    let report = Report([TraceAnalyzer().analyze(trace)])
    let frames = trace.surfaces.first { $0.frames.count > 0 }?.frames
    let length =
      TextRenderer().render(report).utf8.count + JSONRenderer().render(report).utf8.count
      + TextRenderer().render(Report(report.runs, frame: frames?[0].id ?? 0)).utf8.count
    // Small files make small reports: who reads one in CI must not drown in it.
    precondition(length < 16 << 20, "a report of \(length) bytes from \(input.count) bytes")
  }
}
