import ScrollTraceModel

/// Main-thread work for each frame (M-12) and the idle time after commits (M-13).
struct MainWorkPass {
  private let frames: EvaluatedFrames
  /// The positions of the frames with a known commit end, sorted by it.
  private let commits: [Int32]
  private let workload: TrackWorkload
  private let isCounted: (EvaluatedFrame) -> Bool

  /// Creates a pass over the frames with a known commit end.
  ///
  /// - Parameter isCounted: Whether a frame gets a row. The others only delimit rows.
  init(
    frames: EvaluatedFrames, workload: TrackWorkload, isCounted: @escaping (EvaluatedFrame) -> Bool
  ) {
    self.frames = frames
    self.isCounted = isCounted
    var commits: [Int32] = []
    for index in frames.indices where frames[index].frame.commitEnd != nil {
      commits.append(Int32(clamping: index))
    }
    self.commits = commits.stablySorted { frames[Int($0)].frame.commitEnd ?? .zero }
    self.workload = workload
  }

  /// A row for each commit, or empty without a main track.
  func rows() -> [MainWork] {
    guard workload.main != nil else { return [] }
    var rows: [MainWork] = []
    rows.reserveCapacity(commits.count)
    var cursor = workload.cursor()
    var before: Timestamp?
    for index in commits {
      let frame = frames[Int(index)]
      guard let end = frame.frame.commitEnd else { continue }
      defer { before = end }
      guard isCounted(frame) else { continue }
      let first = min(frame.frame.commitStart ?? end, frame.frame.start ?? end)
      let window = TimeRange(start: before ?? min(first, end), end: end)
      rows.append(
        MainWork(
          frame: frame.frame.id, start: window.start, time: end,
          busy: cursor.mainBusy(in: window), backgroundBusy: cursor.backgroundBusy(in: window),
          available: available(frame, before: before), missedDeadline: frame.missedDeadline))
    }
    return rows
  }

  /// The time available for a frame's work: from its start or the previous commit to its deadline.
  private func available(_ frame: EvaluatedFrame, before: Timestamp?) -> TimeSpan? {
    guard let deadline = frame.frame.deadline else { return frame.refreshInterval }
    guard let begin = frame.frame.start ?? before else { return frame.refreshInterval }
    return max(.zero, deadline - max(begin, before ?? begin))
  }

  /// The idle main-thread time from each commit of `rows` to its deadline or the next commit's
  /// start, or `nil` if no deadline is known.
  func idleTimes() -> [TimeSpan]? {
    guard workload.main != nil,
      commits.contains(where: {
        frames[Int($0)].frame.deadline != nil && isCounted(frames[Int($0)])
      })
    else {
      return nil
    }
    var times: [TimeSpan] = []
    times.reserveCapacity(commits.count)
    var cursor = workload.cursor()
    for index in commits.indices {
      let frame = frames[Int(commits[index])]
      guard isCounted(frame) else { continue }
      guard let end = frame.frame.commitEnd, let deadline = frame.frame.deadline else {
        times.append(.zero)
        continue
      }
      var limit = deadline
      if index + 1 < commits.count {
        let next = frames[Int(commits[index + 1])].frame
        if let start = next.commitStart ?? next.start { limit = min(limit, start) }
      }
      let window = TimeRange(start: end, end: limit)
      times.append(window.length - cursor.mainBusy(in: window))
    }
    return times
  }
}
