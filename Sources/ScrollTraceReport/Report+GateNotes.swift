import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel

extension Report {
  /// So many runs are told that have no data.
  private static let mostRunsWithoutData = 3

  /// What stands beside the answers of the budget: the verdict's notes, and for what could not be
  /// judged why the traces have no data, and what to do next.
  var gateNotes: [VerdictNote] {
    guard verdict != .withoutBudget else { return [] }
    return verdict.notes + notesOnMissingData
  }

  private var notesOnMissingData: [VerdictNote] {
    guard verdict.results.contains(where: { $0.status == .notEvaluated && $0.runs == 0 }) else {
      return []
    }
    let empty = runs.filter { $0.evaluatedPrimarySurface?.ratio == nil }
    let told = empty.prefix(Self.mostRunsWithoutData).map { run in
      let text = TextRun(run, style: TextStyle(width: 200))
      let knowsLength = run.isEvaluated && !text.listsHitchesOfUnknownTime
      let next = knowsLength ? text.nextStep : text.nextWithoutData
      return VerdictNote(
        .noData, .warning,
        "\(text.nameEnding(run.trace.source.path, 80)) has no hitch time ratio:"
          + " \(text.reasonForNoData)" + (next.map { "; next: \($0.text)" } ?? ""))
    }
    let more = empty.count - told.count
    return told
      + (more > 0 ? [VerdictNote(.noData, .warning, "so have \(more) more traces")] : [])
  }
}
