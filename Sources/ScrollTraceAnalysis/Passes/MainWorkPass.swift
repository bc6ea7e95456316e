import ScrollTraceModel

/// Main-thread work for each frame (M-12) and the idle time after commits (M-13).
struct MainWorkPass {
  private let pass: SurfacePass
  private let frames: FrameColumns
  /// The positions of the frames with a known commit end, sorted by it.
  private let commits: [Int32]

  /// Creates a pass over the frames with a known commit end. Those that are not selected only delimit rows.
  init(pass: SurfacePass) {
    self.pass = pass
    let frames = pass.surface.frames
    self.frames = frames
    var commits: [Int32] = []
    for index in frames.indices where frames[index].commitEnd != nil {
      commits.append(Int32(clamping: index))
    }
    self.commits = commits.stablySorted { frames[Int($0)].commitEnd ?? .zero }
  }

  /// A row for each commit, or empty without a main track.
  func rows() -> MainWorkRows {
    var rows = MainWorkRows()
    guard pass.workload.main != nil else { return rows }
    var cursor = pass.workload.cursor()
    var before: Timestamp?
    for (position, index) in commits.enumerated() {
      let frame = frames[Int(index)]
      guard let end = frame.commitEnd else { continue }
      defer { before = end }
      guard pass.isSelected(at: Int(index)) else { continue }
      let first = min(frame.commitStart ?? end, frame.start ?? end)
      let window = TimeRange(start: before ?? min(first, end), end: end)
      let refreshInterval = pass.frames.source.refreshInterval(of: frame, at: Int(index))
      rows.append(
        MainWork(
          frame: frame.id, start: window.start, time: end,
          busy: cursor.mainBusy(in: window), backgroundBusy: cursor.backgroundBusy(in: window),
          available: available(frame, before: before) ?? refreshInterval,
          missedDeadline: frame.missedDeadline,
          idle: frame.deadline.map {
            idle(from: end, to: $0, after: position, &cursor)
              + pass.workload.displayWait(inCommitOf: frame)
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
      let next = frames[Int(commits[position + 1])]
      if let start = next.commitStart ?? next.start { limit = min(limit, start) }
    }
    let window = TimeRange(start: end, end: limit)
    return window.length - cursor.mainBusy(in: window)
  }

  /// The time from a frame's start or the previous commit to its deadline, or `nil` if one is unknown.
  private func available(_ frame: Frame, before: Timestamp?) -> TimeSpan? {
    guard let deadline = frame.deadline, let begin = frame.start ?? before else { return nil }
    return max(.zero, deadline - max(begin, before ?? begin))
  }
}
