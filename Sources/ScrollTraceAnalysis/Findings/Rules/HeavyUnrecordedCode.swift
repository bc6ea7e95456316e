import ScrollTraceModel

extension FindingID {
  package static let unrecordedCode = FindingID("unrecordedCode")
}

/// A function without a span that fills late frames, by the samples of the recorder (M-26).
struct HeavyUnrecordedCode: FindingRule {
  static let id = FindingID.unrecordedCode

  func findings(in context: FindingContext) -> [Finding] {
    // Other tools' traces have spans of their own making.
    guard let samples = context.samples, context.trace.source.format == "fxt" else { return [] }
    return context.evaluatedSurfaces.compactMap { surface in
      guard let account = samples.hitches[surface.surface], !account.isOnlyOrder,
        let code = account.unrecorded,
        FindingContext.isPart(
          FindingThresholds.lateFrameShare.value, code.time, of: account.length)
      else { return nil }
      var evidence = Finding.Evidence(count: code.samples)
      evidence.total = code.time
      if let cause = surface.causes.first(where: { $0.kind == .unrecorded }) {
        let share = FindingContext.share(code.time, of: code.whole)
        evidence.hitches = cause.hitchCount
        evidence.hitchTime = cause.hitchTime.scaled(by: min(1, share))
        evidence.worst = Finding.Occurrence(frame: cause.worstFrame, time: cause.worstAt)
      }
      let work = WorkName(category: "", name: code.function)
      return finding(
        of: .surface(surface.name), evidence,
        details: Finding.Details(
          work: work, share: FindingContext.share(code.time, of: account.length)))
    }
  }
}

extension TimeSpan {
  /// A part of the time, 0 to 1.
  fileprivate func scaled(by share: Double) -> TimeSpan {
    let part = (Double(nanoseconds) * share).rounded()
    return TimeSpan(nanoseconds: Int64(exactly: part) ?? nanoseconds)
  }
}
