import ScrollTraceModel

extension FindingID {
  package static let decodeOnMainThread = FindingID("decodeOnMainThread")
  package static let loadOnMainThread = FindingID("loadOnMainThread")
}

/// Images decoded on the main thread in late frames.
struct DecodeOnMainThread: FindingRule {
  static let id = FindingID.decodeOnMainThread
  static let proposedChange: ProposedChange? = .decodeInBackground
  static let thresholds: [any NamedThreshold] = [FindingThresholds.lateFrameShare]

  func findings(in context: FindingContext) -> [Finding] {
    findings(in: context) { $0.decodes }
  }
}

/// Data loaded on the main thread in late frames.
struct LoadOnMainThread: FindingRule {
  static let id = FindingID.loadOnMainThread
  static let proposedChange: ProposedChange? = .loadInBackground
  static let thresholds: [any NamedThreshold] = [FindingThresholds.lateFrameShare]

  func findings(in context: FindingContext) -> [Finding] {
    findings(in: context) { $0.loads }
  }
}

extension FindingRule {
  /// Returns a finding for each list whose work fills enough of late frames, with the item of the
  /// longest occurrence.
  fileprivate func findings(
    in context: FindingContext, work: (ListEvidence) -> WindowSums
  ) -> [Finding] {
    context.lists.compactMap { list in
      guard let work = context.lateWork(work(list.evidence)) else { return nil }
      return finding(
        of: .list(list.name), work.evidence,
        details: Finding.Details(item: context.item(of: work.longest)))
    }
  }
}
