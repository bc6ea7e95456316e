import ScrollTraceAnalysis
import ScrollTraceSummary
import ScrollTraceModel

/// One pass through the steps of a replay.
struct ReplayPass {
  /// The resulting frames.
  private(set) var frames: [Frame] = []
  /// The times in which the main thread was busy.
  private(set) var busy: [(start: Int64, end: Int64)] = []
  /// The number of cells prepared ahead.
  private(set) var preparedAhead = 0

  let model: ReplayModel
  let evaluation: SurfaceEvaluation
  let steps: ReplaySteps
  var lengths: JobLengths
  /// The content that arrives earlier than recorded, by the step that it is given to cells in.
  var arrivals: [Int64]
  /// How cells are prepared ahead: as proposed, or as the recorded list does.
  private let policy: AheadPolicy?
  private let isProposed: Bool
  /// Whether the frames have another refresh rate than the recorded ones.
  private let isOtherRate: Bool
  /// The time from the deadline to the presentation of frames on time without a target.
  private let usualDelay: Int64

  /// The end of the main thread's work, and whether the last of it was a preparation ahead.
  private var free: Int64 = 0
  private var isFreeAfterAhead = false
  /// The work of skipped frames, which the next frame does.
  private var carried: Int64 = 0
  private var carriesCells = false
  /// The cells that are prepared, and the next candidate.
  private var isPrepared: [Bool]
  private var nextNeed = 0
  private var waitingCells = 0
  /// The cells that were prepared in the recording, the number of those that the replay prepared at
  /// another time, and whether it does what the list did after the last frame.
  private var wasPrepared: [Bool]
  private var differences = 0
  private var isAsRecorded = true
  private var spareTime = SpareTime()
  private var kept: KeptCells

  init(
    _ replay: Replay, _ steps: ReplaySteps, _ lengths: JobLengths, _ changes: [ProposedChange],
    assuming assumptions: ReplayAssumptions
  ) {
    model = replay.model
    evaluation = replay.evaluation
    self.steps = steps
    self.lengths = lengths
    let mostWaiting = Int(assumptions.linesAhead) * max(1, model.cellsOfLine)
    let preparesWhenIdle = changes.contains(.prepareWhenIdle)
    isProposed = preparesWhenIdle || changes.contains(.prepareOneAhead)
    policy =
      isProposed
      ? AheadPolicy(isInCommits: !preparesWhenIdle, mostWaiting: mostWaiting) : model.policy
    isOtherRate = changes.contains {
      if case .refreshInterval = $0 { true } else { false }
    }
    isPrepared = [Bool](repeating: false, count: model.cells.count)
    wasPrepared = isPrepared
    arrivals = [Int64](repeating: 0, count: steps.steps.count)
    // A list that prepares cells ahead keeps twice as many as wait.
    kept = KeptCells(
      model, limit: isProposed ? 2 * mostWaiting : 0,
      createsMore: assumptions.createsMoreCells && isProposed)
    usualDelay = Self.usualDelay(of: evaluation)
  }

  private static func usualDelay(of evaluation: SurfaceEvaluation) -> Int64 {
    let delays = evaluation.rows.compactMap { frame -> Int64? in
      guard frame.missedDeadline == false, let deadline = frame.frame.deadline,
        let presented = frame.frame.presented
      else { return nil }
      return (presented - deadline).nanoseconds
    }.sorted()
    return delays.isEmpty ? 0 : delays[delays.count / 2]
  }

  /// Replays all steps, and adds the frames without a commit on the main thread unchanged.
  mutating func play() {
    frames.reserveCapacity(steps.steps.count)
    let distances = distancesToNextFrame
    for (index, step) in steps.steps.enumerated() {
      if let refresh = step.refresh {
        play(step, refresh, share(at: index, distances), at: index)
      } else {
        for job in steps.jobs[step.jobs] { work(job) }
      }
    }
    var isPlayed = [Bool](repeating: false, count: evaluation.rows.count)
    for job in model.jobs where job.frame >= 0 { isPlayed[Int(job.frame)] = true }
    for (frame, isPlayed) in zip(evaluation.rows, isPlayed) where !isPlayed {
      frames.append(frame.frame)
    }
  }

