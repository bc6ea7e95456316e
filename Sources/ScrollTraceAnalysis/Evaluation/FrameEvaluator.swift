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

  /// Evaluates `frames`, which are sorted by `Frame.time` and have their refresh interval.
  func evaluate(_ frames: inout [EvaluatedFrame]) -> [EvaluatedMotion] {
    guard surface.basis != .hitchList else { return [] }
    let sequence = FrameSequence(
      frames, of: surface, origin: trace.range.start, earlier: earlierWays)
    for entry in sequence.entries { frames[entry.position].take(entry, from: sequence) }
    let evaluated = walk(sequence, &frames)
    for index in frames.indices {
      let frame = frames[index]
      frames[index].isEvaluated = frame.refreshInterval != nil && isEvaluated(frame)
      frames[index].isLateWithoutHitch = frame.lateness > .zero && frame.hitch == .zero
    }
    return evaluated
  }

  /// Returns whether the basis applies to a frame with a refresh interval.
  private func isEvaluated(_ frame: EvaluatedFrame) -> Bool {
    let isDropped = frame.frame.outcome == .dropped
    if frame.motion != nil { return isDropped || frame.shown != nil }
    // A frame that is known to be dropped is one of those that are evaluated by their own times.
    return isDropped && ![.cadence, .none].contains(surface.basis) || frame.isLatenessKnown
  }

  /// Walks through the motions. The hitch time of a frame in several motions is the longest.
  private func walk(
    _ sequence: FrameSequence, _ frames: inout [EvaluatedFrame]
  ) -> [EvaluatedMotion] {
    guard !motions.all.isEmpty else { return [] }
    guard sequence.entries.contains(where: { $0.refresh > 0 }) else {
      // Gaps cannot be evaluated, but frames belong to their motion.
      for index in frames.indices {
        guard let place = frames[index].frame.time else { continue }
        let motion = motions.all.partitionPoint { $0.end >= place }
        if motion < motions.all.count, motions.all[motion].start <= place {
          frames[index].motion = motion
        }
      }
      return []
    }
    let context = MotionContext(
      sequence, evidence: MainThreadEvidence(of: trace, frames: frames, waits: waits),
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
      for (member, position) in members.positions.enumerated() {
        let place = sequence.entries[position].position
        frames[place].take(walk, member: member, of: index)
      }
      evaluated.append(EvaluatedMotion(walk, at: index))
    }
    return evaluated
  }
}
