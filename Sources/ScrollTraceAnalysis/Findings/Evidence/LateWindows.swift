import ScrollTraceModel

/// The windows of hitches (M-16) that main-thread work can have caused.
///
/// Hitches after a commit that met its deadline are not among them.
struct LateWindows {
  struct Window: Equatable {
    let range: TimeRange
    /// The position of the surface in the analysis.
    let surface: Int
    let frame: UInt64?
    /// The number of hitches: more than one if the frame delayed others.
    var hitches = 1
    /// The hitch time of those inside the measured time.
    var hitchTime: TimeSpan
    /// Whether the main thread was off a core for most of the window although
    /// it had work, or came to it late (M-25): no work in it is the cause.
    var isOffCore = false
  }

  let windows: [Window]
  /// For each window, the one that ends last among it and those before. Windows of different surfaces
  /// may contain each other.
  private let longest: [Int]

  init(of surfaces: [SurfaceAnalysis], besides others: Set<SurfaceID> = []) {
    var all: [Window] = []
    for (index, surface) in surfaces.enumerated() where !others.contains(surface.surface) {
      for hitch in surface.hitches where !hitch.isAfterCommit {
        guard let attribution = hitch.chargedAttribution else { continue }
        all.append(
          Window(
            range: attribution.window, surface: index, frame: hitch.delayedByFrame ?? hitch.frame,
            hitchTime: hitch.lengthInMotion,
            isOffCore: attribution.offCore.isPart(
              FindingThresholds.offCoreWindowShare, of: attribution.window.length)))
      }
    }
    let sorted = all.stablySorted {
      ($0.range.start, $0.range.end, $0.surface) < ($1.range.start, $1.range.end, $1.surface)
    }
    var windows: [Window] = []
    for window in sorted {
      if let last = windows.last, last.range == window.range, last.surface == window.surface {
        windows[windows.count - 1].hitches += 1
        windows[windows.count - 1].hitchTime += window.hitchTime
      } else {
        windows.append(window)
      }
    }
    self.windows = windows
    var longest: [Int] = []
    longest.reserveCapacity(windows.count)
    for (index, window) in windows.enumerated() {
      let before = longest.last ?? index
      longest.append(windows[before].range.end > window.range.end ? before : index)
    }
    self.longest = longest
  }

  /// Returns the latest window that contains the middle and at least half of `range`, or `nil` if none
  /// does.
  ///
  /// Not all of it: where frames are evaluated by their starts, a window ends at the next start, which the
  /// source may state before the end of the work that delayed it, as browsers do.
  func index(ofMost range: TimeRange) -> Int? {
    let middle = range.middle
    let last = windows.partitionPoint { $0.range.start > middle } - 1
    guard last >= 0 else { return nil }
    return [last, longest[last]].first {
      let window = windows[$0].range
      let inside = min(window.end, range.end) - max(window.start, range.start)
      return window.end >= middle && inside >= middle - range.start
    }
  }
}

extension TimeRange {
  var middle: Timestamp { start + TimeSpan(nanoseconds: length.nanoseconds / 2) }
}

extension LateWindows {
  /// The idle time (M-13) before each window, since the previous one of the same motion.
  func idleTimes(of surfaces: [SurfaceAnalysis]) -> [TimeSpan] {
    let motions = surfaces.map { surface in
      TimeRangeSet(
        union: surface.interactions.map(\.range), joining: surface.refreshInterval ?? .zero)
    }
    var since = [Timestamp](repeating: .zero, count: surfaces.count)
    return windows.map { window in
      let rows = surfaces[window.surface].mainWork
      let motion = motions[window.surface].index(containing: window.range.start)
      let begin = motion.map { motions[window.surface].ranges[$0].start } ?? .zero
      let from = max(since[window.surface], begin)
      since[window.surface] = max(since[window.surface], window.range.end)
      let first = rows.partitionPoint { $0.time >= from }
      let end = rows.partitionPoint { $0.time > window.range.start }
      return first < end ? rows.idle(in: first..<end) : .zero
    }
  }
}
