package import ScrollTraceAnalysis
package import ScrollTraceModel

extension Predictor {
  /// What may make a prediction uncertain.
  package var features: [(String, Int64)] {
    let model = replay.model
    var found: [String: Int64] = [:]
    func add(_ name: String, _ time: Int64) { found[name, default: 0] += time }
    for job in model.jobs {
      let frame = job.frame >= 0 ? replay.evaluation.rows[Int(job.frame)] : nil
      if let frame, frame.motion != nil { add("busy", job.end - job.start) }
      if frame == nil { add("other", job.end - job.start) }
      if let frame, frame.motion != nil, !job.cells.isEmpty {
        let interval = frame.refreshInterval?.nanoseconds ?? 0
        add("cellFramesOver", max(0, job.end - job.start - interval))
      }
      for slice in model.slices[job.slices] {
        let role = replay.roles[Int(slice.label)]
        if slice.cell >= 0 {
          add("cell\(model.cells[Int(slice.cell)].reason)", slice.length)
          if role == .create { add("create", slice.length) }
          if role == .configure { add("configure", slice.length) }
        } else if role == .configure {
          add("content", slice.length)
        }
        if role == .decode { add("decode", slice.length) }
        if role == .load { add("load", slice.length) }
        if role == .snapshot { add("snapshot", slice.length) }
      }
    }
    add("cells", Int64(model.cells.count))
    add("line", Int64(model.cellsOfLine))
    add("inView", Int64(model.cellsInView))
    add("turns", Int64(model.cells.count { $0.foreseen > 0 }))
    add("again", Int64(model.cells.count { ($0.preparationsSince ?? .max) < 1000 }))
    add("short", model.shortCommit)
    add("duration", surface.measuredTime.duration.nanoseconds)
    add("misses", Int64(surface.counts.deadlineMisses ?? 0))
    add("longest", surface.longestHitch?.nanoseconds ?? 0)
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the removed hitch time under each assumption about the changed host, with its name; `nil`
  /// if a replay needs too many frames.
  package func scenarios(of changes: [ProposedChange]) -> [(name: String, removed: TimeSpan)]? {
    var all: [(name: String, removed: TimeSpan)] = []
    for (name, assumptions) in Self.assumptions {
      guard let outcome = replay.outcome(of: changes, assuming: assumptions) else { return nil }
      all.append((name, replayedHitchTime - outcome.evaluation.hitchTime))
    }
    return all
  }

  private static let assumptions: [(String, ReplayAssumptions)] = {
    func with(_ change: (inout ReplayAssumptions) -> Void) -> ReplayAssumptions {
      var assumptions = ReplayAssumptions()
      change(&assumptions)
      return assumptions
    }
    return [
      ("usual", ReplayAssumptions()),
      ("less", with { $0.workPercent = 93 }),
      ("more", with { $0.workPercent = 107 }),
      ("oneLine", with { $0.linesAhead = 1 }),
      ("sixLines", with { $0.linesAhead = 6 }),
      ("enoughCells", with { $0.createsMoreCells = false }),
      ("kept", with { $0.cellsKept = 12 }),
      (
        "keptEnough",
        with {
          $0.cellsKept = 24
          $0.createsMoreCells = false
          $0.linesAhead = 6
        }
      ),
      (
        "keptLess",
        with {
          $0.cellsKept = 12
          $0.workPercent = 85
        }
      ),
      (
        "keptMore",
        with {
          $0.cellsKept = 6
          $0.linesAhead = 1
          $0.workPercent = 115
        }
      ),
      ("remaining", with { $0.remainingPercent = 20 }),
      ("late2", with { $0.lateRefreshes = 2 }),
      ("late4", with { $0.lateRefreshes = 4 }),
      ("reconfigure60", with { $0.reconfigurePercent = 60 }),
      ("startLate", with { $0.framesStartLate = true }),
      ("startNext", with { $0.framesStartLate = false }),
    ]
  }()
}
