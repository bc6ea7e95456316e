package import ScrollTraceModel

/// What the hitches of a surface would be had it moved all the time: an assumption, for surfaces of
/// which nobody says when they moved (M-5).
///
/// The hitch time is the most it can be; the ratio is not, since a part of the time may be worse than
/// the whole.
package struct AlwaysMovingEstimate: Hashable, Sendable {
  /// The hitch time of all gaps between frames.
  package let hitchTime: TimeSpan
  /// The time it is measured against: what is selected of the recording.
  package let duration: TimeSpan
  /// How many hitches there would be.
  package let hitchCount: Int
  /// The longest of them; zero where there is none.
  package let longestHitch: TimeSpan

  /// The hitch time ratio, or `nil` if the recording has no length.
  package var ratio: HitchTimeRatio? { HitchTimeRatio(hitchTime: hitchTime, duration: duration) }
}

extension SurfacePass {
  /// What the hitches would be had the surface moved all the time, or `nil` if something else is known,
  /// or where the surface is not evaluated by its gaps alone.
  func conclusionIfMoving(within budget: inout AnalysisResourceLimits) -> AlwaysMovingEstimate? {
    guard surface.basis == .cadence, motions.time.isEmpty, !options.namesInteractions, hasLength
    else { return nil }
    let always = Interaction(
      kind: "always moving", start: trace.range.start, end: trace.range.end)
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
