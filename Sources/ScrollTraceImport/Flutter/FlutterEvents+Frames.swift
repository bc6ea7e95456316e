import ScrollTraceModel

extension FlutterEvents {
  /// The name of the surface of Flutter's frames.
  static let surface = "Flutter"

  // MARK: - Frames of a timeline

  /// Adds the frames that the events tell of.
  func addFrames(to builder: inout TraceBuilder) {
    guard !builds.isEmpty else { return }
    nameTracks(in: &builder)
    // Each app counts its own frames.
    let processes = Set(builds.map(\.process))
    var placeless = 0
    let vsyncs = Dictionary(grouping: vsyncs.sorted { $0.start < $1.start }) { $0.track }
    // The last of a number is the first that is left.
    var drawn = Dictionary(grouping: rasters.sorted { $1.start < $0.start }) {
      FrameNumber(process: $0.process, number: $0.number)
    }
    for (index, build) in builds.sorted(by: { $0.start < $1.start }).enumerated() {
      let earlier = vsyncs[build.track].map { list in
        list[..<list.partitionPoint { $0.start > build.start }]
      }
      guard let vsync = earlier?.last, vsync.end.map({ $0 >= build.start }) ?? true else {
        placeless += 1
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
      builder.setOnRefreshGrid(surface)
      builder.updateFrame(frame, of: surface)
    }
    if placeless > 0 {
      builder.addNotice(
        .source("frames whose vsync the timeline does not tell, left out: \(placeless)"))
    }
  }

  /// By what the two stages of a frame find each other.
  private struct FrameNumber: Hashable {
    var process: UInt64
    var number: Int64?
  }

  /// A frame of which only its vsync is known.
  private func frame(
    _ number: UInt64, of vsync: Vsync, _ builder: inout TraceBuilder
  ) -> Frame {
    var frame = Frame(id: number)
    frame.start = vsync.vsync
    frame.deadline = vsync.target
    frame.refreshInterval = vsync.refreshInterval
    frame.sourceLabel = vsync.target.flatMap { lags[$0] }.map { count in
      builder.string("\(count) vsync\(count == 1 ? "" : "s") missed")
    }
    return frame
  }

  /// Gives the two threads the names that Flutter gives them, where the timeline has none.
  private func nameTracks(in builder: inout TraceBuilder) {
    for (stages, name) in [(builds, "1.ui"), (rasters, "1.raster")] {
      for track in Set(stages.map(\.track)) where builder.name(of: track).isEmpty {
        builder.setName(name, of: track)
      }
    }
  }

  // MARK: - Frames of DevTools

  /// Adds the frames that DevTools lists, each with what the timeline knows of its vsync.
  func addFrames(
    _ listed: [FlutterListedFrame], refreshRate: Double?, to builder: inout TraceBuilder
  ) {
    nameTracks(in: &builder)
    let surface = builder.surface(Self.surface)
    builder.setOnRefreshGrid(surface)
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
      frame.commitStart = item.buildBegin
      frame.commitEnd = item.end
      frame.track = threads.ui
      builder.updateFrame(frame, of: surface)
      if builds.isEmpty { addStages(of: item, threads, to: &builder) }
    }
  }

  /// The interval of a refresh rate that a display can have.
  static func interval(ofRate rate: Double?) -> TimeSpan? {
    guard let rate, rate >= 1, rate <= 1000 else { return nil }
    return TimeSpan(nanoseconds: Int64(1_000_000_000 / rate))
  }

  /// The threads that frames are made on: those of the timeline, else two of their own.
  private func threads(
    in builder: inout TraceBuilder
  ) -> (ui: TrackID, raster: TrackID) {
    if let ui = builds.first?.track { return (ui, rasters.first?.track ?? ui) }
    let process = builder.process(1)
    let (ui, raster) = (builder.track(1, of: process), builder.track(2, of: process))
    builder.setName("1.ui", of: ui)
    builder.setName("1.raster", of: raster)
    return (ui, raster)
  }

  /// Adds what both threads did for a frame of which there is no timeline.
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
  /// Whole microseconds, as DevTools counts.
  fileprivate var microseconds: Int64 { nanoseconds / 1000 }
}
