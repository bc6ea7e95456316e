internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

/// One pair of a study: what was predicted from a session, and what the changed engine did in it.
struct StudyTrial {
  let kind: StudyKind
  let seed: UInt64
  let recorded: TimeSpan
  let real: TimeSpan
  let refresh: TimeSpan
  let scenarios: [(name: String, removed: TimeSpan)]?
  let hitches: Int
  private(set) var features: [(String, Int64)] = []
  let error: PredictionError?

  /// Plays the session of `seed`, or returns `nil` if the change does not matter in it.
  init?(seed: UInt64, kind: StudyKind) throws {
    let session = StudySession(seed: seed, kind: kind)
    let before = try PredictionExperiment.analysis(
      of: session.before, session.script, on: VirtualClock())
    guard let surface = before.evaluatedPrimarySurface, let recorded = surface.hitchTime,
      let refresh = surface.refreshInterval, recorded >= refresh + refresh
    else { return nil }
    var scenarios: [(name: String, removed: TimeSpan)]?
    var problem: PredictionError?
    do throws(PredictionError) {
      let predictor = try Predictor(of: before, surface: surface)
      let candidates = predictor.candidates
      guard
        session.changes.allSatisfy({ change in
          switch change {
          case .speedup(let work, _): before.trace.holds(work)
          case .refreshInterval: true
          case .prepareOneAhead: candidates.contains(.prepareWhenIdle)
          default: candidates.contains(change)
          }
        })
      else { return nil }
      features = predictor.features
      scenarios = predictor.scenarios(of: session.changes)
    } catch {
      problem = error
    }
    let after = try PredictionExperiment.analysis(
      of: session.after, session.script, on: VirtualClock())
    guard let real = after.evaluatedPrimarySurface?.hitchTime else { return nil }
    self.kind = kind
    self.seed = seed
    self.recorded = recorded
    self.real = real
    self.refresh = refresh
    self.scenarios = scenarios
    error = problem
    hitches = surface.hitchesInMotion
  }
}
