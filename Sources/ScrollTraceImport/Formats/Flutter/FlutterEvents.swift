import ScrollTraceModel

/// The frame events of Flutter's engine in a timeline of any format.
///
/// A frame starts with a vsync, which contains its target time. The UI thread builds it, then the
/// raster thread draws it, while the UI thread can already build the next one.
struct FlutterEvents {
  /// The part of a frame on one of the two threads.
  struct Stage {
    var track: TrackID
    var process: UInt64
    var start: Timestamp
    var end: Timestamp?
    var number: Int64?
  }

  /// The vsync that starts a frame.
  struct Vsync {
    var track: TrackID
    /// The times at which the UI thread received the vsync and finished its callback.
    var start: Timestamp
    var end: Timestamp?
    /// The time of the vsync, and the target time of its frame.
    var vsync: Timestamp
    var target: Timestamp?

    /// The time available for a frame, or `nil` if the engine's value is impossible.
    var refreshInterval: TimeSpan? {
      guard let target, target > vsync else { return nil }
      let length = target - vsync
      return length < .milliseconds(1000) ? length : nil
    }
  }

  /// The key that matches the start and end of a stage.
  private struct Key: Hashable {
    var track: TrackID
    var start: Timestamp
    var meaning: ChromeName
  }

  /// The maximum distance between a vsync and its event; anything farther belongs to another clock.
  private static let farthest: TimeSpan = .milliseconds(100_000)

  /// Whether another list of frames follows, which these events only complete.
  var isAwaited = false

  private(set) var vsyncs: [Vsync] = []
  private(set) var builds: [Stage] = []
  private(set) var rasters: [Stage] = []
  /// The number of refreshes missed by the frame of a target, as the engine reports it.
  private(set) var lags: [Timestamp: Int64] = [:]
  private var positions: [Key: Int] = [:]

  mutating func begin(_ known: ChromeKnownEvent) {
    let track = known.thread.track
    let key = Key(track: track, start: known.time, meaning: known.meaning)
    guard known.meaning != .flutterVsync else {
      guard let vsync = Self.instant("StartTime", of: known) else { return }
      positions[key] = vsyncs.count
      let target = Self.instant("TargetTime", of: known)
      return vsyncs.append(Vsync(track: track, start: known.time, vsync: vsync, target: target))
    }
    let stage = Stage(
      track: track, process: known.thread.process, start: known.time,
      number: known.arguments.member("frame_number")?.integer)
    positions[key] = known.meaning == .flutterBuild ? builds.count : rasters.count
    if known.meaning == .flutterBuild { builds.append(stage) } else { rasters.append(stage) }
  }

  mutating func end(
    _ meaning: ChromeName, since start: Timestamp, at end: Timestamp, on track: TrackID
  ) {
    guard let position = positions[Key(track: track, start: start, meaning: meaning)] else {
      return
    }
    switch meaning {
    case .flutterVsync: vsyncs[position].end = end
    case .flutterBuild: builds[position].end = end
    case .flutterRaster: rasters[position].end = end
    default: break
    }
  }

  /// Adds the engine's report of a frame that missed its target.
  mutating func addLag(_ known: ChromeKnownEvent) {
    guard let target = Self.instant("frame_target_time", of: known),
      let count = known.arguments.member("vsync_transitions_missed")?.integer, count > 0
    else { return }
    lags[target] = count
  }

  /// Returns the time in an event: in nanoseconds, or in microseconds from older engines.
  private static func instant(_ name: StaticString, of known: ChromeKnownEvent) -> Timestamp? {
    guard let value = known.arguments.member(name)?.integer, value > 0 else { return nil }
    let readings = [value, value.times(1000) ?? value].map(Timestamp.init(clamping:))
    let nearest = readings.min { ($0 - known.time).magnitude < ($1 - known.time).magnitude }
    return nearest.flatMap { ($0 - known.time).magnitude < farthest ? $0 : nil }
  }
}

extension FlutterEvents {
  static let surface = "Flutter"

  // MARK: - Frames of a timeline

