import ScrollTraceModel

/// Derives frames on two surfaces from the events of Chrome's compositor and main thread.
///
/// *Display*: frames presented on screen. Each distinct end of a presented pipeline reporter is one
/// swap; two reporters can share one. A BeginFrame of which Chrome dropped something and presented
/// nothing is a dropped frame. *Main thread updates*: the frames for which the page's main thread
/// ran. A page can scroll smoothly on the first surface while its content falls behind on the
/// second; on both, a frame is due at every refresh.
///
/// Most refreshes of a scroll at which Chrome wanted no update (`STATE_NO_UPDATE_DESIRED`) are pages failing to
/// request a frame in time. They stay in the gaps, which matches M-3 on presentation times alone; only those at
/// which the page rested under the finger are marked as not requested.
struct ChromeFrameExtractor {
  private static let displaySurface = "Display"
  private static let mainSurface = "Main thread updates"

  struct Reporter {
    let start: Timestamp
    let end: Timestamp
    let facts: ChromeFrameRecords.Reporter
    /// The end of the main thread's part, or `nil` if there was none.
    var mainEnd: Timestamp?
  }

  private let records: ChromeFrameRecords
  private let tracks: ChromeTracks
  private var reporters: [UInt64: [Reporter]] = [:]
  /// The page's process.
  private(set) var page: UInt64?

  init(
    records: ChromeFrameRecords, tracks: ChromeTracks, asyncRecords: [ChromeAsyncPairing.Record],
    pairs: [ChromeAsyncPairing.Pair], in builder: TraceBuilder
  ) {
    self.records = records
    self.tracks = tracks
    var mainEnds: [Int: Timestamp] = [:]
    for pair in pairs {
      guard let reporter = pair.reporter else { continue }
      mainEnds[reporter] = max(mainEnds[reporter] ?? .zero, asyncRecords[pair.end].time)
    }
    for pair in pairs {
      let begin = asyncRecords[pair.start]
      guard begin.meaning == .pipelineReporter, begin.payload >= 0 else { continue }
      reporters[tracks.entries[begin.track.index].process, default: []].append(
        Reporter(
          start: begin.time, end: asyncRecords[pair.end].time,
          facts: records.reporters[Int(begin.payload)], mainEnd: mainEnds[pair.start]))
    }
    page = pageProcess(in: builder)
  }

  /// Marks the page's process and main thread, and adds the frames of its two surfaces.
  ///
  /// - Parameter app: The process on screen, if the trace identifies it. The page is the host only if
  ///   that app is a browser. Otherwise, the page is independent of the app.
  /// - Parameter rests: The refreshes at which nothing had to change.
  /// - Returns: Whether the page is the host.
  func addFrames(
    app: UInt64? = nil, rests: [Timestamp], to builder: inout TraceBuilder
  ) -> Bool {
    guard let page else { return false }
    // Browsers display pages painted by their own processes.
    let isHost =
      app.map { app in
        app == page || tracks.entries.contains { $0.process == app && $0.name == "CrBrowserMain" }
      } ?? true
    let main = tracks.entries.firstIndex {
      $0.process == page && Self.mainThreads.contains($0.name)
    }.map { TrackID(index: $0) }
    if isHost {
      builder.setHost(builder.process(page))
      if let main { builder.setMain(main) }
    }
    let refresh = refresh(of: page)
    addDisplayFrames(of: page, refresh, rests, to: &builder)
    addMainFrames(of: page, on: main, refresh, rests, to: &builder)
    return isHost
  }

  /// The names of a page's main thread, in a process of its own or, with `--single-process`, in the browser's.
  private static let mainThreads = ["CrRendererMain", "Chrome_InProcRendererThread"]

  /// Returns the page's process: of those named Renderer, the one with the maximum number of frames, or else of
  /// tasks, or of spans of its main thread.
  private func pageProcess(in builder: TraceBuilder) -> UInt64? {
    var scores: [UInt64: [Int]] = [:]
    func add(_ count: Int, at rank: Int, to process: UInt64) {
      scores[process, default: [0, 0, 0, 0, 0]][rank] += count
    }
    for (process, list) in reporters { add(list.count, at: 0, to: process) }
    for frame in records.drawFrames { add(1, at: 1, to: frame.process) }
    for frame in records.beginFrames { add(1, at: 2, to: frame.process) }
    let framed = scores
    for (index, track) in tracks.entries.enumerated() {
      add(track.taskCount, at: 3, to: track.process)
      guard Self.mainThreads.contains(track.name) else { continue }
      add(builder.spanCount(of: index), at: 4, to: track.process)
    }
    let renderers = scores.filter { process, _ in
      guard let name = tracks.processNames[process] else { return false }
      // Android names them after their service, and others too.
      let isLikely = framed.isEmpty || framed[process] != nil
      return name == "Renderer" || isLikely && name.includes(":sandboxed_process")
    }
    var candidates = renderers.isEmpty ? framed : renderers
    // If no process has a name and there are no frames, the name of the main thread shows which process has the page,
    // unless an Android app could be its host.
    if candidates.isEmpty, !tracks.entries.contains(where: { $0.name == "RenderThread" }) {
      candidates = scores.filter { $0.value[4] > 0 }
    }
    return candidates.max { left, right in
      left.value == right.value
        ? left.key > right.key : left.value.lexicographicallyPrecedes(right.value)
    }?.key
  }

