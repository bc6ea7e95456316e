import ScrollTraceKit

/// All that is shown of a recording at one moment.
struct WatchView: Sendable {
  /// The graph and what belongs to it.
  var panel = LiveState()
  /// The recording's name.
  var name = ""
  /// What becomes of the host.
  var host = HostState.recording
  /// The same in words, with how long the recording is.
  var status = ""
  /// What moves, and the states that hold.
  var motion = ""
  /// The hitch that goes on; empty where none does.
  var stall = ""
  /// What has begun and not ended, and had time enough to.
  var openSpans: [String] = []
  /// The latest hitches, the latest first: when, how late, and why.
  var latest: [WatchView.Hitch] = []
  /// The worst hitches, the worst first.
  var worst: [WatchView.Hitch] = []
  /// The figures of the last seconds.
  var recent = LiveSums()
  /// The figures since the start.
  var total = LiveSums()

  /// A hitch, in words.
  struct Hitch: Sendable {
    let time: String
    let length: String
    let refreshes: String
    let kind: String
    let causes: String
    let isSevere: Bool
  }

  /// What the last seconds are.
  static let recentTime = TimeSpan.milliseconds(10_000)
  /// What has been open for less comes and goes.
  private static let patience = TimeSpan.milliseconds(100)
  /// How many refreshes are remembered: enough for the widest terminal.
  private static let capacity = 600

  /// Nothing yet.
  init() {}

  /// The view of `file` at the instant `now`.
  init(of file: WatchedFile, words: WatchMessages, now: Int64) {
    name = words.sink.escape(file.path.split(separator: "/").last.map(String.init) ?? file.path)
    host = file.host
    status = words.text(
      of: file.host, process: file.reader.process, isStopped: file.isStopped)
    switch file.place {
    case .there: break
    case .removed: status += ", the file was removed"
    case .replaced: status += ", another file is in its place"
    }
    if file.isBehind {
      status += ", \(Quantity.bytes(UInt64(file.reader.waitingByteCount))) to read"
    }
    guard let analysis = file.recording.analysis else { return }
    let trace = analysis.trace
    let time = file.now()
    status += ", \(Quantity.fixed(max(.zero, time - trace.range.start).seconds, places: 1)) s"
    motion = words.motion(in: analysis, now: time)
    if !trace.openSpans.allSatisfy({ time - $0.since < Self.patience }) || host == .gone {
      openSpans = words.openSpans(in: analysis, now: time)
    }
    latest = file.recording.latestHitches.reversed().map {
      Hitch($0, words: words, start: trace.range.start)
    }
    let stall = file.stall(at: time)
    if let stall {
      self.stall = words.text(of: stall, in: analysis)
      latest.insert(
        Hitch(
          stall, cause: words.cause(ofStallIn: analysis), start: trace.range.start), at: 0)
    }
    worst = file.recording.worst.map { Hitch($0, words: words, start: trace.range.start) }
    let surface = file.recording.total.evaluatedPrimarySurface
    let interval = analysis.surfaces.first { $0.name == surface }?.refreshInterval
    let recentTally = file.recording.recent(Self.recentTime)
    recent = LiveSums(recentTally, of: surface, title: "last 10 s", refreshInterval: interval)
    total = LiveSums(file.recording.total, of: surface, title: "all", refreshInterval: nil)
    panel.refreshes =
      surface.map { surface in
        analysis.refreshes(of: surface, last: Self.capacity, until: time).map {
          LiveRefresh($0, stall: stall?.surface == surface ? stall : nil)
        }
      } ?? []
    panel.refreshInterval = interval.map(\.nanoseconds)
    panel.recording = host == .recording ? file.path : nil
  }
}

extension WatchView.Hitch {
  init(_ hitch: WatchedHitch, words: WatchMessages, start: Timestamp) {
    time = Quantity.instant(hitch.start - start)
    length = Quantity.length(hitch.length)
    refreshes = hitch.refreshesMissed.map(String.init) ?? ""
    kind = hitch.kind
    causes = words.causes(of: hitch)
    isSevere = hitch.isSevere
  }
}

extension WatchView.Hitch {
  /// A hitch that goes on.
  init(_ stall: LiveStall, cause: String, start: Timestamp) {
    time = Quantity.instant(stall.start - start)
    length = WatchMessages.text(of: stall.length)
    refreshes = "\(stall.refreshesMissed)"
    kind = "so far"
    causes = cause
    isSevere = true
  }
}

extension LiveRefresh {
  /// A refresh, which is marked as late where a hitch that goes on began in it.
  init(_ work: RefreshWork, stall: LiveStall?) {
    let begins = stall.map {
      (0..<work.refreshInterval.nanoseconds).contains(($0.start - work.start).nanoseconds)
    }
    self.init(
      mainWork: work.mainBusy.nanoseconds, refreshInterval: work.refreshInterval.nanoseconds,
      missed: work.missedDeadline || begins ?? false, prefetch: work.aheadBusy.nanoseconds)
  }
}
