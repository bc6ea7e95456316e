import ScrollTraceModel

extension FindingID {
  package static let jumps = FindingID("jumps")
}

/// Cells prepared in late frames for a place more than a view away from the one before, which no list
/// can prepare ahead.
struct Jumps: FindingRule {
  static let id = FindingID.jumps
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.lateFrameShare, FindingThresholds.leastView,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    context.lists.compactMap { list in
      context.lateWork(list.evidence.afterJump).map { finding(of: .list(list.name), $0.evidence) }
    }
  }
}
