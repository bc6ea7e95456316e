import ScrollTraceImport
import ScrollTraceKit

/// Reports of all kinds on a made-up trace.
enum FuzzReports {
  private static let maximumBytes = 16 << 20

  /// A recording with a hitch, for the other side of a comparison.
  private static let other: Analysis? = {
    let trace = try? TraceFile.read(MemoryByteSource(FuzzSeeds.recording()))
    return trace.map { TraceAnalyzer().analyze($0) }
  }()

  /// Renders the report in all forms, with and without a verdict.
  static func run(_ trace: Trace) {
    let run = TraceAnalyzer().analyze(trace)
    renderAll(Report([run]))
    var options = AnalysisOptions()
    options.isAlwaysMoving = true
    let moving = TraceAnalyzer(options).analyze(trace)
    let verdict = FuzzGate.strict?.verdict(on: [moving]) ?? .withoutBudget
    renderAll(Report([moving], verdict: verdict))
    guard let frames = trace.surfaces.first(where: { $0.frames.count > 0 })?.frames else { return }
    renderForReading(Report([run], frame: frames[frames.count - 1].id))
  }

  /// What would go without each cause, and with faster work at absurd rates.
  static func predict(_ trace: Trace) {
    var options = AnalysisOptions()
    options.isAlwaysMoving = true
    for run in [TraceAnalyzer().analyze(trace), TraceAnalyzer(options).analyze(trace)] {
      let all = PredictionReport(of: run)
      let some = PredictionReport(
        of: run,
        speedups: run.trace.mainWork.prefix(3).map { PredictionReport.Speedup($0, factor: 2) },
        refreshIntervals: [TimeSpan(nanoseconds: 1), TimeSpan(nanoseconds: .max)])
      renderForReading(Report(predictions: [all, some]))
    }
  }

  /// Compares in both directions, and with itself.
  static func compare(_ trace: Trace) {
    guard let other else { return }
    let run = TraceAnalyzer().analyze(trace)
    for comparison in [
      Comparison(base: [other], new: [run]), Comparison(base: [run], new: [other]),
      Comparison(base: [run, other, run], new: [other, run]),
    ] {
      let verdict = Verdict(comparing: comparison.new.runs, with: comparison.base.runs)
      renderForReading(Report(comparison, verdict: verdict))
    }
    precondition(
      [.tooFewRuns, .notEvaluated].contains(Verdict(comparing: [run], with: [run]).outcome),
      "a recording differs from itself")
    let base = Array(
      repeating: RunValuesByMetric(of: other, subjects: [.primary]), count: 4)
    let verdict = FuzzGate.strict?.verdict(
      on: [run, other, run, other], baseline: Baseline.Group(name: "", runs: base))
    renderAll(Report([run, other, run, other], verdict: verdict ?? .withoutBudget))
  }

  private static func renderForReading(_ report: Report) {
    check(report, TextRenderer(), isJSON: false)
    check(report, TextRenderer(TextStyle(isFull: true)), isJSON: false)
    check(report, HTMLRenderer(), isJSON: false)
    check(report, MarkdownRenderer(), isJSON: false)
    check(report, JSONRenderer(includesSeries: true), isJSON: true)
  }

  private static func renderAll(_ report: Report) {
    renderForReading(report)
    check(report, JUnitRenderer(), isJSON: false)
    check(report, GitHubRenderer(), isJSON: false)
    check(report, OpenMetricsRenderer(), isJSON: false)
    check(report, BenchmarkActionRenderer(), isJSON: true)
    check(report, BencherRenderer(), isJSON: true)
  }

  private static func check(_ report: Report, _ renderer: some ReportRenderer, isJSON: Bool) {
    let text = renderer.render(report)
    precondition(text.utf8.count < maximumBytes, "\(renderer): \(text.utf8.count) bytes")
    // No report moves the cursor of a terminal.
    let control = text.utf8.first { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F }
    precondition(control == nil, "\(renderer): the byte \(control ?? 0)")
    guard isJSON else { return }
    do {
      _ = try JSONDocument(text)
    } catch {
      preconditionFailure("\(renderer) is not JSON: \(error)")
    }
  }
}
