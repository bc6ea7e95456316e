internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

/// One pair of a study: what was predicted from a session, and what the changed engine did in it.
struct StudyTrial {
  let kind: PredictionKind
  let seed: UInt64
  /// The hitch time of the recording, and that of the changed engine.
  let recorded: TimeSpan
  let real: TimeSpan
  let refresh: TimeSpan
  /// The prediction, or `nil` if nothing could be predicted from the recording.
  private(set) var prediction: Prediction?
  /// What its range follows from.
  private(set) var replays: Predictor.Replays?

  /// Plays the session of `seed`, or returns `nil` if the change does not matter in it: the recording
  /// has next to no hitch time, or nothing that the change is about.
  init?(seed: UInt64, kind: PredictionKind) throws {
    let session = StudySession(seed: seed, kind: kind)
    let before = try PredictionExperiment.analysis(
      of: session.before, session.script, on: VirtualClock())
    guard let surface = before.evaluatedPrimarySurface, let recorded = surface.hitchTime,
      let refresh = surface.refreshInterval, recorded >= refresh + refresh
    else { return nil }
    if let predictor = try? Predictor(of: before, surface: surface) {
      guard Self.matters(session.changes, in: predictor, before.trace) else { return nil }
      prediction = predictor.predictRange(session.changes)
      replays = prediction.flatMap {
        predictor.replays(of: session.changes, usual: $0.removed)
      }
    }
    let after = try PredictionExperiment.analysis(
      of: session.after, session.script, on: VirtualClock())
    guard let real = after.evaluatedPrimarySurface?.hitchTime else { return nil }
    self.kind = kind
    self.seed = seed
    self.recorded = recorded
    self.real = real
    self.refresh = refresh
  }

  private static func matters(
    _ changes: [ProposedChange], in predictor: Predictor, _ trace: Trace
  ) -> Bool {
    let candidates = predictor.candidates
    return changes.allSatisfy { change in
      switch change {
      case .speedup(let work, _): trace.holds(work)
      case .refreshInterval: true
      case .prepareOneAhead: candidates.contains(.prepareWhenIdle)
      default: candidates.contains(change)
      }
    }
  }

  /// The hitch time that went.
  var removed: TimeSpan { recorded - real }
  /// Whether it lies in the likely range, or `nil` without one.
  var isHit: Bool? { prediction?.ranges?.likely.contains(removed) }
  /// The width that the likely range may have: a quarter of the recorded hitch time, or two refreshes.
  var allowedWidth: TimeSpan {
    max(TimeSpan(nanoseconds: recorded.nanoseconds / 4), refresh + refresh)
  }
  /// Whether help was promised, and the recording got worse by more than a refresh.
  var isBrokenPromise: Bool {
    prediction?.ranges?.helps == true && real > recorded + refresh
  }
}
