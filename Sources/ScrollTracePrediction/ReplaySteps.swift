import ScrollTraceAnalysis
import ScrollTraceSummary
import ScrollTraceModel

/// The steps of a recording, at the recorded refresh rate or at another one.
struct ReplaySteps {
  /// The steps in order.
  private(set) var steps: [ReplayStep] = []
  /// The positions of the steps that are frames.
  private(set) var frames: [Int] = []
  /// The jobs of all steps, as positions in the model.
  private(set) var jobs: [Int] = []
  /// A Boolean value indicating whether frames start late after other work; otherwise they skip to the
  /// next refresh.
  var framesStartLate = false

  /// The largest number of refreshes besides the frames of a recording: a hang of minutes, and those of
  /// a faster display. More are out of proportion to the trace.
  private let maximumAdded: Int
  /// The time of interactions, if there are any.
  private let interactions: TimeRangeSet

  /// The starts of interactions, ascending, and when the content of each job was loaded.
  private let starts: [Int64]
  private var loadedInJob: [Int: Int64] = [:]
  private let evaluation: SurfaceEvaluation
  private let model: ReplayModel
  private var added = 0
  private var addedSteps: [ReplayStep] = []

  /// Creates the steps of `model`, or `nil` if there are too many.
  ///
  /// - Parameter refreshInterval: Another refresh interval, or `nil` for that of the recording.
  init?(of model: ReplayModel, _ evaluation: SurfaceEvaluation, refreshInterval: Int64?) {
    self.model = model
    self.evaluation = evaluation
    maximumAdded = 20_000 + 8 * evaluation.rows.count
    starts = evaluation.interactions.map(\.start.nanoseconds).sorted()
    for content in model.contents {
      loadedInJob[content.job] = max(content.loaded, loadedInJob[content.job] ?? 0)
    }
    let end = evaluation.trace.range.end
    interactions = TimeRangeSet(
      union: evaluation.interactions.map {
        TimeRange(start: $0.start, end: $0.end ?? end)
      })
    for index in model.jobs.indices where model.jobs[index].frame < 0 || refreshInterval == nil {
      let job = model.jobs[index]
      jobs.append(index)
      steps.append(
        ReplayStep(
          start: job.start, jobs: jobs.count - 1..<jobs.count,
          refresh: job.frame < 0 ? nil : refresh(Int(job.frame), start: job.start)))
    }
    if let refreshInterval {
      guard addGrid(refreshInterval) else { return nil }
    } else {
      guard addMissedRefreshes() else { return nil }
    }
    steps = Self.merged(
      steps.stablySorted(by: Self.comeBefore), addedSteps.stablySorted(by: Self.comeBefore))
    frames = steps.indices.filter { steps[$0].refresh != nil }
    framesStartLate = blockedFrames > added
  }

  private static func comeBefore(_ left: ReplayStep, _ right: ReplayStep) -> Bool {
    (left.start, left.rank) < (right.start, right.rank)
  }

  /// Merges both in order; recorded steps precede equal ones.
  private static func merged(_ recorded: [ReplayStep], _ added: [ReplayStep]) -> [ReplayStep] {
    guard !added.isEmpty else { return recorded }
    var all: [ReplayStep] = []
    all.reserveCapacity(recorded.count + added.count)
    var next = 0
    for step in recorded {
      while next < added.count, comeBefore(added[next], step) {
        all.append(added[next])
        next += 1
      }
      all.append(step)
    }
    return all + added[next...]
  }

  /// The number of frames that started late because of other work.
  private var blockedFrames: Int {
    model.jobs.indices.dropFirst().count { index in
      let (job, before) = (model.jobs[index], model.jobs[index - 1])
      guard job.frame >= 0, !before.isAhead,
        let start = evaluation.rows[Int(job.frame)].frame.start?.nanoseconds
      else { return false }
      return before.end > start
    }
  }

