import ScrollTraceModel

/// Several cells prepared in one late frame although the commits before left enough idle time for them. A
/// single one is the slow thing itself.
struct PreparedOnDemandWhileIdle: FindingRule {
  static let id = FindingID.preparedOnDemandWhileIdle
  /// One cell cannot be spread over several frames.
  private static let minimumCells = 2

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let work = context.lateWork(list.evidence.onDemand) {
        context.idle[$0.window] >= $0.total && $0.count >= Self.minimumCells
      }
      guard let work else { return nil }
      let idle = work.sums.reduce(TimeSpan.zero) { $0 + context.idle[$1.window] }
      return finding(
        of: list, work,
        PlainEvidence(
          title: "cells are prepared only when they are needed",
          sentence: "\(work.measures.lateCells), after commits that left \(idle) of idle time",
          facts: [("idleNs", .time(idle))],
          fix: "Prepare the next cells one at a time right after a short commit, in its idle"
            + " time\(.prepareAhead, of: context.toolkit)."), in: context, certainty: .organization)
    }
  }
}
