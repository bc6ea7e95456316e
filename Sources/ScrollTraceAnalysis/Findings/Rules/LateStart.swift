import ScrollTraceModel

/// Late frames whose commit began long after the frame's time had (M-16).
struct LateStart: FindingRule {
  static let id = FindingID.lateStart

  func findings(in context: FindingContext) -> [Finding] {
    findings(of: \.lateStart, in: context) { group, _ in
      PlainEvidence(
        title: "commits start late",
        sentence:
          "in \(group.total) of \(group.windows) of \(group.count, "hitch", "hitches") the frame's"
          + " time had started, and its commit had not",
        fix:
          "Start frames from the display's own callback at the highest priority; look for late timers"
          + " and for work that is queued before the frame.")
    }
  }
}