  func addFrames(to builder: inout TraceBuilder) {
    guard !builds.isEmpty else { return }
    nameTracks(in: &builder)
    // Each app counts its own frames.
    let processes = Set(builds.map(\.process))
    var omittedCount = 0
    let vsyncs = Dictionary(grouping: vsyncs.sorted { $0.start < $1.start }) { $0.track }
    // Of frames with one number, the last in the array is the earliest remaining one.
    var drawn = Dictionary(grouping: rasters.sorted { $1.start < $0.start }) {
      FrameNumber(process: $0.process, number: $0.number)
    }
    for (index, build) in builds.sorted(by: { $0.start < $1.start }).enumerated() {
      let earlier = vsyncs[build.track].map { list in
        list[..<list.partitionPoint { $0.start > build.start }]
      }
      guard let vsync = earlier?.last, vsync.end.map({ $0 >= build.start }) ?? true else {
        omittedCount += 1
        continue
      }
      let number = build.number.flatMap { UInt64(exactly: $0) } ?? UInt64(index)
      var frame = frame(number, of: vsync, &builder)
      frame.commitStart = build.start
      frame.track = build.track
      let key = FrameNumber(process: build.process, number: build.number)
      if build.number != nil, let raster = drawn[key]?.popLast() {
        frame.commitEnd = raster.start >= build.start ? raster.end : nil
      }
      let name = processes.count > 1 ? "\(Self.surface) (\(build.process))" : Self.surface
      let surface = builder.surface(name)
      builder[surface].timesLieOnRefreshGrid = true
      builder.updateFrame(frame, of: surface)
    }
    builder.addNotice("frames whose vsync is unknown, omitted", count: omittedCount)
  }

  /// The key that matches the two stages of a frame.
  private struct FrameNumber: Hashable {
    var process: UInt64
    var number: Int64?
  }

  private func frame(_ number: UInt64, of vsync: Vsync, _ builder: inout TraceBuilder) -> Frame {
    var frame = Frame(id: number)
    frame.start = vsync.vsync
    frame.deadline = vsync.target
    frame.refreshInterval = vsync.refreshInterval
    frame.sourceLabel = vsync.target.flatMap { lags[$0] }.map { count in
      builder.string("\(count) vsync\(count == 1 ? "" : "s") missed")
    }
    return frame
  }

  /// Gives the two threads Flutter's names if the timeline has none.
  private func nameTracks(in builder: inout TraceBuilder) {
    for (stages, name) in [(builds, "1.ui"), (rasters, "1.raster")] {
      for track in Set(stages.map(\.track)) where builder.name(of: track).isEmpty {
        builder.setName(name, of: track)
      }
    }
  }

  // MARK: - Frames of DevTools

  /// Adds the frames listed by DevTools, each with the vsync data of the timeline.
  func addFrames(
    _ listed: [FlutterListedFrame], refreshRate: Double?, to builder: inout TraceBuilder
  ) {
    nameTracks(in: &builder)
    let surface = builder.surface(Self.surface)
    builder[surface].timesLieOnRefreshGrid = true
    let interval = Self.interval(ofRate: refreshRate)
    let vsyncs = Dictionary(vsyncs.map { ($0.vsync.microseconds, $0) }) { first, _ in first }
    let threads = threads(in: &builder)
    for item in listed {
      var frame = Frame(id: item.number)
      if let vsync = vsyncs[item.start.microseconds] {
        frame = self.frame(item.number, of: vsync, &builder)
      } else {
        frame.start = item.start
      }
      frame.refreshInterval = frame.refreshInterval ?? interval
      // As the engine does.
      frame.deadline = frame.deadline ?? frame.refreshInterval.map { item.start + $0 }
      frame.commitStart = item.buildBegin
      frame.commitEnd = item.end
      frame.track = threads.ui
      builder.updateFrame(frame, of: surface)
      if builds.isEmpty { addStages(of: item, threads, to: &builder) }
    }
  }

  static func interval(ofRate rate: Double?) -> TimeSpan? {
    guard let rate, rate >= 1, rate <= 1000 else { return nil }
    return TimeSpan(nanoseconds: Int64(1_000_000_000 / rate))
  }

  /// Returns the threads of the frames: those of the timeline, or else two new ones.
  private func threads(in builder: inout TraceBuilder) -> (ui: TrackID, raster: TrackID) {
    if let ui = builds.first?.track { return (ui, rasters.first?.track ?? ui) }
    let process = builder.process(1)
    let (ui, raster) = (builder.track(1, of: process), builder.track(2, of: process))
    builder.setName("1.ui", of: ui)
    builder.setName("1.raster", of: raster)
    return (ui, raster)
  }

  /// Adds the work of both threads for a frame without a timeline.
  private func addStages(
    of item: FlutterListedFrame, _ threads: (ui: TrackID, raster: TrackID),
    to builder: inout TraceBuilder
  ) {
    let build = builder.label(category: "Flutter", name: "build")
    builder.addSpan(
      on: threads.ui, from: item.buildBegin, to: item.buildBegin + item.build, label: build)
    guard let end = item.end, end - .zero >= item.raster else { return }
    let raster = builder.label(category: "Flutter", name: "raster")
    builder.addSpan(on: threads.raster, from: end - item.raster, to: end, label: raster)
  }
}

extension Timestamp {
  /// The time in whole microseconds, the unit of DevTools.
  fileprivate var microseconds: Int64 { nanoseconds / 1000 }
}
