import ScrollTraceModel

extension LatenessBucket {
  /// The hitches by refreshes late: 1, 2, 3, 4-7, 8-15, 16+ (M-9), or empty without refresh
  /// intervals.
  static func histogram(of hitches: [Hitch]) -> [LatenessBucket] {
    let limits: [(String, ClosedRange<Int>)] = [
      ("1", 1...1), ("2", 2...2), ("3", 3...3), ("4-7", 4...7), ("8-15", 8...15),
      ("16+", 16...Int.max),
    ]
    let missed = hitches.compactMap(\.refreshesMissed)
    guard missed.count == hitches.count else { return [] }
    return limits.map { name, range in
      LatenessBucket(refreshesLate: name, count: missed.count { range.contains($0) })
    }
  }
}

extension DeadlineUtilizationBucket {
  /// The commits by deadline utilization, or empty if no frame has a deadline, or if one is late by
  /// an unknown number of refreshes.
  ///
  /// The available time runs from max(start, the previous commit end) to the deadline. Late commits
  /// are counted by overrun in refreshes, rounded up.
  /// Frames that are not selected are only previous commits.
  static func histogram(of pass: SurfacePass) -> [DeadlineUtilizationBucket] {
    var counts = Array(repeating: 0, count: 6)
    var before: Timestamp?
    let frames = pass.surface.frames
    for index in frames.indices {
      let frame = frames[index]
      guard let end = frame.commitEnd else { continue }
      defer { before = end }
      guard pass.isSelected(at: index), let overrun = frame.overrun, let deadline = frame.deadline
      else { continue }
      if overrun > .zero {
        guard let interval = pass.frames.source.refreshInterval(of: frame, at: index) else {
          return []
        }
        let refreshes = (overrun.nanoseconds - 1) / interval.nanoseconds + 1
        counts[refreshes == 1 ? 3 : refreshes == 2 ? 4 : 5] += 1
        continue
      }
      let known = frame.start ?? before
      let begin = known.map { max($0, before ?? $0) } ?? frame.commitStart
      guard let begin, begin < deadline else {
        counts[2] += 1
        continue
      }
      let used = max(.zero, end - begin)
      let available = deadline - begin
      counts[used * 2 <= available ? 0 : used * 4 <= available * 3 ? 1 : 2] += 1
    }
    guard counts.contains(where: { $0 > 0 }) else { return [] }
    let labels = ["0-50 %", "50-75 %", "75-100 %", "1 late", "2 late", "3+ late"]
    return labels.indices.map {
      DeadlineUtilizationBucket(label: labels[$0], count: counts[$0], isLate: $0 >= 3)
    }
  }
}
