import ScrollTraceModel

/// The idle time (M-13) before each hitch, since the previous hitch of the same motion.
struct IdleTimes {
  private let idle: [TimeSpan]

  /// Creates the idle times before each of `late` on its surface.
  init(of surfaces: [SurfaceAnalysis], before late: LateWindows) {
    var idle = [TimeSpan](repeating: .zero, count: late.windows.count)
    let sums = surfaces.map { surface in
      surface.idleTimes.reduce(into: [TimeSpan.zero]) { $0.append($0[$0.count - 1] + $1) }
    }
    let motions = surfaces.map { surface in
      TimeRangeSet(
        union: surface.interactions.map(\.range), joining: surface.refreshInterval ?? .zero)
    }
    var since = [Timestamp](repeating: .zero, count: surfaces.count)
    for (index, window) in late.windows.enumerated() {
      let rows = surfaces[window.surface].mainWork
      let motion = motions[window.surface].index(containing: window.range.start)
      let begin = motion.map { motions[window.surface].ranges[$0].start } ?? .zero
      let from = max(since[window.surface], begin)
      since[window.surface] = max(since[window.surface], window.range.end)
      guard rows.count + 1 == sums[window.surface].count else { continue }
      let first = rows.partitionPoint { $0.time >= from }
      let end = rows.partitionPoint { $0.time > window.range.start }
      guard first < end else { continue }
      idle[index] = sums[window.surface][end] - sums[window.surface][first]
    }
    self.idle = idle
  }

  /// The idle time before the window at this position.
  subscript(window: Int) -> TimeSpan { idle[window] }
}
