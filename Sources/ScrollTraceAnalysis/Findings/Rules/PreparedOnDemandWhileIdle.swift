import ScrollTraceModel

extension FindingID {
  package static let preparedOnDemandWhileIdle = FindingID("preparedOnDemandWhileIdle")
}

/// Cells prepared in late frames although the commits before left enough idle time for them.
struct PreparedOnDemandWhileIdle: FindingRule {
  static let id = FindingID.preparedOnDemandWhileIdle
  static let proposedChange: ProposedChange? = .prepareWhenIdle
  static let thresholds: [any NamedThreshold] = [FindingThresholds.lateFrameShare]

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      let work = context.lateWork(list.evidence.onDemand) { context.idle[$0.window] >= $0.total }
      guard let work else { return nil }
      let idle = work.sums.reduce(TimeSpan.zero) { $0 + context.idle[$1.window] }
      return finding(
        of: .list(list.name), work.evidence, details: Finding.Details(time: idle))
    }
  }
}
