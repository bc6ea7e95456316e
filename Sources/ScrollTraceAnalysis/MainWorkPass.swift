import ScrollTraceModel

/// Main-thread work per frame (M-12) and the spare time after commits (M-13).
struct MainWorkPass {
  /// The frames that know their commit's end, ascending by it.
  private let commits: [JudgedFrame]
  private let workload: TrackWorkload

  /// A pass over the frames that know their commit's end.
  init(frames: [JudgedFrame], workload: TrackWorkload) {
    commits = frames.filter { $0.frame.commitEnd != nil }.stablySorted {
      ($0.frame.commitEnd ?? .zero) < ($1.frame.commitEnd ?? .zero)
    }
    self.workload = workload
  }

  /// One row for each commit; empty without a main track.
  func rows() -> [MainWork] {
    guard workload.main != nil else { return [] }
    var rows: [MainWork] = []
    var before: Timestamp?
    for frame in commits {
      guard let end = frame.frame.commitEnd else { continue }
      let first = [frame.frame.commitStart, frame.frame.begin].compactMap { $0 }.min() ?? end
      let window = TimeRange(begin: before ?? min(first, end), end: end)
      rows.append(
        MainWork(
          frame: frame.frame.id, begin: window.begin, time: end,
          busy: workload.mainBusy(in: window) ?? .zero,
          backgroundBusy: workload.backgroundBusy(in: window),
          available: available(frame, before: before), missedDeadline: frame.missedDeadline))
      before = end
    }
    return rows
  }

  /// The time a frame's work had: up to its deadline, from its begin or the commit before.
  private func available(_ frame: JudgedFrame, before: Timestamp?) -> TimeSpan? {
    guard let deadline = frame.frame.deadline else { return frame.interval }
    guard let begin = [frame.frame.begin, before].compactMap({ $0 }).max() else {
      return frame.interval
    }
    return max(.zero, deadline - begin)
  }

  /// Idle main-thread time from each commit to its deadline or the next commit's start.
  func headroom() -> TimeSpan? {
    guard workload.main != nil, commits.contains(where: { $0.frame.deadline != nil }) else {
      return nil
    }
    var sum = TimeSpan.zero
    for (index, frame) in commits.enumerated() {
      guard let end = frame.frame.commitEnd, let deadline = frame.frame.deadline else { continue }
      var limit = deadline
      if index + 1 < commits.count {
        let next = commits[index + 1].frame
        if let start = next.commitStart ?? next.begin { limit = min(limit, start) }
      }
      let window = TimeRange(begin: end, end: limit)
      sum += window.length - (workload.mainBusy(in: window) ?? .zero)
    }
    return sum
  }
}
