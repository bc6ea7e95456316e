import ScrollTraceModel

/// One run through the steps of a replay.
struct ReplayRun {
  /// The frames that were made.
  private(set) var frames: [Frame] = []
  /// How many cells were prepared in spare time.
  private(set) var preparedAhead = 0

  private let model: ReplayModel
  private let pass: SurfacePass
  private let steps: ReplaySteps
  private let lengths: JobLengths
  private let usesSpareTime: Bool
  private let preparesOneAhead: Bool
  /// Whether frames may differ from those that were recorded at all.
  private let isOtherRate: Bool
  /// The time from deadline to glass of frames on time whose target is unknown.
  private let usualDelay: Int64

  /// Until when the main thread is at work, and whether the last of it was a preparation ahead.
  private var free: Int64 = 0
  private var isFreeAfterAhead = false
  /// Work of frames that did not come to be, for the next one.
  private var carried: Int64 = 0
  /// The cells that have been prepared before they were needed, and the next that may be.
  private var isPrepared: [Bool]
  private var nextCell = 0
  private var waitingCells = 0
  /// How many more cells a list needs that keeps some ready, so that they have to be made.
  private var missingCells: Int
  /// How many cells may wait to be shown.
  private let mostWaiting: Int

  init(_ replay: Replay, _ steps: ReplaySteps, _ lengths: JobLengths, _ changes: [Change]) {
    model = replay.model
    pass = replay.pass
    self.steps = steps
    self.lengths = lengths
    usesSpareTime = changes.contains(.prepareCellsInSpareTime)
    preparesOneAhead = changes.contains(.prepareCellsOneAhead) && !usesSpareTime
    isOtherRate = changes.contains {
      if case .refreshInterval = $0 { true } else { false }
    }
    isPrepared = [Bool](repeating: false, count: model.cells.count)
    mostWaiting = Self.linesAhead * max(1, model.cellsOfLine)
    missingCells = usesSpareTime || preparesOneAhead ? 2 * mostWaiting : 0
    usualDelay = Self.usualDelay(of: pass)
  }

  /// For how many lines a list prepares cells ahead.
  private static let linesAhead = 3

  private static func usualDelay(of pass: SurfacePass) -> Int64 {
    let delays = pass.frames.compactMap { frame -> Int64? in
      guard frame.missedDeadline == false, let deadline = frame.frame.deadline,
        let presented = frame.frame.presented
      else { return nil }
      return (presented - deadline).nanoseconds
    }.sorted()
    return delays.isEmpty ? 0 : delays[delays.count / 2]
  }

  /// Plays all steps, and adds the frames of which no commit on the main thread is known as they were.
  mutating func play() {
    frames.reserveCapacity(steps.steps.count)
    for step in steps.steps {
      if let refresh = step.refresh {
        play(step, refresh)
      } else {
        for job in steps.jobs[step.jobs] { work(job) }
      }
    }
    var isPlayed = [Bool](repeating: false, count: pass.frames.count)
    for job in model.jobs where job.frame >= 0 { isPlayed[Int(job.frame)] = true }
    for (frame, isPlayed) in zip(pass.frames, isPlayed) where !isPlayed {
      frames.append(frame.frame)
    }
  }

  /// Does work that belongs to no frame.
  private mutating func work(_ job: Int) {
    var length = lengths.jobs[job]
    for cell in model.jobs[job].cells { length = length.saturatingAdd(lengths.cells[cell]) }
    free = max(free, model.jobs[job].begin).saturatingAdd(max(0, length))
    isFreeAfterAhead = model.jobs[job].isAhead && !isFollowed(job)
  }

  /// Whether other work came right behind, so that no frame could begin in between.
  private func isFollowed(_ job: Int) -> Bool {
    let next = job + 1
    return next < model.jobs.count && model.jobs[next].frame < 0
      && model.jobs[next].begin == model.jobs[job].end
  }

  // MARK: - Frames

  private mutating func play(_ step: ReplayStep, _ refresh: ReplayStep.Refresh) {
    let needed = neededCells(of: step)
    let length = length(of: step)
    let followsCell = isFreeAfterAhead && free - refresh.begin < refresh.interval
    let beginsLate = followsCell || !step.jobs.isEmpty && steps.framesBeginLate
    if free > refresh.begin, !beginsLate {
      // No frame at this refresh: what it brings has to be done in the next one.
      if !step.jobs.isEmpty { carried = carried.saturatingAdd(max(0, length - model.shortCommit)) }
      return
    }
    let begin = max(free, ready(step, refresh))
    var all = length.saturatingAdd(carried)
    let needsNone = needed == 0 && carried == 0
    carried = 0
    if preparesOneAhead, refresh.isMoving, needsNone, let cell = takeCell(after: step) {
      all = all.saturatingAdd(price(of: cell))
      missingCells = max(0, missingCells - 1)
    }
    free = begin.saturatingAdd(max(0, all))
    isFreeAfterAhead = false
    frames.append(frame(step, refresh, begin: begin, end: free))
    if usesSpareTime, refresh.isMoving, needsNone { useSpareTime(after: step, refresh) }
  }

  /// When a frame was begun that nothing stood in the way of.
  private func ready(_ step: ReplayStep, _ refresh: ReplayStep.Refresh) -> Int64 {
    guard !isOtherRate, let job = steps.jobs[step.jobs].first else { return refresh.begin }
    let isDelayed = job > 0 && model.jobs[job - 1].end > refresh.begin
    return isDelayed ? refresh.begin : max(refresh.begin, model.jobs[job].begin)
  }

