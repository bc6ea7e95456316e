package import ScrollTraceModel

/// An estimate of the hitches of a surface if it had always been in motion, for surfaces with
/// unknown interactions (M-5).
///
/// The hitch time is an upper bound. The ratio is not, because a part of the time may be worse than
/// the whole.
package struct AlwaysMovingEstimate: Equatable, Sendable {
  /// The hitch time of all gaps between frames.
  package let hitchTime: TimeSpan
  /// The measured time: the selected part of the recording.
  package let duration: TimeSpan
  /// The number of hitches.
  package let hitchCount: Int
  /// The longest hitch, or zero if there is none.
  package let longestHitch: TimeSpan

  /// The hitch time ratio, or `nil` if the recording has no length.
  package var ratio: HitchTimeRatio? { HitchTimeRatio(hitchTime: hitchTime, duration: duration) }
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
    let lengths = hitches.map(\.lengthInMotion).filter { $0 > .zero }
    return AlwaysMovingEstimate(
      hitchTime: lengths.reduce(.zero, +), duration: moving.measuredTime.duration,
      hitchCount: lengths.count, longestHitch: lengths.max() ?? .zero)
  }
}
