import ScrollTraceAnalysis
import ScrollTraceModel

/// A run in one sentence, for forms that have no room for a report.
struct RunSummary {
  let run: Analysis
  /// The rating in capitals.
  let word: String
  /// The ratio with the deadline misses and the worst hitch, or the reason for no data.
  let text: String
  /// The end of the trace's path.
  let path: String
  /// The rating of the primary surface.
  let rating: Rating

  init(_ run: Analysis) {
    let messages = RunMessages(run)
    self.run = run
    word = messages.headline.word.text
    text =
      run.isEvaluated
      ? messages.verdictSentence
      : messages.reasonForNoData
    path = messages.nameEnding(run.trace.source.path, 100)
    rating = messages.rated?.rating ?? .notMeasurable
  }
}