  /// How many cells the frame still has to prepare.
  private mutating func neededCells(of step: ReplayStep) -> Int {
    var count = 0
    for job in steps.jobs[step.jobs] {
      for cell in model.jobs[job].cells where model.cells[cell].reason == .needed {
        if isPrepared[cell] { waitingCells -= 1 } else { count += 1 }
      }
    }
    return count
  }

  /// How long the commit takes: one that does the work of several frames does what all need once.
  private mutating func length(of step: ReplayStep) -> Int64 {
    guard !step.jobs.isEmpty else { return model.shortCommit }
    var sum: Int64 = 0
    for job in steps.jobs[step.jobs] {
      sum = sum.saturatingAdd(lengths.jobs[job])
      for cell in model.jobs[job].cells where !isPrepared[cell] {
        sum = sum.saturatingAdd(price(of: cell))
        missingCells = max(0, missingCells - 1)
      }
    }
    let shared = Int64(clamping: Int128(step.jobs.count - 1) * Int128(model.shortCommit))
    return max(min(sum, model.shortCommit), sum - shared)
  }

  // MARK: - Cells

  /// How long the preparation of a cell takes: where cells are still missing, one has to be made.
  private func price(of cell: Int) -> Int64 {
    guard missingCells > 0, model.cells[cell].isReused else { return lengths.cells[cell] }
    return lengths.cells[cell].saturatingAdd(max(0, model.createTime - model.reuseTime))
  }

  /// The next cell that will be needed and is not prepared, taken; `nil` where enough are ready.
  private mutating func takeCell(after step: ReplayStep) -> Int? {
    guard let cell = nextCell(after: step) else { return nil }
    isPrepared[cell] = true
    waitingCells += 1
    preparedAhead += 1
    return cell
  }

  private mutating func nextCell(after step: ReplayStep) -> Int? {
    guard waitingCells < mostWaiting else { return nil }
    // Refreshes that had no frame come before the jobs of the next frame that had one.
    let done = steps.jobs[step.jobs].last.map { model.jobs[$0].begin } ?? step.begin
    while nextCell < model.cells.count {
      let cell = model.cells[nextCell]
      if cell.reason == .needed, !isPrepared[nextCell], model.jobs[cell.job].begin > done {
        return cell.foreseen <= free ? nextCell : nil
      }
      nextCell += 1
    }
    return nil
  }

  /// Prepares one cell if it and the next commit fit into the time until the next frame's deadline.
  private mutating func useSpareTime(after step: ReplayStep, _ refresh: ReplayStep.Refresh) {
    let next = refresh.begin.saturatingAdd(refresh.interval)
    let due = (refresh.deadline ?? next).saturatingAdd(refresh.interval)
    guard free <= next, let cell = nextCell(after: step) else { return }
    let length = price(of: cell)
    let all = length.saturatingAdd(model.shortCommit).saturatingAdd(refresh.interval / 10)
    guard all <= due - free else { return }
    _ = takeCell(after: step)
    missingCells = max(0, missingCells - 1)
    free = free.saturatingAdd(length)
    isFreeAfterAhead = true
  }

  // MARK: - On the glass

  private func frame(
    _ step: ReplayStep, _ refresh: ReplayStep.Refresh, begin: Int64, end: Int64
  ) -> Frame {
    let recorded = pass.frames[refresh.frame]
    let isRecorded = !step.jobs.isEmpty && !isOtherRate
    if isRecorded, recorded.frame.commitEnd?.nanoseconds == end { return recorded.frame }
    var frame = recorded.frame
    frame.begin = Timestamp(clamping: refresh.begin)
    frame.commitStart = Timestamp(clamping: begin)
    frame.commitEnd = Timestamp(clamping: end)
    frame.deadline = refresh.deadline.map { Timestamp(clamping: $0) }
    frame.target = refresh.target.map { Timestamp(clamping: $0) }
    frame.interval = TimeSpan(nanoseconds: refresh.interval)
    frame.presented = presented(refresh, recorded, isRecorded: isRecorded, end: end)
    if step.jobs.isEmpty {
      // A refresh that had no frame has one that is shown as those around it are.
      frame.outcome = frame.presented == nil ? .unknown : .presented
    } else if frame.outcome == .dropped, recorded.missedDeadline == true, frame.presented != nil {
      // What was dropped for being late would not have been.
      frame.outcome = .presented
    }
    return frame
  }

  /// When a frame that was committed at `end` is shown; `nil` where the source does not tell.
  private func presented(
    _ refresh: ReplayStep.Refresh, _ recorded: EvaluatedFrame, isRecorded: Bool, end: Int64
  ) -> Timestamp? {
    let wasDropped = recorded.frame.outcome == .dropped && recorded.missedDeadline == true
    guard recorded.frame.presented != nil || wasDropped else { return nil }
    guard let due = refresh.deadline ?? refresh.target else { return recorded.frame.presented }
    let late = Self.refreshes(end - due, refresh.interval)
    if isRecorded, let overrun = recorded.overrun,
      Self.refreshes(overrun.nanoseconds, refresh.interval) == late
    {
      return recorded.frame.presented
    }
    let expected = refresh.target ?? due.saturatingAdd(usualDelay)
    let delay = Int64(clamping: Int128(late) * Int128(refresh.interval))
    return Timestamp(clamping: expected.saturatingAdd(delay))
  }

  /// The refreshes that a commit is late by that ended `overrun` after its deadline.
  private static func refreshes(_ overrun: Int64, _ interval: Int64) -> Int64 {
    guard overrun > 0, interval > 0 else { return 0 }
    return (overrun - 1) / interval + 1
  }
}
