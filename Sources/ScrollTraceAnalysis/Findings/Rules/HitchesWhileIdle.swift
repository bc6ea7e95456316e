import ScrollTraceModel

/// Hitches during which the main thread was mostly idle, and the work of other threads in that time.
struct HitchesWhileIdle: FindingRule {
  static let id = FindingID.hitchesWhileIdle

  func findings(in context: FindingContext) -> [Finding] {
    findings(of: \.idle, in: context) { group, surface in
      let meanwhile = WorkMeanwhile(of: group, on: surface, in: context)
      let runs = meanwhile.phrase { " \($0.work) runs and" }
      let ran = meanwhile.phrase {
        ", and \($0.work) ran on \(threads: $0.threads, of: context.trace) for \($0.time)"
      }
      let threads = meanwhile?.threads.map { context.trace.displayName(of: $0) } ?? []
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
          ("work", .name(meanwhile?.work.name)), ("threads", .names(threads.distinct)),
          ("workNs", .time(meanwhile?.time)),
        ], fix: meanwhile.phrase { Self.fix(of: $0, in: context) }.ifEmpty(otherwise))
    }
  }

  private static func fix(of meanwhile: WorkMeanwhile, in context: FindingContext) -> Phrase {
    let topic = WorkTopic(meanwhile.work)
    if topic == .collection { return WorkTopic.allocateLess + "." }
    let draws =
      [.images, .textures, .shaders].contains(topic) || WorkTopic.draws(meanwhile.work)
      || meanwhile.threads.contains { context.trace.displayName(of: $0).isNameOfDrawingThread }
    return draws
      ? WorkTopic.fix(ofDrawing: meanwhile.work, in: context.toolkit)
      : "If these frames need its results, start it earlier, do less of it, or show a placeholder until it is"
        + " done. The main thread needs no change."
  }
}
