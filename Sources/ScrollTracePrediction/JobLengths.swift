import ScrollTraceAnalysis
import ScrollTraceSummary
import ScrollTraceModel

/// The lengths of jobs and preparations with changes.
struct JobLengths {
  /// The length of each job without its preparations.
  private(set) var jobs: [Int64]
  /// The time of decoding images in each job, apart from its preparations.
  private(set) var decodes: [Int64]
  /// The length of each preparation in the recording.
  private(set) var recorded: [Int64]
  /// The length of each job without its preparations in the recording.
  private var recordedJobs: [Int64]
  /// The length of the content that arrives for cells, which is part of its job.
  private(set) var contents: [Int64]
  /// The length of each preparation.
  private(set) var cells: [Int64]
  /// The time of laying out lines again because the sizes of cells were known: of those of each job, and of
  /// each cell that is prepared ahead.
  let jobCorrections: [Int64]
  let corrections: [Int64]
  /// The time of giving each cell its content again.
  private(set) var repeats: [Int64]

  /// Creates the lengths in `replay` with `changes`.
  init(_ replay: Replay, _ changes: [ProposedChange], assuming assumptions: ReplayAssumptions) {
    let model = replay.model
    let percents = Self.percents(replay, changes, assumptions)
    jobs = model.jobs.map { job in
      job.end - job.start - job.correction
    }
    cells = [Int64](repeating: 0, count: model.cells.count)
    repeats = cells
    decodes = [Int64](repeating: 0, count: model.jobs.count)
    recorded = cells
    recordedJobs = jobs
    jobCorrections = model.jobs.map { Self.part($0.correction, Int(assumptions.workPercent)) }
    corrections = model.cells.map { Self.part($0.correction, Int(assumptions.workPercent)) }
    contents = model.contents.map { content in
      let isMoved = content.isDecoded && changes.contains(.decodeInBackground)
      return isMoved ? 0 : Self.part(content.length, Int(assumptions.workPercent))
    }
    // A list that prepares cells ahead keeps some, which are not in the pool.
    let kept = model.preparesAhead ? assumptions.cellsNotInPool : 0
    let reuses = changes.contains(.reuseCells)
    let reconfigures = changes.contains(.reconfigureItems)
    // A list that reloads the items whose content arrives configures new cells.
    let reloads = !reconfigures && model.contents.contains { $0.reloaded != nil }
    let unknownPercent =
      reconfigures ? assumptions.reconfigurePercent : reloads ? 100 : assumptions.repeatPercent
    let repeatPercent = Int(model.repeatPercent ?? unknownPercent)
    for (index, job) in model.jobs.enumerated() {
      for slice in model.slices[job.slices] {
        jobs[index] -= slice.length
        if slice.cell >= 0 {
          recorded[Int(slice.cell)] += slice.length
          recordedJobs[index] -= slice.length
        }
        var length = Self.part(slice.length, percents[Int(slice.label)])
        guard slice.cell >= 0 else {
          jobs[index] += length
          if replay.roles[Int(slice.label)] == .decode { decodes[index] += length }
          continue
        }
        let cell = model.cells[Int(slice.cell)]
        let role = replay.roles[Int(slice.label)]
        if reuses, cell.reusable > kept, role == .create { length = 0 }
        let isRepeated = role == .configure || model.sizesCells && role == .size
        let repeated = role == .configure ? Self.part(length, repeatPercent) : length
        if isRepeated || reloads && role != .create && role != .load {
          repeats[Int(slice.cell)] += repeated
        }
        if reconfigures, cell.reason == .reloaded {
          length = isRepeated ? repeated : role == .load ? length : 0
        }
        cells[Int(slice.cell)] += length
      }
    }
    if let late = assumptions.lateRefreshes { delayContent(replay, changes, by: late) }
    for index in model.cells.indices {
      let cell = model.cells[index]
      if reloads, !cell.isReused { repeats[index] = repeats[index].saturatingAdd(model.reuseTime) }
      if reuses, cell.reusable > kept { cells[index] = cells[index].saturatingAdd(model.reuseTime) }
      if reconfigures, cell.reason == .reloaded {
        if let usual = model.reconfigureTime { cells[index] = min(cells[index], usual) }
      }
      if changes.contains(.applyDifferences), cell.reason == .discarded { cells[index] = 0 }
    }
    guard assumptions.workPercent != 100 else { return }
    for index in jobs.indices { jobs[index] = Self.part(jobs[index], Int(assumptions.workPercent)) }
    for index in cells.indices {
      cells[index] = Self.part(cells[index], Int(assumptions.workPercent))
    }
  }

  /// Leaves the data of a cell to the main thread.
  mutating func loadOnMain(_ cell: Int, _ length: Int64) {
    cells[cell] = cells[cell].saturatingAdd(length)
  }

  /// Returns how much longer a job without its preparations is than in the recording.
  func change(of job: Int) -> Int64 { jobs[job] - recordedJobs[job] }

  /// Takes the content at `index` out of its job, and returns its length.
  mutating func takeContent(at index: Int, of model: ReplayModel) -> Int64 {
    let content = model.contents[index]
    if let reloaded = content.reloaded {
      defer { cells[reloaded] = 0 }
      return cells[reloaded]
    }
    let length = min(contents[index], jobs[content.job])
    jobs[content.job] -= length
    contents[index] = 0
    return length
  }

  /// Lets each image that was decoded in a commit arrive some frames later: its cell is configured
  /// again there.
  private mutating func delayContent(
    _ replay: Replay, _ changes: [ProposedChange], by refreshes: Int64
  ) {
    let model = replay.model
    guard changes.contains(.decodeInBackground), let usual = model.reconfigureTime else { return }
    let frames = model.jobs.indices.filter { model.jobs[$0].frame >= 0 }
    for (place, index) in frames.enumerated() {
      let job = model.jobs[index]
      let holdsDecode = model.slices[job.slices].contains {
        replay.roles[Int($0.label)] == .decode
      }
      // An image whose cell was prepared in the same commit was in memory before.
      guard holdsDecode else { continue }
      let later = min(frames.count - 1, place + Int(refreshes))
      let moved = job.cells.isEmpty ? min(usual, jobs[index]) : 0
      jobs[index] -= moved
      jobs[frames[later]] = jobs[frames[later]].saturatingAdd(usual)
    }
  }

  /// Returns the percentage of each label's time that remains on the main thread.
  private static func percents(
    _ replay: Replay, _ changes: [ProposedChange], _ assumptions: ReplayAssumptions
  ) -> [Int] {
    var percents = replay.roles.map { role in
      role == .decode && changes.contains(.decodeInBackground)
        || role == .load && changes.contains(.loadInBackground)
        ? Int(assumptions.remainingPercent) : 100
    }
    var speedups: [String: [(name: String?, percent: Int)]] = [:]
    for case .speedup(let work, let percent) in changes {
      speedups[work.category, default: []].append((work.name, min(100, max(0, percent))))
    }
    guard !speedups.isEmpty else { return percents }
    // There may be as many categories as labels, so each label is looked up once.
    let trace = replay.evaluation.trace
    for (index, label) in trace.labels.labels.enumerated() {
      for (name, percent) in speedups[trace.strings[label.category]] ?? []
      where name == nil || trace.strings[label.name] == name {
        percents[index] = percents[index] * percent / 100
      }
    }
    return percents
  }

  private static func part(_ length: Int64, _ percent: Int) -> Int64 {
    percent == 100 ? length : Int64(clamping: WideInteger(length) * WideInteger(percent) / 100)
  }
}