  /// For each refresh without a frame, the number of steps to the next frame and of refreshes without a
  /// frame until then; the reason the frames come late is work that may be gone.
  private var distancesToNextFrame: [(steps: Int, refreshes: Int)] {
    var distances = [(steps: Int, refreshes: Int)](
      repeating: (0, 0), count: steps.steps.count)
    var (next, count) = (steps.steps.count, 0)
    for index in steps.steps.indices.reversed() {
      guard let refresh = steps.steps[index].refresh else { continue }
      if steps.steps[index].jobs.isEmpty {
        count += 1
        distances[index] = (next - index, refresh.isMoving ? count : 0)
      } else {
        (next, count) = (index, 0)
      }
    }
    return distances
  }

  /// The cells of the next frame that came into view at the refresh `index`, which had no frame: an
  /// equal share for each such refresh and the frame.
  private func share(at index: Int, _ distances: [(steps: Int, refreshes: Int)]) -> [Int] {
    let distance = distances[index]
    let next = index + distance.steps
    guard !isOtherRate, distance.refreshes > 0, next < steps.steps.count else { return [] }
    let cells = steps.jobs[steps.steps[next].jobs].flatMap { job in
      model.needs[model.jobs[job].needs].filter(isLeft)
    }
    return Array(cells.prefix(cells.count / (distance.refreshes + 1)))
  }

  /// Does the work of a job outside frames.
  private mutating func work(_ job: Int) {
    var length = lengths.jobs[job]
    for cell in model.jobs[job].cells {
      guard noteRecorded(cell) else { continue }
      length = length.saturatingAdd(lengths.cells[cell])
      spareTime.note(lengths.cells[cell], for: preparation(of: cell))
    }
    guard length > 0 || model.jobs[job].cells.isEmpty else { return }
    keepBusy(from: max(free, model.jobs[job].start), for: length)
    isFreeAfterAhead = model.jobs[job].isAhead && !isFollowed(job)
  }

  private mutating func keepBusy(from start: Int64, for length: Int64) {
    free = start.saturatingAdd(max(0, length))
    busy.append((start, free))
  }

  /// Whether other work followed immediately, so that no frame can start in between.
  private func isFollowed(_ job: Int) -> Bool {
    let next = job + 1
    return next < model.jobs.count && model.jobs[next].frame < 0
      && model.jobs[next].start == model.jobs[job].end
  }

  // MARK: - Frames

  private mutating func play(
    _ step: ReplayStep, _ refresh: ReplayStep.Refresh, _ share: [Int], at index: Int
  ) {
    // A list that prepared all cells as recorded prepares the same ones in this commit.
    isAsRecorded = !isProposed && differences == 0 && carried == 0 && share.isEmpty && !isOtherRate
    let needed = neededCells(of: step) + share.count
    var length = length(of: step).saturatingAdd(arrivals[index])
    let followsCell = isFreeAfterAhead && free - refresh.start < refresh.refreshInterval
    let startsLate = followsCell || !step.jobs.isEmpty && steps.framesStartLate
    if free > refresh.start, !startsLate {
      // The refresh is skipped, and the next frame does its work.
      if !step.jobs.isEmpty { carried = carried.saturatingAdd(max(0, length - model.shortCommit)) }
      carriesCells = carriesCells || needed > share.count
      return
    }
    for cell in share {
      length = length.saturatingAdd(price(of: cell))
      spend(on: cell)
      prepare(cell)
    }
    let start = max(free, ready(step, refresh))
    var all = length.saturatingAdd(carried)
    let needsNone = needed == 0 && !carriesCells
    (carried, carriesCells) = (0, false)
    let mayPrepare = refresh.isMoving && needsNone
    if let policy, policy.isInCommits, mayPrepare, !isAsRecorded, let cell = nextCell(after: step) {
      all = all.saturatingAdd(prepareAhead(cell, at: index))
    }
    keepBusy(from: start, for: all)
    isFreeAfterAhead = false
    frames.append(frame(step, refresh, start: start, end: free))
    if needsNone { spareTime.noteShortCommit(all) }
    guard let policy, !policy.isInCommits else { return }
    isAsRecorded =
      isAsRecorded && steps.jobs[step.jobs].last.map { model.jobs[$0].end == free } == true
    if mayPrepare, !isAsRecorded { useIdleTime(after: step, refresh, at: index) }
  }

