import ScrollTraceModel

/// A frame that was open for long when the recording ended, outside of motions: the host hung in it, or
/// was ended there.
struct EndlessFrame: FindingRule {
  static let id = FindingID.endlessFrame

  func findings(in context: FindingContext) -> [Finding] {
    context.surfaces.compactMap { surface in
      surface.openFrame.flatMap { finding(of: $0, on: surface, in: context) }
    }
  }

  private func finding(
    of open: OpenFrame, on surface: SurfaceAnalysis, in context: FindingContext
  ) -> Finding? {
    let account = context.samples?.openFrames[surface.surface]
    let (time, samples) = (open.window.length, account?.samples ?? 0)
    var work = open.span
    // Where no span is open, the function says more.
    if let account, samples > 0, let code = account.unrecorded, !account.isOnlyOrder,
      code.time.isPart(FindingThresholds.explainedShare, of: account.sampled)
    {
      // The thread waited for events, so it did not hang.
      if code.isIdle { return nil }
      work = WorkName(category: "", name: code.function)
    }
    let mostly = work.phrase { ", mostly in \($0)" }
    let bySamples: Phrase = samples > 0 ? " (\(samples, "sample"))" : ""
    let next: Phrase =
      work != nil
      ? "Move it off the main thread, postpone it, or split it"
      : samples > 0
        ? "Find out what the main thread was doing there"
        : "Find out what the main thread was doing there, with sampled stacks for example"
    // Hitches cost refreshes; this may have cost the app.
    return finding(
      of: .surface(surface.name),
      Finding.Measures(
        count: 1, total: time,
        worst: Finding.Occurrence(frame: open.frame, time: open.window.start)),
      PlainEvidence(
        title: "a frame never ended",
        sentence: "it was open for \(time) when the recording ended\(mostly)\(bySamples)",
        facts: [
          ("category", .name(work?.category)), ("name", .name(work?.name)),
          ("samples", .count(samples)),
        ], fix: "The app hung there, was ended there, or both. \(next)."), in: context, weight: time
    )
  }
}
