import ScrollTraceModel

extension Analysis {
  /// The number of causes of each surface in a digest.
  private static let maximumCauses = 4

  /// Returns what a report on many runs and a gate need of the analysis, so that many fit in memory:
  /// every metric, but no frames, spans, attributions, findings or samples.
  package func digest() -> Analysis {
    Analysis(
      trace: trace.digest(keepsFrames: !isEvaluated), options: options, selectedTime: selectedTime,
      surfaces: surfaces.map { $0.digest(maximumCauses: Self.maximumCauses) }, work: work.digest(),
      otherProcesses: [], lists: lists.map { $0.digest() }, samples: nil, findings: [],
      notices: notices, isDigest: true)
  }
}

extension SurfaceAnalysis {
  fileprivate func digest(maximumCauses: Int) -> SurfaceAnalysis {
    var digest = self
    digest.hitches = hitches.map { $0.digest() }
    digest.mainWork = mainWork.digest()
    // Found now, what they are found from is not kept.
    _ = details.value
    digest.hitchStreaks = []
    digest.causes = Array(causes.prefix(maximumCauses))
    digest.lateFrames = []
    return digest
  }
}

extension Hitch {
  fileprivate func digest() -> Hitch {
    var digest = self
    (digest.frameIndex, digest.sourceLabel, digest.pieces) = (nil, nil, [])
    (digest.attribution, digest.originAttribution) = (chargedAttribution?.digest(), nil)
    return digest
  }
}

extension Attribution {
  fileprivate func digest() -> Attribution? {
    // Only the share of time off a core is left, which is known if the system counted.
    guard thread != nil else { return nil }
    return Attribution(
      window: window, causes: [], waiting: waiting, notScheduled: notScheduled, blocked: blocked,
      notRunning: notRunning, lateStart: lateStart, idle: idle, unrecorded: unrecorded,
      occupants: [], estimated: estimated, thread: thread)
  }
}

extension WorkAnalysis {
  fileprivate func digest() -> WorkAnalysis {
    WorkAnalysis(
      window: window, sums: sums, backgroundBusyDuringOverruns: backgroundBusyDuringOverruns,
      longTasks: longTasks.map {
        LongTasks(count: $0.count, length: $0.length, blocking: $0.blocking, longest: [])
      }, tracks: [], largest: largest)
  }
}

extension ListAnalysis {
  fileprivate func digest() -> ListAnalysis {
    var digest = self
    digest.evidence = ListEvidence()
    digest.blank = blank?.digest()
    return digest
  }
}
