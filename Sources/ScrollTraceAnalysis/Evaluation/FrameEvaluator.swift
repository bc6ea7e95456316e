import ScrollTraceModel

/// Evaluates the frames of a surface: how late each is (M-2), and which refreshes were missed in
/// motion (M-3).
struct FrameEvaluator {
  let surface: Surface
  let motions: MotionRanges
  let trace: Trace
  let waits: WaitingLabels
  /// The ways of frames that are no longer held, or `nil` if all are.
  var earlierWays: WayCounts?

  /// The lateness from which a frame counts as late, for a refresh interval (M-2).
  func tolerance(at refreshInterval: TimeSpan?) -> TimeSpan {
    TimeSpan(
      nanoseconds: LatenessRules.tolerance(
        surface.presentationTolerance.nanoseconds, at: refreshInterval?.nanoseconds ?? 0))
  }

  /// Evaluates `frames`, which are sorted by `Frame.time`.
  func evaluate(_ frames: inout EvaluatedFrames) -> [EvaluatedMotion] {
    guard surface.basis != .hitchList else { return [] }
    let sequence = FrameSequence(
      frames.source, of: surface, origin: trace.range.start, earlier: earlierWays
    ) { frames.store($0, ownHitch: $1) }
    let evaluated = walk(sequence, &frames)
    // A frame that is known to be dropped is one of those that are evaluated by their own times.
    frames.findEvaluated(countingDropped: surface.basis != .cadence && surface.basis != .none)
    return evaluated
  }

  /// Walks through the motions. The hitch time of a frame in several motions is the longest.
  private func walk(
    _ sequence: FrameSequence, _ frames: inout EvaluatedFrames
  ) -> [EvaluatedMotion] {
    guard !motions.all.isEmpty else { return [] }
    guard sequence.entries.contains(where: { $0.refreshInterval != nil }) else {
      // Gaps cannot be evaluated, but frames belong to their motion.
      for index in frames.indices {
        guard let time = frames[index].frame.time else { continue }
        let motion = motions.all.partitionPoint { $0.end >= time }
        if motion < motions.all.count, motions.all[motion].start <= time {
          frames.set(motion: motion, at: index)
        }
      }
      return []
    }
    let context = MotionContext(
      sequence, evidence: MainThreadEvidence(of: trace, frames: surface.frames, waits: waits),
      jumpsAreLosses: !trace.losses.isEmpty && surface.numbersEveryFrame)
    var evaluated: [EvaluatedMotion] = []
    evaluated.reserveCapacity(motions.all.count)
    // Frames that were late for very long are in many motions, which is rare in real traces.
    var stepsLeft = 1_000_000 + 64 * (frames.count + motions.all.count)
    for (index, motion) in motions.all.enumerated() {
      guard stepsLeft > 0, !motion.isLost else {
        evaluated.append(EvaluatedMotion(unevaluated: motion))
        continue
      }
      let members = context.members(
        from: sequence.relative(motion.start), to: sequence.relative(motion.end),
        maximum: stepsLeft / 32)
      var walk = MotionWalk(motion, members: members, in: context)
      walk.walk()
      stepsLeft -= walk.stepCount + members.positions.count + 1
      for member in members.positions.indices { frames.store(walk, member: member, of: index) }
      evaluated.append(EvaluatedMotion(walk))
    }
    return evaluated
  }
}
