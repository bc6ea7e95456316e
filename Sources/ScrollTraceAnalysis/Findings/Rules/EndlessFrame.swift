import ScrollTraceModel

extension FindingID {
  package static let endlessFrame = FindingID("endlessFrame")
}

/// A frame that was open for long when the recording ended, outside of motions: the host hung in it, or
/// was ended there.
struct EndlessFrame: FindingRule {
  static let id = FindingID.endlessFrame
  static let thresholds: [any NamedThreshold] = [
    FindingThresholds.openFrame, FindingThresholds.explainedShare,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    context.surfaces.compactMap { surface in
      surface.openFrame.map { finding(of: $0, on: surface, in: context) }
    }
  }

  private func finding(
    of open: OpenFrame, on surface: SurfaceAnalysis, in context: FindingContext
  ) -> Finding {
    var evidence = Finding.Evidence(count: 1)
    evidence.total = open.window.length
    evidence.worst = Finding.Occurrence(frame: open.frame, time: open.window.start)
    var details = Finding.Details(work: open.span)
    if let account = context.samples?.openFrames[surface.surface], account.samples > 0 {
      details.hasSamples = true
      details.of = account.samples
      // Where no span is open, the function says more.
      if let code = account.unrecorded, !account.isOnlyOrder,
        FindingContext.isPart(
          FindingThresholds.explainedShare.value, code.time, of: account.sampled)
      {
        details.work = WorkName(category: "", name: code.function)
      }
    }
    // Hitches cost refreshes; this may have cost the app.
    details.isMainCause = open.window.length > (surface.hitchTime ?? .zero)
    return finding(of: .surface(surface.name), evidence, details: details)
  }
}