  /// The refresh interval of a page's frames.
  private struct Refresh {
    let interval: TimeSpan?
    /// Whether it is the spacing of frames, which do not have to come at every refresh.
    let isDerived: Bool
  }

  /// Returns the refresh interval that BeginFrames announce, or else their median spacing.
  private func refresh(of page: UInt64) -> Refresh {
    let announced = records.refreshIntervals.filter { $0.process == page }.map(\.length)
    if let median = Self.median(announced) { return Refresh(interval: median, isDerived: false) }
    let all = Dictionary(grouping: records.beginFrames, by: \.process)
    let most = all.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
    let own = all[page] ?? []
    // A few need not be at refreshes that follow each other, and the browser's own are of the same display.
    let times = (own.count < 10 ? most : own).map(\.time).sorted()
    let spacings = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > .zero }
    return Refresh(interval: Self.median(spacings), isDerived: true)
  }

  private static func median(_ lengths: [TimeSpan]) -> TimeSpan? {
    guard !lengths.isEmpty else { return nil }
    let sorted = lengths.sorted()
    let upper = sorted[sorted.count / 2]
    let lower = sorted[(sorted.count - 1) / 2]
    return TimeSpan(nanoseconds: lower.nanoseconds + (upper - lower).nanoseconds / 2)
  }

  // MARK: - Display

  private func addDisplayFrames(
    of page: UInt64, _ refresh: Refresh, _ rests: [Timestamp], to builder: inout TraceBuilder
  ) {
    let swaps = swaps(of: page)
    guard !swaps.isEmpty else { return addDrawnFrames(of: page, refresh, to: &builder) }
    let surface = builder.surface(Self.displaySurface)
    builder.setBasis(.cadence, of: surface)
    if refresh.isDerived { builder[surface].derivesRefreshInterval = true }
    // If no display provides the exact time, Chrome records the end of the swap, which lies
    // anywhere in the refresh. The trace does not identify which of the two it contains.
    builder.setPresentationTolerance(.milliseconds(1), of: surface)
    builder[surface].isDisplayStream = true
    let labels = (
      all: builder.string("PRESENTED_ALL"), some: builder.string("PRESENTED_PARTIAL"),
      none: builder.string("DROPPED")
    )
    var frames = swaps.map { swap in
      var frame = Frame(id: 0)
      frame.start = swap.start
      frame.presented = swap.time
      frame.outcome = .presented
      frame.sourceLabel = swap.isComplete ? labels.all : labels.some
      return frame
    }
    frames += droppedFrames(of: page).map { time in
      var frame = Frame(id: 0)
      frame.start = time
      frame.outcome = .dropped
      frame.sourceLabel = labels.none
      return frame
    }
    frames += rests.map(Self.notRequested)
    frames.sort { ($0.time ?? .zero) < ($1.time ?? .zero) }
    for (index, var frame) in frames.enumerated() {
      frame.id = UInt64(index)
      frame.refreshInterval = refresh.interval
      builder.updateFrame(frame, of: surface)
    }
  }

  private static func notRequested(at start: Timestamp) -> Frame {
    var frame = Frame(id: 0)
    frame.start = start
    frame.outcome = .notRequested
    return frame
  }

  /// Returns the times of the BeginFrames of which Chrome dropped something and presented nothing.
  ///
  /// Several reporters can describe one BeginFrame: if the page's update was dropped but the
  /// compositor's was presented, the frame is partial, not dropped.
  private func droppedFrames(of page: UInt64) -> [Timestamp] {
    var presented: Set<Timestamp> = []
    var dropped: Set<Timestamp> = []
    for reporter in reporters[page] ?? [] {
      if reporter.facts.isPresented { presented.insert(reporter.start) }
      if reporter.facts.isDropped { dropped.insert(reporter.start) }
    }
    return dropped.subtracting(presented).sorted()
  }

  /// What Chrome did at the refreshes of the page, by time.
  var refreshes: [ChromeInteractions.Refresh] {
    page.flatMap { reporters[$0] }?.sorted { $0.start < $1.start }.map {
      ChromeInteractions.Refresh(
        start: $0.start, end: $0.end, isShown: $0.facts.isPresented,
        isComplete: $0.facts.isComplete, isRest: $0.facts.isRest, isMoving: $0.facts.isMoving,
        isHeld: $0.facts.isScrolledByCompositor && !$0.facts.isAnimatedByCompositor,
        isAnimated: $0.facts.isAnimated, updateEnd: $0.mainEnd)
    } ?? []
  }

  private struct Swap {
    let time: Timestamp
    /// The last of the BeginFrames that it answers.
    var start: Timestamp
    /// Whether it contains a complete frame.
    var isComplete: Bool
  }

  /// Returns the swaps by time.
  private func swaps(of page: UInt64) -> [Swap] {
    let presented = (reporters[page] ?? []).filter(\.facts.isPresented).sorted { $0.end < $1.end }
    var swaps: [Swap] = []
    for reporter in presented {
      if let last = swaps.last, last.time == reporter.end {
        swaps[swaps.count - 1].isComplete = last.isComplete || reporter.facts.isComplete
        swaps[swaps.count - 1].start = max(last.start, reporter.start)
      } else {
        swaps.append(
          Swap(time: reporter.end, start: reporter.start, isComplete: reporter.facts.isComplete))
      }
    }
    return swaps
  }

  /// Adds frames without presentation times: the draws of the page's busiest compositor thread.
  private func addDrawnFrames(
    of page: UInt64, _ refresh: Refresh, to builder: inout TraceBuilder
  ) {
    var streams: [TrackID: [Timestamp]] = [:]
    for draw in records.drawFrames where draw.process == page {
      streams[draw.track, default: []].append(draw.time)
    }
    let busiest = streams.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    guard let busiest else { return }
    let surface = builder.surface(Self.displaySurface)
    builder.setBasis(.cadence, of: surface)
    builder[surface].isDisplayStream = true
    if refresh.isDerived { builder[surface].derivesRefreshInterval = true }
    for (index, time) in busiest.value.sorted().enumerated() {
      var frame = Frame(id: UInt64(index))
      frame.start = time
      frame.refreshInterval = refresh.interval
      builder.updateFrame(frame, of: surface)
    }
    builder.addNotice(
      "the trace has no presentation times; display frames have the time Chrome drew them")
  }

  // MARK: - Main thread updates

  private func addMainFrames(
    of page: UInt64, on main: TrackID?, _ refresh: Refresh, _ rests: [Timestamp],
    to builder: inout TraceBuilder
  ) {
    let (frames, liesOnGrid) = mainFrames(of: page, in: &builder)
    guard !frames.isEmpty else { return }
    let surface = builder.surface(Self.mainSurface)
    builder.setBasis(.cadence, of: surface)
    if liesOnGrid { builder[surface].timesLieOnRefreshGrid = true }
    if refresh.isDerived { builder[surface].derivesRefreshInterval = true }
    var commitEnds: [Timestamp: Timestamp] = [:]
    for reporter in reporters[page] ?? [] {
      guard let end = reporter.mainEnd else { continue }
      commitEnds[reporter.start] = max(commitEnds[reporter.start] ?? .zero, end)
    }
    for (time, sequence) in frames.sorted(by: { $0.key < $1.key }) {
      var frame = Frame(id: sequence)
      frame.start = time
      frame.commitEnd = commitEnds[time]
      frame.refreshInterval = refresh.interval
      frame.track = main
      builder.updateFrame(frame, of: surface)
    }
    let last = frames.values.max() ?? 0
    for (index, time) in rests.enumerated() where frames[time] == nil {
      var frame = Self.notRequested(at: time)
      frame.id = last &+ UInt64(index + 1)
      frame.refreshInterval = refresh.interval
      builder.updateFrame(frame, of: surface)
    }
  }

  /// Returns the main thread's frame times with their numbers, from the best available events, and
  /// whether the times lie on the refresh grid.
  private func mainFrames(
    of page: UInt64, in builder: inout TraceBuilder
  ) -> (frames: [Timestamp: UInt64], liesOnGrid: Bool) {
    for list in [records.animationFrames, records.proxyMainFrames] {
      let numbers = list.filter { $0.process == page }.compactMap(\.sequence)
      guard !numbers.isEmpty else { continue }
      let times = frameTimes(of: page)
      let first = times.keys.min() ?? .min
      var frames: [Timestamp: UInt64] = [:]
      for number in numbers {
        if let time = times[number] {
          frames[time] = UInt64(bitPattern: number)
        } else if number >= first {
          // What was under way when the recording started has a BeginFrame from before it.
          builder.countLoss(.undefinedReference)
        }
      }
      return (frames, true)
    }
    var frames: [Timestamp: UInt64] = [:]
    for reporter in reporters[page] ?? [] where reporter.mainEnd != nil {
      frames[reporter.start] = UInt64(bitPattern: reporter.facts.sequence ?? 0)
    }
    guard frames.isEmpty else { return (frames, true) }
    let begun = records.mainThreadFrames.filter { $0.process == page }.map(\.time).sorted()
    for (index, time) in begun.enumerated() { frames[time] = UInt64(index) }
    return (frames, false)
  }

  private func frameTimes(of page: UInt64) -> [Int64: Timestamp] {
    var times: [Int64: Timestamp] = [:]
    for reporter in reporters[page] ?? [] {
      if let number = reporter.facts.sequence { times[number] = reporter.start }
    }
    for frame in records.schedulerFrames + records.beginFrames where frame.process == page {
      if let number = frame.sequence { times[number] = frame.time }
    }
    return times
  }
}
