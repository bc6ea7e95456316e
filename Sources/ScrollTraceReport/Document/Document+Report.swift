import ScrollTraceAnalysis
import ScrollTraceModel

extension Document {
  /// The document of `report` for forms of a length: the one place that decides what a report says.
  ///
  /// Of a report without a first screen, that is its full text.
  init(_ report: Report, limits: RowLimits, for length: Section.Scope) {
    func words(_ runs: [Analysis]) -> RunMessagesList { RunMessagesList(runs, limits: limits) }
    switch report.content {
    case .runs(let runs):
      let all = words(runs)
      title = Self.title(of: all)
      guard length != .first else {
        sections = RunDocument.firstScreen(all)
        return
      }
      sections =
        all.count == 1 ? all.flatMap(RunDocument.whole) : RunDocument.sections(onSeveral: all)
    case .gate(let runs, _):
      let all = words(runs)
      title = Self.title(of: all)
      sections = GateDocument(report, all).sections(isLong: length == .extended)
    case .comparison(let comparison, let verdict):
      title = "comparison"
      sections = ComparisonDocument.sections(
        comparison, verdict, limits: limits, isFirstScreen: length == .first)
    case .predictions(let predictions):
      title = "predictions"
      sections = predictions.flatMap {
        let surface = $0.surface ?? $0.analysis.primarySurface
        return PredictionDocument(
          RunMessages($0.analysis, surface: surface, limits: limits), $0
        ).sections
      }
    case .summary(let summary, let thresholds):
      let document = SummaryDocument(summary, thresholds: thresholds, limits: limits)
      title = document.title
      sections = document.sections
    case .trend(let trend):
      let document = TrendDocument(trend, limits: limits)
      title = document.title
      sections = document.sections
    case .frame(let runs, let number):
      title = "frame \(number)"
      sections = words(runs).flatMap { FrameDocument.sections($0, frame: number) }
    }
    let scope = length == .first ? .brief : length
    sections.removeAll { $0.blocks.isEmpty || $0.scope != scope && $0.scope != .all }
  }

  private static func title(of runs: RunMessagesList) -> String {
    guard runs.count == 1, let only = runs.first else { return Quantity.count(runs.count, "run") }
    return only.nameEnding(only.trace.source.path, 80)
  }
}