  /// Returns the start of a frame that waits for nothing.
  private func ready(_ step: ReplayStep, _ refresh: ReplayStep.Refresh) -> Int64 {
    guard !isOtherRate, let job = steps.jobs[step.jobs].first else { return refresh.start }
    let isDelayed = job > 0 && model.jobs[job - 1].end > refresh.start
    return isDelayed ? refresh.start : max(refresh.start, model.jobs[job].start)
  }

  /// Returns the number of cells that the frame still has to prepare because they come into view, or are
  /// in view and get another content.
  private mutating func neededCells(of step: ReplayStep) -> Int {
    var count = 0
    for job in steps.jobs[step.jobs] {
      kept.keep(leaving: job, waiting: waitingCells)
      for cell in model.needs[model.jobs[job].needs] {
        if isPrepared[cell] {
          waitingCells -= 1
        } else if kept.holdsPrevious(of: cell) {
          kept.showAgain(cell)
          notePrepared(cell)
        } else if lengths.cells[cell] > 0 {
          count += 1
        }
      }
    }
    return count
  }

  /// Returns the length of the commit; one with the work of several frames has their common part once.
  private mutating func length(of step: ReplayStep) -> Int64 {
    guard !step.jobs.isEmpty else { return model.shortCommit }
    var sum: Int64 = 0
    for job in steps.jobs[step.jobs] {
      sum = sum.saturatingAdd(lengths.jobs[job])
      for cell in model.needs[model.jobs[job].needs] {
        if !isPrepared[cell] {
          sum = sum.saturatingAdd(price(of: cell))
          spend(on: cell)
        }
        // Both have it now, whenever they prepared it.
        notePrepared(cell)
        noteWasPrepared(cell)
      }
      for cell in model.jobs[job].cells where model.cells[cell].reason == .ahead {
        guard noteRecorded(cell) else { continue }
        sum = sum.saturatingAdd(price(of: cell))
      }
    }
    let shared = Int64(clamping: WideInteger(step.jobs.count - 1) * WideInteger(model.shortCommit))
    return max(min(sum, model.shortCommit), sum - shared)
  }

  // MARK: - Cells

  /// Returns the length of a cell's preparation, which reuses a cell or creates one.
  private func price(of cell: Int) -> Int64 {
    let length = lengths.cells[cell]
    let isReused = kept.isReused(cell)
    guard isReused != model.cells[cell].isReused else { return length }
    let difference = max(0, model.createTime - model.reuseTime)
    return isReused ? max(0, length - difference) : length.saturatingAdd(difference)
  }

  /// Counts a preparation.
  private mutating func spend(on cell: Int) {
    spareTime.note(price(of: cell), for: preparation(of: cell))
    kept.take(cell)
  }

  private func preparation(of cell: Int) -> SpareTime.Preparation {
    let work = model.cells[cell]
    return SpareTime.Preparation(
      kind: work.kind, isReused: kept.isReused(cell), loads: work.loads)
  }

  /// Prepares a cell before its frame, and returns the time that takes.
  private mutating func prepareAhead(_ cell: Int, at index: Int) -> Int64 {
    let length = price(of: cell)
    if isProposed { requestContent(of: cell, at: index) }
    spend(on: cell)
    prepare(cell)
    preparedAhead += 1
    return length
  }

  /// Notes that the replay prepares a cell before its frame.
  private mutating func prepare(_ cell: Int) {
    notePrepared(cell)
    waitingCells += 1
  }

  /// Notes that the recorded list prepared a cell at this point, and returns whether the replay does so
  /// as well.
  private mutating func noteRecorded(_ cell: Int) -> Bool {
    guard model.cells[cell].isCandidate else { return true }
    noteWasPrepared(cell)
    guard isAsRecorded, !isPrepared[cell] else { return false }
    prepare(cell)
    return true
  }

  /// Whether a cell could be prepared before its frame and is not.
  private func isLeft(_ cell: Int) -> Bool {
    model.cells[cell].isCandidate && !isPrepared[cell] && kept.isMissing(cell)
  }

  private mutating func notePrepared(_ cell: Int) {
    guard !isPrepared[cell] else { return }
    isPrepared[cell] = true
    differences += wasPrepared[cell] ? -1 : 1
  }

  private mutating func noteWasPrepared(_ cell: Int) {
    guard !wasPrepared[cell] else { return }
    wasPrepared[cell] = true
    differences += isPrepared[cell] ? -1 : 1
  }

