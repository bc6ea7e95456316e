package import ScrollTraceModel

/// The evaluated frames of one surface, and the evaluation of other frames instead of them.
///
/// Predictions replay a recording with a change and evaluate the result by the rules that the
/// recording was evaluated by (M-17).
package struct SurfaceEvaluation: Sendable {
  /// A frame with what its evaluation derived.
  package struct Row: Sendable {
    /// The frame.
    package let frame: Frame
    /// The refresh interval that applies to the frame, or `nil` if unknown.
    package let refreshInterval: TimeSpan?
    /// The position of the frame's motion, or `nil` at rest.
    package let motion: Int?
    /// A Boolean value indicating whether the display expected the frame.
    package let isOwed: Bool
    /// The commit's end minus the deadline (M-1), or `nil` if one of them is unknown.
    package let overrun: TimeSpan?

    /// A Boolean value indicating whether the commit missed its deadline, or `nil` if unknown.
    package var missedDeadline: Bool? { overrun.map { $0 > .zero } }
  }

  /// The numbers that predictions compare.
  package struct Outcome: Equatable, Sendable {
    /// The hitch time inside the measured time.
    package var hitchTime: TimeSpan
    /// The number of hitches with such time.
    package var hitches: Int
    /// The number of commits that ended after their deadline, or `nil` if no deadline is known.
    package var deadlineMisses: Int?
    /// The number of frames that the display expected.
    package var frames: Int
  }

  private let pass: SurfacePass
  /// The frames in order.
  package let rows: [Row]

  /// The trace.
  package var trace: Trace { pass.trace }
  /// The basis of the evaluation (M-2).
  package var basis: Basis { pass.surface.basis }
  /// The interactions of the surface.
  package var interactions: [Interaction] { pass.interactions }

  /// Evaluates the frames of `surface` as `analysis` did.
  package init(of surface: SurfaceAnalysis, in analysis: Analysis) {
    let trace = analysis.trace
    let resolution = InteractionResolution(of: trace, options: analysis.options)
    let selection = SelectionResolution(
      of: trace, options: analysis.options, interactions: resolution,
      timelines: StateTimeline.all(of: trace))
    let pass = SurfacePass(
      id: surface.surface, surface: trace.surfaces[surface.surface.index],
      interactions: resolution.interactions(of: surface.surface), trace: trace,
      options: analysis.options, workload: .none, selection: selection)
    self.pass = pass
    rows = pass.frames.map {
      Row(
        frame: $0.frame, refreshInterval: $0.refreshInterval, motion: $0.motion,
        isOwed: $0.isOwed, overrun: $0.overrun)
    }
  }

  /// Evaluates other frames of the surface, given in any order, in interactions at other times.
  package func evaluate(_ frames: [Frame], in interactions: [Interaction]) -> Outcome {
    let surface = pass.surface.replacing(
      frames.stablySorted { $0.place?.nanoseconds ?? Int64.max })
    let evaluated = SurfacePass(
      id: pass.id, surface: surface, interactions: interactions, trace: pass.trace,
      options: pass.options, workload: .none, selection: pass.selection)
    var hitchPass = HitchPass(
      pass: evaluated, attributor: nil, budget: AnalysisResourceLimits(for: pass.trace))
    let hitches = hitchPass.hitches()
    var (misses, knowsDeadlines, owed) = (0, false, 0)
    for frame in evaluated.frames where evaluated.isSelected(frame) {
      owed += frame.isOwed ? 1 : 0
      guard let isMissed = frame.missedDeadline else { continue }
      knowsDeadlines = true
      misses += isMissed ? 1 : 0
    }
    return Outcome(
      hitchTime: hitches.reduce(into: .zero) { $0 += $1.lengthInMotion },
      hitches: hitches.count { $0.lengthInMotion > .zero },
      deadlineMisses: knowsDeadlines ? misses : nil, frames: owed)
  }
}
