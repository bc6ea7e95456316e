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
    let measures = Finding.Measures(
      count: 1, total: open.window.length,
      worst: Finding.Occurrence(frame: open.frame, time: open.window.start))
    var evidence = Evidence(time: open.window.length, work: open.span, samples: 0)
    if let account = context.samples?.openFrames[surface.surface], account.samples > 0 {
      evidence.samples = account.samples
      // Where no span is open, the function says more.
      if let code = account.unrecorded, !account.isOnlyOrder,
        FindingContext.isPart(
          FindingThresholds.explainedShare, code.time, of: account.sampled)
      {
        // The thread waited for events, so it did not hang.
        if code.isIdle { return nil }
        evidence.work = WorkName(category: "", name: code.function)
      }
    }
    // Hitches cost refreshes; this may have cost the app.
    return finding(
      of: .surface(surface.name), measures, evidence, in: context, weight: open.window.length)
  }

  private struct Evidence: FindingEvidence {
    let time: TimeSpan
    var work: WorkName?
    var samples: Int

    var title: Phrase { "a frame never ended" }
    var sentence: Phrase {
      let mostly = work.phrase { ", mostly in \($0)" }
      let samples: Phrase = samples > 0 ? " (\(samples, "sample"))" : ""
      return "it was open for \(time) when the recording ended\(mostly)\(samples)"
    }
    var facts: Finding.Facts {
      [
        ("category", .name(work?.category)), ("name", .name(work?.name)),
        ("samples", .count(samples)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      let next: Phrase =
        work != nil
        ? "Move it off the main thread, postpone it, or split it"
        : samples > 0
          ? "Find out what the main thread was doing there"
          : "Find out what the main thread was doing there, with sampled stacks for example"
      return "The app hung there, was ended there, or both. \(next)."
    }
  }
}
