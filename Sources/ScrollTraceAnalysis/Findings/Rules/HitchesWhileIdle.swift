import ScrollTraceModel

/// Hitches during which the main thread was mostly idle, and the work of other threads in that time.
struct HitchesWhileIdle: FindingRule {
  static let id = FindingID.hitchesWhileIdle

  func findings(in context: FindingContext) -> [Finding] {
    findings(of: \.idle, in: context) { group, surface in
      let meanwhile = WorkMeanwhile(in: group.ranges, on: surface, context)
      let runs = meanwhile.phrase { " \($0.work) runs and" }
      let ran = meanwhile.phrase {
        ", and \($0.work) ran on \(threads: $0.threads) for \($0.time)"
      }
      // It may have been a pause in what the user says moved.
      let otherwise: Phrase =
        context.options.namesInteractions && group.isOfLongDelays
        ? HitchGroup.fixOfPause
        : "Look for the cause off the main thread: another thread or process, the display, or a frame"
          + " that was asked for late. Mark waits to see them."
      return PlainEvidence(
        title: "frames are late while\(runs) the main thread has nothing to do",
        sentence:
          "in \(group.count, "hitch", "hitches") the main thread was idle for \(group.total) of"
          + " \(group.windows)\(ran)",
        facts: [
          ("work", .name(meanwhile?.work.name)),
          ("threads", .names(meanwhile?.threads.distinct ?? [])),
          ("workNs", .time(meanwhile?.time)),
        ], fix: meanwhile.phrase { $0.fix(in: context.toolkit) }.ifEmpty(otherwise))
    }
  }
}
