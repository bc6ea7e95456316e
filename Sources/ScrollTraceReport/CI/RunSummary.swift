import ScrollTraceAnalysis
import ScrollTraceModel

/// A run in one sentence, for forms that have no room for a report.
struct RunSummary {
  let run: Analysis
  /// The rating in capitals, or that there is no data.
  let word: String
  /// The ratio with the deadline misses and the worst hitch, or the reason for no data.
  let text: String
  /// The end of the trace's path.
  let path: String

  /// Creates the summary of the primary surface of `run`.
  init(_ run: Analysis) {
    let messages = TextRun(run, style: TextStyle(width: 200))
    self.run = run
    word = run.isEvaluated ? messages.verdictWord.plain : "NO DATA"
    text =
      run.isEvaluated
      ? messages.surface.map(messages.summary) ?? "" : messages.reasonForNoData
    path = messages.nameEnding(run.trace.source.path, 100)
  }

  /// The rating of the primary surface, or `nil` without data.
  var rating: Rating? {
    run.evaluatedPrimarySurface?.ratio.map {
      run.options.thresholds.rating(of: $0.millisecondsPerSecond)
    }
  }
}
