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
  func rows() -> MainWorkRows {
    var rows = MainWorkRows()
    guard workload.main != nil else { return rows }
    var cursor = workload.cursor()
    var before: Timestamp?
    for (position, index) in commits.enumerated() {
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
          available: available(frame, before: before), missedDeadline: frame.missedDeadline,
          idle: frame.frame.deadline.map {
            idle(from: end, to: $0, after: position, &cursor)
              + workload.displayWait(inCommitOf: frame.frame)
          }))
    }
    return rows
  }

  /// The idle main-thread time from a commit to its deadline or the next commit's start.
  private func idle(
    from end: Timestamp, to deadline: Timestamp, after position: Int,
    _ cursor: inout TrackWorkload.Cursor
  ) -> TimeSpan {
    var limit = deadline
    if position + 1 < commits.count {
      let next = frames[Int(commits[position + 1])].frame
      if let start = next.commitStart ?? next.start { limit = min(limit, start) }
    }
    let window = TimeRange(start: end, end: limit)
    return window.length - cursor.mainBusy(in: window)
  }

  /// The time available for a frame's work: from its start or the previous commit to its deadline.
  private func available(_ frame: EvaluatedFrame, before: Timestamp?) -> TimeSpan? {
    guard let deadline = frame.frame.deadline else { return frame.refreshInterval }
    guard let begin = frame.frame.start ?? before else { return frame.refreshInterval }
    return max(.zero, deadline - max(begin, before ?? begin))
  }
}
