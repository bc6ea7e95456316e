import ScrollTraceModel

/// Main-thread work for each frame (M-12) and the idle time after commits (M-13).
struct MainWorkPass {
  /// The frames with a known commit end, sorted by it.
  private let commits: [EvaluatedFrame]
  private let workload: TrackWorkload
  private let isCounted: (EvaluatedFrame) -> Bool

  /// Creates a pass over the frames with a known commit end.
  ///
  /// - Parameter isCounted: Whether a frame gets a row. The others only delimit rows.
  init(
    frames: [EvaluatedFrame], workload: TrackWorkload, isCounted: @escaping (EvaluatedFrame) -> Bool
  ) {
    self.isCounted = isCounted
    let knowAll = frames.allSatisfy { $0.frame.commitEnd != nil }
    commits = (knowAll ? frames : frames.filter { $0.frame.commitEnd != nil }).stablySorted {
      $0.frame.commitEnd ?? .zero
    }
    self.workload = workload
  }

  /// A row for each commit, or empty without a main track.
  func rows() -> [MainWork] {
    guard workload.main != nil else { return [] }
    var rows: [MainWork] = []
    rows.reserveCapacity(commits.count)
    var cursor = workload.cursor()
    var before: Timestamp?
    for frame in commits {
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
      commits.contains(where: { $0.frame.deadline != nil && isCounted($0) })
    else {
      return nil
    }
    var times: [TimeSpan] = []
    times.reserveCapacity(commits.count)
    var cursor = workload.cursor()
    for (index, frame) in commits.enumerated() where isCounted(frame) {
      guard let end = frame.frame.commitEnd, let deadline = frame.frame.deadline else {
        times.append(.zero)
        continue
      }
      var limit = deadline
      if index + 1 < commits.count {
        let next = commits[index + 1].frame
        if let start = next.commitStart ?? next.start { limit = min(limit, start) }
      }
      let window = TimeRange(start: end, end: limit)
      times.append(window.length - cursor.mainBusy(in: window))
    }
    return times
  }
}
