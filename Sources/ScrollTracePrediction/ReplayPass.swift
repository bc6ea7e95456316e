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
  var preparedAhead = 0

  let model: ReplayModel
  let evaluation: SurfaceEvaluation
  let steps: ReplaySteps
  var lengths: JobLengths
  /// The content that arrives earlier than recorded, by the step that it is given to cells in.
  var arrivals: [Int64]
  /// The cells that content is given to by reloading them, by the step in which that happens.
  var reloads: [Int: [Int]] = [:]
  /// Whether content was given to its cell in another frame than in the recording.
  var isGiven: [Bool]
  /// The cells that frames displayed.
  var isDisplayed: [Bool]
  /// The cells that left the view before their content arrived, by the step in which it does.
  var lateCells: [Int: [Int]] = [:]
  /// How cells are prepared ahead: as proposed, or as the recorded list does.
  let policy: AheadPolicy?
  let isProposed: Bool
  /// Whether the frames have another refresh rate than the recorded ones.
  let isOtherRate: Bool
  /// The time from the deadline to the presentation of frames on time without a target.
  private let usualDelay: Int64

  /// The step of the frame after the present refreshes without one, and their number.
  var gap = (next: -1, refreshes: 0)
  /// The end of the main thread's work, and whether the last of it was a preparation ahead.
  var free: Int64 = 0
  var isFreeAfterAhead = false
  /// The jobs of skipped frames, whose work the next frame does.
  var carried: [Int] = []
  private var carriedReloads: [Int] = []
  /// The last of the skipped frames and its step, and the content that would have arrived in them.
  private var skipped: (refresh: ReplayStep.Refresh, step: Int)?
  var held: (length: Int64, lateCells: [Int]) = (0, [])
  /// The time of laying out lines again for cells that were prepared ahead since the last frame.
  var correction: Int64 = 0
  /// The cells that are prepared, and the next candidate.
  var isPrepared: [Bool]
  var nextNeed = 0
  var waitingCells = 0
  /// The cells that were prepared before their frames, since the list discarded all the last time.
  var waiting: [Int] = []
  /// The positions of prepared cells that no frame displays.
  var unneeded: [Int64] = []
  /// For each refresh without a frame, how far the next frame is.
  let distances: [(steps: Int, refreshes: Int)]
  /// The ends of the loads of content that cells did not get; zero without one.
  var lateLoads: [Int64]
  /// The cells that were prepared since the last frame, with the ends of their preparations.
  var requests: [(cell: Int, time: Int64)] = []
  let requestsDataAhead: Bool
  /// The ends of the loads that each thread was given.
  var loading: [Int64]
  /// The end of the load for each cell, and that in a replay of the recording; zero without one.
  var loadEnds: [Int64]
  let expectedLoadEnds: [Int64]
  /// The content that each job gives to cells.
  let contentsOfJob: [Int: [Int]]
  /// The content that was requested before its cell was prepared, by cell.
  let prefetched: [Int: [Int]]
  /// The first preparation at each position, of a list that is proposed to prepare cells ahead.
  let firstCells: [Int64: Int]
  /// The cells that were prepared in the recording, the number of those that the replay prepared at
  /// another time, and whether it does what the list did after the last frame.
  var wasPrepared: [Bool]
  var differences = 0
  var isAsRecorded = true
  var spareTime = SpareTime()
  var kept: KeptCells

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
    loading = [Int64](repeating: 0, count: model.loadingThreads)
    firstCells = isProposed ? model.firstCells : [:]
    distances = Self.distancesToNextFrame(in: steps)
    lateLoads = model.cells.map(\.lateLoad)
    loadEnds = [Int64](repeating: 0, count: model.cells.count)
    expectedLoadEnds = replay.loadEnds.isEmpty ? loadEnds : replay.loadEnds
    contentsOfJob = replay.contentsOfJob
    prefetched = replay.prefetched
    isPrepared = [Bool](repeating: false, count: model.cells.count)
    isDisplayed = isPrepared
    // The list is displayed before its first frame.
    for job in model.jobs.prefix(while: { $0.frame < 0 }) {
      for cell in job.cells { isDisplayed[cell] = true }
    }
    isGiven = [Bool](repeating: false, count: model.contents.count)
    wasPrepared = isPrepared
    arrivals = [Int64](repeating: 0, count: steps.steps.count)
    // A list that prepares cells ahead keeps twice as many as wait.
    kept = KeptCells(
      model, limit: isProposed ? 2 * mostWaiting : 0,
      createsMore: assumptions.createsMoreCells && isProposed)
    usualDelay = Self.usualDelay(of: evaluation)
    requestsDataAhead = changes.contains(.loadInBackground)
    if requestsDataAhead {
      requestDataAhead(of: assumptions.linesLoaded)
    } else if isOtherRate {
      deliverPrefetched()
    }
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
    for (index, step) in steps.steps.enumerated() {
      makeUp(before: step.start)
      if let refresh = step.refresh {
        play(step, refresh, share(at: index), at: index)
      } else {
        for job in steps.jobs[step.jobs] { work(job, at: index) }
      }
    }
    makeUp(before: Int64.max)
    var isPlayed = [Bool](repeating: false, count: evaluation.rows.count)
    for job in model.jobs where job.frame >= 0 { isPlayed[Int(job.frame)] = true }
    for (frame, isPlayed) in zip(evaluation.rows, isPlayed) where !isPlayed {
      frames.append(frame.frame)
    }
  }

  /// Does the work of a job outside frames.
  private mutating func work(_ job: Int, at index: Int) {
    var length = lengths.jobs[job]
    var prepared: [Int] = []
    kept.keep(leaving: job, waiting: waitingCells + unneeded.count)
    kept.putBack(replacedIn: job)
    if isProposed { giveContent(leaving: job, at: index) }
    for cell in model.jobs[job].cells {
      guard noteRecorded(cell) else { continue }
      prepared.append(cell)
      length = length.saturatingAdd(lengths.cells[cell])
      spareTime.note(lengths.cells[cell], for: preparation(of: cell))
    }
    let start = max(free, model.jobs[job].start)
    let shift = start - model.jobs[job].start
    for cell in prepared {
      requestContent(of: cell, at: model.cells[cell].prepared.saturatingAdd(shift), after: index)
    }
    guard length > 0 || model.jobs[job].cells.isEmpty else { return }
    keepBusy(from: start, for: length)
    isFreeAfterAhead = model.jobs[job].isAhead && !isFollowed(job)
  }

  mutating func keepBusy(from start: Int64, for length: Int64) {
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
    isAsRecorded =
      !isProposed && differences == 0 && carried.isEmpty && share.isEmpty && !isOtherRate
    let start = max(free, ready(step, refresh))
    let startsLate =
      isFreeAfterAhead && !refresh.isSkippedAfterAhead
      || !step.jobs.isEmpty && steps.framesStartLate
    if free > refresh.start, !startsLate {
      // The refresh is skipped, and the next frame does its work.
      carried += steps.jobs[step.jobs]
      carriedReloads += reloads[index] ?? []
      holdContent(at: index)
      if !step.jobs.isEmpty { skipped = (refresh, index) }
      return
    }
    skipped = nil
    takeEarlyContent(at: index)
    carriedReloads += reloads[index] ?? []
    let reloadsCells = carriedReloads.contains { isDisplayed[$0] }
    let needed = neededCells(of: jobs(of: step), at: index) + share.count
    if step.jobs.isEmpty { keepShare(at: index) }
    var length = length(of: step, from: start, at: index)
    length = length.saturatingAdd(takeContent(at: index))
    for cell in share {
      length = length.saturatingAdd(price(of: cell))
      correction = max(correction, lengths.corrections[cell])
      spend(on: cell)
      prepare(cell)
      requests.append((cell, start.saturatingAdd(length)))
    }
    for request in requests {
      requestContent(of: request.cell, at: max(request.time, start), after: index)
    }
    requests = []
    let needsNone = needed == 0 && !reloadsCells
    (carried, carriedReloads) = ([], [])
    let mayPrepare = refresh.isMoving && needsNone
    var all = length.saturatingAdd(correction)
    correction = 0
    if let policy, policy.isInCommits, mayPrepare, !isAsRecorded,
      let next = nextPreparation(after: step)
    {
      let tail = steps.jobs[step.jobs].reduce(model.commitTail) {
        $0.saturatingAdd(lengths.decodes[$1])
      }
      let from = start.saturatingAdd(max(0, all.saturatingAdd(-tail)))
      all = all.saturatingAdd(prepareAhead(next, from: from, in: start, at: index))
    }
    keepBusy(from: start, for: all)
    isFreeAfterAhead = false
    frames.append(frame(step, refresh, start: start, end: free))
    if needsNone { spareTime.noteShortCommit(all) }
    guard let policy, !policy.isInCommits else { return }
    isAsRecorded =
      isAsRecorded && steps.jobs[step.jobs].last.map { model.jobs[$0].end == free } == true
    if mayPrepare, !isAsRecorded { useIdleTime(after: step, refresh, in: start, at: index) }
  }

  /// Returns the start of a frame that waits for nothing.
  private func ready(_ step: ReplayStep, _ refresh: ReplayStep.Refresh) -> Int64 {
    guard !isOtherRate, let job = steps.jobs[step.jobs].first else { return refresh.start }
    let isDelayed = job > 0 && model.jobs[job - 1].end > refresh.start
    return isDelayed ? refresh.start : max(refresh.start, model.jobs[job].start)
  }

  /// Makes a frame that was skipped at the next refresh, if the main thread is free there and no other
  /// frame comes before `time`.
  private mutating func makeUp(before time: Int64) {
    guard let (last, index) = skipped, last.refreshInterval > 0 else { return }
    let count = (max(0, free - last.start) - 1) / last.refreshInterval + 1
    let delay = count.saturatingMultiply(last.refreshInterval)
    let refresh = steps.refresh(last, later: delay)
    guard refresh.start < time else { return }
    play(ReplayStep(start: refresh.start, jobs: 0..<0, refresh: refresh), refresh, [], at: index)
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
