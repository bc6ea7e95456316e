import ScrollTraceModel

extension FindingID {
  package static let steadilySlowFrames = FindingID("steadilySlowFrames")
}

/// Frames at an even spacing that is longer than the refresh interval.
struct SteadilySlowFrames: FindingRule {
  static let id = FindingID.steadilySlowFrames

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap(finding)
  }

  private func finding(of surface: SurfaceAnalysis) -> Finding? {
    let streaks = surface.hitchStreaks.filter(\.isSteady)
    guard let longest = streaks.max(by: { ($0.frames, $1.start) < ($1.frames, $0.start) }),
      let spacing = longest.spacing
    else { return nil }
    var evidence = Finding.Evidence(count: streaks.reduce(0) { $0 + $1.frames })
    var lasted = TimeSpan.zero
    var frame: UInt64?
    for streak in streaks {
      let length = (streak.spacing ?? .zero) * Int64(streak.frames - 1)
      lasted += length
      let first = surface.hitches.partitionPoint { $0.range.start >= streak.start }
      let end = surface.hitches.partitionPoint { $0.range.start >= streak.start + length }
      for hitch in surface.hitches[first..<max(first, end)] {
        evidence.hitches += 1
        evidence.hitchTime += hitch.lengthInMotion
      }
      if streak == longest, first < end { frame = surface.hitches[first].frame }
    }
    evidence.total = lasted
    evidence.worst = Finding.Occurrence(frame: frame, time: longest.start)
    return finding(
      of: .surface(surface.name), evidence,
      details: Finding.Details(time: spacing, refreshInterval: surface.refreshInterval))
  }
}
