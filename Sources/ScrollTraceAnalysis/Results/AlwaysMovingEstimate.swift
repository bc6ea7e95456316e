public import ScrollTraceModel

/// An estimate of the hitches of a surface if it had always been in motion (M-5).
///
/// It is made if the interactions of the surface are unknown. The ratio is no upper bound, because a part of
/// the time may be worse than the whole.
public struct AlwaysMovingEstimate: Codable, Equatable, Sendable {
  /// The hitch time of all gaps between frames, which is an upper bound.
  public let hitchTime: TimeSpan
  /// The hitch time ratio in ms/s, or `nil` if the recording has no length.
  public let hitchTimeRatio: Double?
  /// The number of hitches.
  public let hitches: Int
  /// The longest hitch, or zero if there is none.
  public let longestHitch: TimeSpan
  /// The measured time.
  public let duration: TimeSpan
  /// The hitch time ratio, or `nil` if the recording has no length.
  package private(set) var ratio: HitchTimeRatio?

  private enum CodingKeys: String, CodingKey {
    case hitchTime = "hitchTimeNs", hitchTimeRatio = "hitchTimeRatioMsPerS", hitches
    case longestHitch = "longestHitchNs", duration = "durationNs"
  }

  fileprivate init(of lengths: [TimeSpan], in duration: TimeSpan) {
    hitchTime = lengths.reduce(.zero, +)
    self.duration = duration
    hitches = lengths.count
    longestHitch = lengths.max() ?? .zero
    ratio = HitchTimeRatio(hitchTime: hitchTime, duration: duration)
    hitchTimeRatio = ratio?.millisecondsPerSecond
  }
}

extension SurfacePass {
  /// The estimate, or `nil` if interactions are known or the surface is not evaluated by gaps
  /// alone.
  func conclusionIfMoving(within budget: inout AnalysisResourceLimits) -> AlwaysMovingEstimate? {
    guard surface.basis == .cadence, motions.time.isEmpty, !options.namesInteractions, hasLength
    else { return nil }
    let life = surface.activity ?? trace.range
    let always = Interaction(kind: "always moving", start: life.start, end: life.end)
    let moving = SurfacePass(
      id: id, surface: surface, interactions: [always], trace: trace, options: options,
      workload: workload, selection: selection)
    var hitchPass = HitchPass(pass: moving, attributor: nil, budget: budget)
    let hitches = hitchPass.hitches()
    budget = hitchPass.budget
    guard moving.isEvaluated(with: hitches) else { return nil }
    return AlwaysMovingEstimate(
      of: hitches.map(\.lengthInMotion).filter { $0 > .zero }, in: moving.measuredTime.duration)
  }
}
