import ScrollTraceAnalysis
import ScrollTraceModel

/// The frames of a surface for a graph, as points in time.
struct FrameSeries {
  /// The quantity that the height of a point represents.
  enum Kind {
    /// Main-thread work since the previous commit (M-12).
    case mainWork
    case commit
    /// The time since the previous presented frame.
    case gap
    /// The frame spacing of a surface that could not be evaluated, including rests.
    case frameSpacing
    /// The length of a hitch relative to the longest one, because no refresh interval is known.
    case hitch
  }

  /// A frame, or a hitch without a frame.
  struct Point {
    let range: TimeRange
    let length: TimeSpan
    /// The height, where 1 is the available time. It is above 1 if and only if the frame was late,
    /// except for frame spacings, which are not evaluated, and lengths of hitches.
    let load: Double
    /// The background work relative to the point's time, or `nil` if unknown.
    var background: Double?

    var isLate: Bool { load > 1 }
  }

  let kind: Kind
  /// The points, sorted by time.
  private(set) var points: [Point]
  let hitches: [Timestamp]
  /// The usual time that 1 represents, or `nil` if unknown.
  let unit: TimeSpan?
  /// Whether 1 is the same time for all frames.
  let hasOneUnit: Bool
  let hasRefreshInterval: Bool

  /// Creates the points of `surface`, or returns `nil` if nothing can be drawn to scale.
  ///
  /// - Parameter selected: The time whose frames are drawn, or `nil` for everything.
  init?(_ surface: SurfaceAnalysis, in trace: Trace, selected: TimeRangeSet? = nil) {
    let frames = trace.surfaces[surface.surface.index].frames
    func isSelected(_ frame: Frame) -> Bool {
      guard let selected else { return true }
      return frame.time.map { selected.index(containing: $0) != nil } ?? false
    }
    unit = surface.refreshInterval ?? (surface.isEvaluated ? nil : surface.frameSpacing?.p50)
    hasRefreshInterval = surface.refreshInterval != nil
    hasOneUnit = surface.distinctRefreshIntervals.count < 2
    let isOfGaps = Self.showsInGapsAlone(surface)
    if !surface.isEvaluated, surface.basis == .cadence, let unit {
      kind = .frameSpacing
      let source = trace.surfaces[surface.surface.index]
      points = Self.frameSpacing(source, unit: unit, isSelected)
    } else if !surface.mainWork.isEmpty, !isOfGaps {
      kind = .mainWork
      points = Self.mainWork(surface)
    } else if !isOfGaps,
      let commits = Self.commits(frames, unit: surface.refreshInterval, isSelected)
    {
      kind = .commit
      points = commits
    } else if let interval = surface.refreshInterval {
      kind = .gap
      points = Self.gaps(surface, frames, refreshInterval: interval, isSelected)
    } else {
      kind = .hitch
      points = Self.lengths(surface)
    }
    let drawsCommits = kind == .mainWork || kind == .commit
    hitches = surface.hitches.map { hitch in
      let frame = hitch.frameIndex.flatMap { drawsCommits ? frames[$0].commitEnd : nil }
      return frame ?? (drawsCommits ? hitch.range.start : hitch.range.end)
    }
    addStalls(of: surface, isSelected)
    guard !points.isEmpty else { return nil }
  }

  /// Draws each hitch that no frame shows at its length: the time without frames, or the wait of a frame
  /// that had little work.
  private mutating func addStalls(of surface: SurfaceAnalysis, _ isSelected: (Frame) -> Bool) {
    guard kind != .frameSpacing, kind != .hitch, let unit else { return }
    let late = TimeRangeSet(union: points.filter { $0.load > 1.000_001 }.map(\.range))
    let instant = TimeSpan(nanoseconds: 1)
    var stalls: [Point] = []
    for (hitch, time) in zip(surface.hitches, hitches) where hitch.length > .zero {
      guard late.coveredLength(of: TimeRange(start: time - instant, end: time)) == .zero else {
        continue
      }
      let length = hitch.length + unit
      let range =
        hitch.frameIndex == nil
        ? hitch.range : TimeRange(start: time - hitch.length, end: time)
      stalls.append(
        Point(
          range: range, length: hitch.length,
          load: max(1.000_001, Double(length.nanoseconds) / Double(max(1, unit.nanoseconds)))))
    }
    guard !stalls.isEmpty else { return }
    points = (points + stalls).stablySorted { $0.range.end < $1.range.end }
  }

  /// Returns whether frames are evaluated by their spacing and almost no work is known, as in
  /// tables of presented frames, so that lateness would not be visible in the work.
  private static func showsInGapsAlone(_ surface: SurfaceAnalysis) -> Bool {
    guard surface.basis == .cadence, surface.refreshInterval != nil else { return false }
    let work = surface.mainBusyBetweenCommits ?? .zero
    return work.nanoseconds < surface.measuredTime.duration.nanoseconds / 100
  }

