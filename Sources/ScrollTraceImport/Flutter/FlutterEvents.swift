import ScrollTraceModel

/// What Flutter's engine says of its frames in a timeline, whatever format that came in.
///
/// A frame begins with a vsync, which tells when it should be done. The UI thread builds it, then
/// the raster thread draws it, while the UI thread may be at the next one already.
struct FlutterEvents {
  /// A frame's way through one of the two threads.
  struct Stage {
    var track: TrackID
    var process: UInt64
    var start: Timestamp
    var end: Timestamp?
    var number: Int64?
  }

  /// What a frame begins with.
  struct Vsync {
    var track: TrackID
    /// When the UI thread was told of it, and was done with what came of that.
    var start: Timestamp
    var end: Timestamp?
    /// When it was, and when what is drawn for it should be done.
    var vsync: Timestamp
    var target: Timestamp?

    /// How long a frame may take; `nil` where the engine says nothing that can be.
    var refreshInterval: TimeSpan? {
      guard let target, target > vsync else { return nil }
      let length = target - vsync
      return length < .milliseconds(1000) ? length : nil
    }
  }

  /// By what the end of a stage is told from others.
  private struct Key: Hashable {
    var track: TrackID
    var start: Timestamp
    var meaning: ChromeName
  }

  /// How far from its event a vsync can be; what seems farther is of another clock.
  private static let farthest: TimeSpan = .milliseconds(100_000)

  /// Whether another list of frames comes, to which these events only add.
  var isAwaited = false

  private(set) var vsyncs: [Vsync] = []
  private(set) var builds: [Stage] = []
  private(set) var rasters: [Stage] = []
  /// How many refreshes went by without the frame of a target, as the engine says.
  private(set) var lags: [Timestamp: Int64] = [:]
  private var positions: [Key: Int] = [:]

  /// Whether there is anything of which a frame can be made.
  var isEmpty: Bool { vsyncs.isEmpty || builds.isEmpty }

  /// Takes the begin of a stage.
  mutating func begin(_ known: ChromeKnownEvent) {
    let track = known.place.track
    let key = Key(track: track, start: known.time, meaning: known.meaning)
    var stage = Stage(track: track, process: known.place.process, start: known.time)
    switch known.meaning {
    case .flutterVsync:
      guard let vsync = Self.instant("StartTime", of: known) else { return }
      positions[key] = vsyncs.count
      vsyncs.append(
        Vsync(
          track: track, start: known.time, vsync: vsync,
          target: Self.instant("TargetTime", of: known)))
    case .flutterBuild:
      stage.number = known.arguments.member("frame_number")?.integer
      positions[key] = builds.count
      builds.append(stage)
    case .flutterRaster:
      stage.number = known.arguments.member("frame_number")?.integer
      positions[key] = rasters.count
      rasters.append(stage)
    default: break
    }
  }

  /// Takes the end of a stage.
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

  /// Takes what the engine says of a frame that was not done in time.
  mutating func addLag(_ known: ChromeKnownEvent) {
    guard let target = Self.instant("frame_target_time", of: known),
      let count = known.arguments.member("vsync_transitions_missed")?.integer, count > 0
    else { return }
    lags[target] = count
  }

  /// An instant that an event tells of: in nanoseconds, by older engines in microseconds.
  private static func instant(_ name: StaticString, of known: ChromeKnownEvent) -> Timestamp? {
    guard let value = known.arguments.member(name)?.integer, value > 0 else { return nil }
    let (thousandfold, overflow) = value.multipliedReportingOverflow(by: 1000)
    let readings = [value, overflow ? value : thousandfold].map(Timestamp.init(clamping:))
    let nearest = readings.min { ($0 - known.time).magnitude < ($1 - known.time).magnitude }
    return nearest.flatMap { ($0 - known.time).magnitude < farthest ? $0 : nil }
  }
}
