import ScrollTraceModel

extension FindingID {
  package static let longTask = FindingID("longTask")
}

/// Work of one name that most of the hitch time is attributed to (M-16).
struct LongTask: FindingRule {
  static let id = FindingID.longTask
  static let thresholds: [any NamedThreshold] = [FindingThresholds.explainedShare]

  func findings(in context: FindingContext) -> [Finding] {
    let causes = context.workCauses(atLeast: FindingThresholds.explainedShare.value)
    return causes.filter { !isNamedElsewhere($0.work, in: context) }.map { cause in
      var details = Finding.Details(work: cause.work, share: cause.share)
      details.topic = WorkTopic(cause.work)
      var finding = finding(of: .surface(cause.surface.name), cause.evidence, details: details)
      finding.proposedChange = .speedup(cause.work, percent: 0)
      return finding
    }
  }

  /// Returns a Boolean value indicating whether other rules examine the work.
  private func isNamedElsewhere(_ work: WorkName, in context: FindingContext) -> Bool {
    let name = work.name ?? ""
    return WorkCause.isFrameOfOtherWork(work) || HeavyWillDisplay.isWillDisplay(name)
      || ListWord(category: work.category, name: name) != nil || WorkTopic(work) == .cells
      || context.hasFinding(.expensiveItem, about: work)
  }
}