  /// Returns the height of a point. The height of a late frame is always above 1, and of others
  /// never.
  private static func load(_ length: TimeSpan, of available: TimeSpan, isLate: Bool) -> Double {
    let load = Double(length.nanoseconds) / Double(max(1, available.nanoseconds))
    return isLate ? max(load, 1.000_001) : min(max(0, load), 1)
  }

  private static func mainWork(_ surface: SurfaceAnalysis) -> [Point] {
    let unit = surface.refreshInterval
    var points: [Point] = []
    points.reserveCapacity(surface.mainWork.count)
    surface.mainWork.forEach { row in
      let minimum = unit ?? row.available ?? row.busy
      let time = max(row.available ?? minimum, minimum)
      let isLate = row.missedDeadline ?? row.available.map { row.busy > $0 } ?? false
      let rowLength = row.time - row.start
      // A row starts at the previous commit, unless there are whole refreshes without a commit in
      // between.
      let reach = rowLength < minimum * 2 ? rowLength : min(rowLength, max(row.busy, minimum))
      let background =
        rowLength > .zero
        ? Double(row.backgroundBusy.nanoseconds) / Double(rowLength.nanoseconds) : nil
      points.append(
        Point(
          range: TimeRange(start: row.time - reach, end: row.time), length: row.busy,
          load: load(row.busy, of: time, isLate: isLate), background: background))
    }
    return points
  }

  private static func commits(
    _ frames: FrameColumns, unit: TimeSpan?, _ isSelected: (Frame) -> Bool
  ) -> [Point]? {
    var points: [Point] = []
    for index in 0..<frames.count {
      let frame = frames[index]
      guard isSelected(frame), let start = frame.commitStart, let end = frame.commitEnd,
        let time = frame.refreshInterval ?? unit
      else { continue }
      let isLate = frame.deadline.map { end > $0 } ?? (end - start > time)
      points.append(
        Point(
          range: TimeRange(start: start, end: end), length: end - start,
          load: load(end - start, of: time, isLate: isLate)))
    }
    return points.isEmpty ? nil : points
  }

  private static func lengths(_ surface: SurfaceAnalysis) -> [Point] {
    let longest = Double(max(1, surface.longestHitch?.nanoseconds ?? 1))
    return surface.hitches.map { hitch in
      Point(
        range: hitch.range, length: hitch.length,
        load: min(1, Double(hitch.length.nanoseconds) / longest))
    }
  }

  /// Returns the gaps between frames. A gap that M-3 would not count as a skipped refresh is at
  /// most one refresh.
  private static func frameSpacing(
    _ surface: Surface, unit: TimeSpan, _ isSelected: (Frame) -> Bool
  ) -> [Point] {
    let frames = surface.frames
    let shown = frames.lazy.filter { $0.outcome != .dropped && $0.outcome != .notRequested }
    let hasPresented = shown.contains { $0.presented != nil }
    let isExact = hasPresented && surface.presentationTolerance == .zero
    var points: [Point] = []
    var before: Timestamp?
    for frame in shown {
      guard let time = hasPresented ? frame.presented : frame.start else { continue }
      defer { before = time }
      guard let before, before <= time, isSelected(frame) else { continue }
      let (gap, refresh) = ((time - before).nanoseconds, max(1, unit.nanoseconds))
      let part = Double(gap) / Double(refresh)
      let isOver = LatenessRules.isOver(gap, refreshInterval: refresh, isExact: isExact)
      let load = isOver ? part : min(1, part)
      points.append(
        Point(
          range: TimeRange(start: before, end: time), length: time - before, load: load))
    }
    return points
  }

  /// Returns the gaps between frames. Gaps that the analysis does not count as hitches are drawn as
  /// on time, because no frame is expected at rest (M-3).
  private static func gaps(
    _ surface: SurfaceAnalysis, _ frames: FrameColumns, refreshInterval: TimeSpan,
    _ isSelected: (Frame) -> Bool
  ) -> [Point] {
    var late: [Int: Hitch] = [:]
    for hitch in surface.hitches {
      if let index = hitch.frameIndex { late[index] = hitch }
    }
    var points: [Point] = []
    var before: Timestamp?
    for index in 0..<frames.count where late[index] == nil {
      let frame = frames[index]
      guard let time = frame.presented ?? (surface.basis == .cadence ? frame.start : nil) else {
        continue
      }
      let unit = frame.refreshInterval ?? refreshInterval
      let gap = min(before.map { time - $0 } ?? unit, unit)
      before = time
      guard isSelected(frame) else { continue }
      points.append(
        Point(
          range: TimeRange(start: time - gap, end: time), length: gap,
          load: load(gap, of: unit, isLate: false)))
    }
    points += surface.hitches.map { hitch in
      let unit = hitch.frameIndex.flatMap { frames[$0].refreshInterval } ?? refreshInterval
      let length = hitch.length + unit
      return Point(
        range: hitch.range, length: length, load: load(length, of: unit, isLate: true))
    }
    return points.sorted { ($0.range.end, $0.range.start) < ($1.range.end, $1.range.start) }
  }
}