  /// Returns a frame as recorded.
  private func refresh(_ position: Int, start: Int64) -> ReplayStep.Refresh {
    let frame = evaluation.rows[position]
    return ReplayStep.Refresh(
      start: frame.frame.start?.nanoseconds ?? start,
      deadline: frame.frame.deadline?.nanoseconds, target: frame.frame.target?.nanoseconds,
      refreshInterval: frame.refreshInterval?.nanoseconds ?? 0, frame: position,
      isMoving: isMoving(frame, at: frame.frame.start?.nanoseconds ?? start))
  }

  /// Whether the list moves at a time near that of `frame`: frames before and after an interaction may
  /// belong to its motion.
  private func isMoving(_ frame: SurfaceEvaluation.Row, at time: Int64) -> Bool {
    frame.motion != nil
      && (interactions.ranges.isEmpty
        || interactions.index(containing: Timestamp(clamping: time)) != nil)
  }

  // MARK: - The same rate

  /// Adds the refreshes without a frame during main-thread work.
  private mutating func addMissedRefreshes() -> Bool {
    var looked = 0
    for position in evaluation.rows.indices.dropFirst() {
      let (before, next) = (evaluation.rows[position - 1], evaluation.rows[position])
      guard let motion = before.motion, next.motion == motion, before.isOwed, next.isOwed,
        let from = before.frame.start?.nanoseconds, let to = next.frame.start?.nanoseconds,
        let interval = next.refreshInterval?.nanoseconds, interval > 0,
        before.frame.commitEnd != nil
      else { continue }
      let limit = (to - from) - interval / 2
      var shift = interval
      while shift < limit {
        looked += 1
        // The gaps have more refreshes than the limit.
        guard looked <= maximumAdded else { return false }
        if let job = model.job(at: from + shift) {
          add(after: position - 1, by: shift, during: job)
        }
        shift = shift.saturatingAdd(interval)
      }
    }
    return true
  }

  /// Returns a refresh that is `delay` later than another one.
  func refresh(_ before: ReplayStep.Refresh, later delay: Int64) -> ReplayStep.Refresh {
    var refresh = before
    refresh.start = before.start.saturatingAdd(delay)
    refresh.isMoving = isMoving(evaluation.rows[before.frame], at: refresh.start)
    refresh.deadline = refresh.deadline.map { $0.saturatingAdd(delay) }
    refresh.target = refresh.target.map { $0.saturatingAdd(delay) }
    return refresh
  }

  private mutating func add(after position: Int, by shift: Int64, during job: Int) {
    added += 1
    var refresh = refresh(refresh(position, start: 0), later: shift)
    refresh.isSkippedAfterAhead = model.jobs[job].isAhead
    // The frame before may have started after this refresh.
    let before = evaluation.rows[position].frame.commitStart?.nanoseconds ?? refresh.start
    addedSteps.append(
      ReplayStep(
        start: max(refresh.start, before), jobs: jobs.count..<jobs.count, refresh: refresh))
  }

  // MARK: - Another rate

  /// Adds frames at another rate: in motion one at each refresh, with the work of the frames recorded
  /// since the one before; at rest the recorded ones, at the refresh in which they are due.
  private mutating func addGrid(_ refreshInterval: Int64) -> Bool {
    let frameJobs = model.jobs.indices.filter { model.jobs[$0].frame >= 0 }
    guard let origin = frameJobs.first.map(gridOrigin) else { return true }
    var next = 0
    while next < frameJobs.count {
      let first = frameJobs[next]
      let start = Self.refresh(atOrAfter: due(first), origin, refreshInterval)
      guard let motion = evaluation.rows[Int(model.jobs[first].frame)].motion else {
        jobs.append(first)
        steps.append(step(first, at: start, refreshInterval, 1))
        next += 1
        continue
      }
      var last = next
      while last + 1 < frameJobs.count,
        evaluation.rows[Int(model.jobs[frameJobs[last + 1]].frame)].motion == motion
      {
        last += 1
      }
      let end = frameStart(of: frameJobs[last])
      guard end < start || (end - start) / refreshInterval < Int64(maximumAdded - added) else {
        return false
      }
      var time = start
      while next <= last {
        let from = next
        while next <= last, middle(of: frameJobs[next]) <= time {
          jobs.append(frameJobs[next])
          next += 1
        }
        addedSteps.append(step(frameJobs[from], at: time, refreshInterval, next - from))
        added += 1
        guard added <= maximumAdded else { return false }
        time = time.saturatingAdd(refreshInterval)
      }
    }
    return true
  }