  /// Returns the next cell that will be needed and is not prepared, or `nil` if enough are ready.
  private mutating func nextCell(after step: ReplayStep) -> Int? {
    guard let policy, waitingCells < policy.mostWaiting else { return nil }
    // Refreshes without a frame precede the jobs of the next recorded frame.
    let done = steps.jobs[step.jobs].last.map { model.jobs[$0].start } ?? step.start
    while nextNeed < model.needs.count {
      let work = model.cells[model.needs[nextNeed]]
      let isWaiting = work.isCandidate && !isPrepared[model.needs[nextNeed]]
      if isWaiting, let need = work.need, model.jobs[need].start > done { break }
      nextNeed += 1
    }
    // Cells that are kept need no preparation, unless others take their place before.
    let next = model.needs[nextNeed...].prefix(2 * policy.mostWaiting + 1).first(where: isLeft)
    return next.flatMap { model.cells[$0].foreseen <= free ? $0 : nil }
  }

  /// Prepares one cell if it and the next commit fit before the next frame's deadline.
  private mutating func useIdleTime(
    after step: ReplayStep, _ refresh: ReplayStep.Refresh, at index: Int
  ) {
    guard let cell = nextCell(after: step) else { return }
    let next = refresh.start.saturatingAdd(refresh.refreshInterval)
    let due = (refresh.deadline ?? next).saturatingAdd(refresh.refreshInterval)
    guard free <= next,
      spareTime.allows(
        preparation(of: cell), in: due - free, refreshInterval: refresh.refreshInterval)
    else { return }
    keepBusy(from: free, for: prepareAhead(cell, at: index))
    isFreeAfterAhead = true
  }

  // MARK: - Presentation

  private func frame(
    _ step: ReplayStep, _ refresh: ReplayStep.Refresh, start: Int64, end: Int64
  ) -> Frame {
    let recorded = evaluation.rows[refresh.frame]
    let isRecorded = !step.jobs.isEmpty && !isOtherRate
    if isRecorded, recorded.frame.commitEnd?.nanoseconds == end { return recorded.frame }
    var frame = recorded.frame
    frame.start = Timestamp(clamping: refresh.start)
    frame.commitStart = Timestamp(clamping: start)
    frame.commitEnd = Timestamp(clamping: end)
    frame.deadline = refresh.deadline.map { Timestamp(clamping: $0) }
    frame.target = refresh.target.map { Timestamp(clamping: $0) }
    frame.refreshInterval = TimeSpan(nanoseconds: refresh.refreshInterval)
    frame.presented = presented(refresh, recorded, isRecorded: isRecorded, end: end)
    if step.jobs.isEmpty {
      // A refresh without a recorded frame gets one that is presented like its neighbors.
      frame.outcome = frame.presented == nil ? .unknown : .presented
    } else if frame.outcome == .dropped, recorded.missedDeadline == true, frame.presented != nil {
      // A frame that was dropped because it was late is presented now.
      frame.outcome = .presented
    }
    return frame
  }

  /// Returns the time a frame committed at `end` is presented, or `nil` if the source has no such times.
  private func presented(
    _ refresh: ReplayStep.Refresh, _ recorded: SurfaceEvaluation.Row, isRecorded: Bool, end: Int64
  ) -> Timestamp? {
    let wasDropped = recorded.frame.outcome == .dropped && recorded.missedDeadline == true
    guard recorded.frame.presented != nil || wasDropped else { return nil }
    guard let due = refresh.deadline ?? refresh.target else { return recorded.frame.presented }
    let late = Self.refreshes(end - due, refresh.refreshInterval)
    if isRecorded, let overrun = recorded.overrun,
      Self.refreshes(overrun.nanoseconds, refresh.refreshInterval) == late
    {
      return recorded.frame.presented
    }
    let expected = refresh.target ?? due.saturatingAdd(usualDelay)
    let delay = Int64(clamping: WideInteger(late) * WideInteger(refresh.refreshInterval))
    return Timestamp(clamping: expected.saturatingAdd(delay))
  }

  /// Returns the lateness in refreshes of a commit that ended `overrun` after its deadline.
  private static func refreshes(_ overrun: Int64, _ refreshInterval: Int64) -> Int64 {
    guard overrun > 0, refreshInterval > 0 else { return 0 }
    return (overrun - 1) / refreshInterval + 1
  }
}
