import ScrollTraceModel

/// Plays what was recorded again with some things done otherwise, and judges it anew (M-17).
///
/// The main thread does its jobs in the order of the recording, none before it began there or could
/// have; a frame begins at its refresh or as soon after as the main thread is free for it. What a
/// change moves away or makes cheaper shortens the jobs it was part of.
struct Replay {
  /// What came of it.
  struct Outcome: Hashable {
    /// The hitch time inside the denominator.
    var hitchTime: TimeSpan
    /// The hitches that have a part of it.
    var hitches: Int
    /// Commits that ended after their deadline; `nil` where none knows one.
    var deadlineMisses: Int?
    /// How many frames were made.
    var frames: Int
    /// How many cells were prepared in spare time.
    var preparedAhead: Int
  }

  let pass: SurfacePass
  let model: ReplayModel
  let roles: [WorkRole]
  private let steps: ReplaySteps

  /// A replay of the frames of `pass`; `nil` where there would be too many.
  init?(of pass: SurfacePass, model: ReplayModel) {
    self.pass = pass
    self.model = model
    roles = WorkRole.roles(of: pass.trace)
    guard let steps = ReplaySteps(of: model, pass, refreshInterval: nil) else { return nil }
    self.steps = steps
  }

  /// What comes of the recording with `changes`; `nil` where it would hold too many frames.
  func outcome(of changes: [ProposedChange]) -> Outcome? {
    var steps = steps
    for case .refreshInterval(let interval) in changes {
      guard interval > .zero,
        let other = ReplaySteps(of: model, pass, refreshInterval: interval.nanoseconds)
      else { return nil }
      steps = other
      // Whether a frame waits for other work is a habit of the host, not of the display.
      steps.framesBeginLate = self.steps.framesBeginLate
    }
    let lengths = JobLengths(self, changes)
    var run = ReplayPass(self, steps, lengths, changes)
    run.play()
    return judge(run.frames, preparedAhead: run.preparedAhead)
  }

  /// Judges frames as those of the trace are.
  private func judge(_ frames: [Frame], preparedAhead: Int) -> Outcome {
    let surface = pass.surface.replacing(
      frames.stablySorted { $0.place?.nanoseconds ?? Int64.max })
    let evaluated = SurfacePass(
      id: pass.id, surface: surface, interactions: pass.interactions, trace: pass.trace,
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
      deadlineMisses: knowsDeadlines ? misses : nil, frames: owed, preparedAhead: preparedAhead)
  }
}

/// How long jobs and preparations take under some changes.
struct JobLengths {
  /// How long each job takes, without the preparations that were part of it.
  private(set) var jobs: [Int64]
  /// How long each preparation takes.
  private(set) var cells: [Int64]

  /// The lengths in `replay` under `changes`.
  init(_ replay: Replay, _ changes: [ProposedChange]) {
    let model = replay.model
    let percents = Self.percents(replay, changes)
    jobs = model.jobs.map { $0.end - $0.start }
    cells = [Int64](repeating: 0, count: model.cells.count)
    let reuses = changes.contains(.reuseCells)
    let reconfigures = changes.contains(.reconfigureItems)
    for (index, job) in model.jobs.enumerated() {
      for slice in model.slices[job.slices] {
        jobs[index] -= slice.length
        var length = Self.part(slice.length, percents[Int(slice.label)])
        guard slice.cell >= 0 else {
          jobs[index] += length
          continue
        }
        let cell = model.cells[Int(slice.cell)]
        let role = replay.roles[Int(slice.label)]
        if reuses, cell.couldReuse, role == .create { length = 0 }
        if reconfigures, cell.reason == .reloaded, role != .configure, role != .load { length = 0 }
        cells[Int(slice.cell)] += length
      }
    }
    for index in model.cells.indices {
      let cell = model.cells[index]
      if reuses, cell.couldReuse { cells[index] = cells[index].saturatingAdd(model.reuseTime) }
      if reconfigures, cell.reason == .reloaded, let usual = model.reconfigureTime {
        cells[index] = min(cells[index], usual)
      }
      if changes.contains(.applyDifferences), cell.reason == .thrownAway { cells[index] = 0 }
    }
  }

  /// The part of each label's time that is left on the main thread, in percent.
  private static func percents(_ replay: Replay, _ changes: [ProposedChange]) -> [Int] {
    var percents = replay.roles.map { role in
      role == .decode && changes.contains(.decodeInBackground)
        || role == .load && changes.contains(.loadInBackground) ? 0 : 100
    }
    var cheaper: [String: [(name: String?, percent: Int)]] = [:]
    for case .cheaper(let work, let percent) in changes {
      cheaper[work.category, default: []].append((work.name, min(100, max(0, percent))))
    }
    guard !cheaper.isEmpty else { return percents }
    // There may be as many categories as labels, so that each is looked up once.
    let trace = replay.pass.trace
    for (index, label) in trace.labels.labels.enumerated() {
      for (name, percent) in cheaper[trace.strings[label.category]] ?? []
      where name == nil || trace.strings[label.name] == name {
        percents[index] = percents[index] * percent / 100
      }
    }
    return percents
  }

  private static func part(_ length: Int64, _ percent: Int) -> Int64 {
    percent == 100 ? length : Int64(clamping: Int128(length) * Int128(percent) / 100)
  }
}
