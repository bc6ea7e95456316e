import ScrollTraceKit

/// The contents of the screen of `watch` at one time.
struct WatchView: Sendable {
  /// The graph and what belongs to it.
  var panel = LiveState()
  var name = ""
  var host = HostState.recording
  /// The state and the duration as text.
  var status = ""
  /// The open interactions and the current states.
  var motion = ""
  /// The ongoing hitch, or an empty string.
  var stall = ""
  /// The open spans that are not short.
  var openSpans: [String] = []
  var latest: [WatchView.Hitch] = []
  /// The longest hitches, longest first.
  var worst: [WatchView.Hitch] = []
  /// The totals of the last seconds.
  var recent = LiveSums()
  /// The totals since the start.
  var total = LiveSums()

  struct Hitch: Sendable {
    let time: String
    let length: String
    let refreshes: String
    let kind: String
    let causes: String
    let isSevere: Bool
  }

  /// The duration of the last seconds.
  static let recentTime = TimeSpan.milliseconds(10_000)
  /// The minimum duration of a displayed open span.
  private static let patience = TimeSpan.milliseconds(100)
  /// The maximum number of refreshes, enough for the widest terminal.
  private static let capacity = 600

  init() {}

  init(of file: WatchedFile, messages: WatchMessages, now: Int64) {
    name = messages.sink.escape(file.path.fileName)
    host = file.host
    status = messages.text(
      of: file.host, process: file.reader.process, isStopped: file.isStopped)
    switch file.pathState {
    case .there: break
    case .removed: status += ", file removed"
    case .replaced: status += ", file replaced"
    }
    if file.isBehind {
      status += ", \(Quantity.bytes(UInt64(file.reader.waitingByteCount))) to read"
    }
    guard let analysis = file.recording.analysis else { return }
    let trace = analysis.trace
    let time = file.now()
    status += ", \(Quantity.fixed(max(.zero, time - trace.range.start).seconds, decimals: 1)) s"
    motion = messages.motion(in: analysis, now: time)
    if !trace.openSpans.allSatisfy({ time - $0.since < Self.patience }) || host == .gone {
      openSpans = messages.openSpans(in: analysis, now: time)
    }
    let start = trace.range.start
    func text(of hitch: WatchedHitch) -> Hitch {
      Hitch(
        time: Quantity.instant(hitch.start - start), length: Quantity.length(hitch.length),
        refreshes: hitch.refreshesMissed.map(String.init) ?? "", kind: hitch.kind,
        causes: messages.causes(of: hitch), isSevere: hitch.isSevere)
    }
    latest = file.recording.latestHitches.reversed().map(text)
    let stall = file.stall(at: time)
    if let stall {
      self.stall = messages.text(of: stall, in: analysis)
      let ongoing = Hitch(
        time: Quantity.instant(stall.start - start), length: WatchMessages.text(of: stall.length),
        refreshes: "\(stall.refreshesMissed)", kind: "so far",
        causes: messages.cause(of: stall, in: analysis), isSevere: true)
      latest.insert(ongoing, at: 0)
    }
    worst = file.recording.worst.map(text)
    let surface = file.recording.total.evaluatedPrimarySurface
    let interval = analysis.surfaces.first { $0.name == surface }?.refreshInterval
    let recentTotals = file.recording.recent(Self.recentTime)
    recent = LiveSums(recentTotals, of: surface, title: "last 10 s", refreshInterval: interval)
    total = LiveSums(file.recording.total, of: surface, title: "total", refreshInterval: nil)
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

extension LiveRefresh {
  /// Creates a refresh, marked as late if an ongoing hitch started in it.
  init(_ work: RefreshWork, stall: LiveStall?) {
    let begins = stall.map {
      (0..<work.refreshInterval.nanoseconds).contains(($0.start - work.start).nanoseconds)
    }
    self.init(
      mainWork: work.mainBusy.nanoseconds, refreshInterval: work.refreshInterval.nanoseconds,
      missed: work.missedDeadline || begins ?? false, prefetch: work.aheadBusy.nanoseconds)
    waiting = work.mainWaiting.nanoseconds
    isSkipped = work.isSkipped
  }
}