  /// A little after the middle of the refresh that ends with the start of a frame, in which its cells came
  /// into view.
  private func middle(of job: Int) -> Int64 {
    frameStart(of: job) - recordedInterval(job) / 20 * 9
  }

  private func recordedInterval(_ job: Int) -> Int64 {
    max(0, evaluation.rows[Int(model.jobs[job].frame)].refreshInterval?.nanoseconds ?? 0)
  }

  /// The recorded refresh at the start of the recording, where both rates have one.
  private func gridOrigin(_ job: Int) -> Int64 {
    let (start, interval) = (frameStart(of: job), max(1, recordedInterval(job)))
    let before = max(0, start - evaluation.trace.range.start.nanoseconds)
    return start - before.saturatingAdd(interval / 2) / interval * interval
  }

  /// Returns the refresh at a time, give or take a microsecond, or the next one.
  private static func refresh(
    atOrAfter time: Int64, _ origin: Int64, _ refreshInterval: Int64
  ) -> Int64 {
    let distance = time.saturatingAdd(-origin).saturatingAdd(-1_000)
    let count = distance > 0 ? (distance - 1) / refreshInterval + 1 : distance / refreshInterval
    return origin.saturatingAdd(count.saturatingMultiply(refreshInterval))
  }

  /// When the frame of `job` was due: an interaction started, the content it gives to cells was loaded, or
  /// half a refresh had passed since the one before.
  private func due(_ job: Int) -> Int64 {
    let (start, interval) = (frameStart(of: job), recordedInterval(job))
    guard evaluation.rows[Int(model.jobs[job].frame)].frame.start != nil else { return start }
    let known = starts.partitionPoint { $0 > start }
    let begun = known > 0 ? starts[known - 1] : 0
    // What was loaded while the main thread was busy is noticed afterwards.
    let noticed = loadedInJob[job].map { max($0, job > 0 ? model.jobs[job - 1].end : 0) }
    let times = [begun, noticed ?? 0]
    return times.first { $0 > start - interval && $0 <= start } ?? start - interval / 2
  }

  private func frameStart(of job: Int) -> Int64 {
    evaluation.rows[Int(model.jobs[job].frame)].frame.start?.nanoseconds ?? model.jobs[job].start
  }

  /// Returns a frame at `time` with the last `count` jobs. Its deadline and target are as many refreshes
  /// away as those of the frame of `job`.
  private func step(_ job: Int, at time: Int64, _ refreshInterval: Int64, _ count: Int)
    -> ReplayStep
  {
    let position = Int(model.jobs[job].frame)
    let frame = evaluation.rows[position]
    let recorded = max(1, frame.refreshInterval?.nanoseconds ?? refreshInterval)
    let start = frameStart(of: job)
    func scaled(_ instant: Timestamp?) -> Int64? {
      instant.map {
        let distance = WideInteger($0.nanoseconds - start) * WideInteger(refreshInterval) / recorded
        return max(0, time.saturatingAdd(Int64(clamping: distance)))
      }
    }
    return ReplayStep(
      start: time, jobs: jobs.count - count..<jobs.count,
      refresh: ReplayStep.Refresh(
        start: time, deadline: scaled(frame.frame.deadline), target: scaled(frame.frame.target),
        refreshInterval: refreshInterval, frame: position, isMoving: isMoving(frame, at: time)))
  }
}
