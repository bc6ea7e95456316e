package import ScrollTraceRecorder

/// A list without a window: it scrolls, prepares cells, loads data in the background and records all
/// of it as any host would.
///
/// ```swift
/// let clock = VirtualClock()
/// var options = RecorderOptions()
/// options.clock = clock.recorderClock
/// let recorder = try TraceRecorder(writingTo: "run.fxt", options: options)
/// let feed = EngineConfiguration(content: ListContent(feedOf: 500, seed: 1))
/// let engine = ListEngine(feed, clock: clock, recorder: recorder)
/// engine.run(.reading(for: 3_000_000_000, seed: 1))
/// try recorder.finish()
/// print(engine.counters.deadlineMisses)
/// ```
///
/// A class: it is the host's one list, and what it records runs inside closures that change it.
package final class ListEngine {
  /// What the engine was made of.
  package let configuration: EngineConfiguration
  /// How it does what can be done in several ways; a change holds from the next frame on.
  package var policies: EnginePolicies
  /// What the engine has counted so far.
  package internal(set) var counters = EngineCounters()
  /// The items, in their order at this moment.
  package internal(set) var content: ListContent
  /// The cells in view, ascending by position.
  package internal(set) var visible: [Cell] = []
  /// The cells that are prepared and not in view, those that were kept last at the end.
  package internal(set) var kept: [Cell] = []
  /// How far the content has been scrolled.
  package internal(set) var offset: Millipoints = 0
  /// The item a finger carries along, or `nil` if none.
  package internal(set) var heldItem: ItemID?
  /// Whether something moves.
  package private(set) var isMoving = false
  /// When the display takes frames.
  package private(set) var schedule: RefreshSchedule

  let clock: any EngineClock
  let recorder: TraceRecorder
  let list: ListID
  var layout: ListLayout
  var pool = ReusePool()
  var viewCount: UInt64 = 0
  var registrationCount = UInt64(ItemKind.allCases.count)
  var states: [ItemID: ItemState] = [:]
  var images: ImageCache
  /// The arrows from a request to the cell that uses it that have not ended, by item.
  var openFlows: [ItemID: UInt64] = [:]
  /// The positions of the items whose data was asked for ahead.
  var requestedAhead: [ItemID: Int] = [:]
  var arrived: [FinishedLoad] = []
  var pendingUpdates: [ListUpdate.ProposedChange] = []
  /// Where the held item was, and where the finger is.
  var heldFrom = 0
  var heldTo = 0
  /// By how much sizes that were guessed wrong have moved the content.
  var shift: Millipoints = 0
  /// How fast the content moves, in thousandths of a point a second; negative upwards.
  var velocity: Millipoints = 0
  /// How many cells the present frame has prepared because they were needed.
  var preparedNow = 0
  var spareTime = SpareTime()
  /// How many lines have to move since heights were others than estimated.
  var linesToMove = 0

  private var display: SimulatedDisplay
  private var errands: ArraySlice<Errand> = []
  private var updates: ArraySlice<ListUpdate> = []
  private var start: Nanoseconds
  private var lastTick = -1
  /// The refresh whose frame begins late, since cells were prepared until after it.
  private var lateTick: Int?
  private var lastMove: (time: Nanoseconds, place: Millipoints)?
  private var isInterrupted = false
  private var onTheirWay: [(frame: RecordedFrame, shown: Nanoseconds)] = []
  private var mainWork: [MainWork] = []

  /// An engine at the top of its list.
  package init(
    _ configuration: EngineConfiguration, clock: any EngineClock, recorder: TraceRecorder
  ) {
    self.configuration = configuration
    self.clock = clock
    self.recorder = recorder
    policies = configuration.policies
    content = configuration.content
    layout = ListLayout(
      configuration.content.items, columns: configuration.columns, sizing: configuration.sizing)
    images = ImageCache(limit: configuration.imageCacheBytes)
    list = recorder.registerList(named: "feed")
    start = clock.now
    schedule = RefreshSchedule(start: clock.now, rates: configuration.rates)
    display = SimulatedDisplay()
  }

  /// The cells that wait to be used again.
  package var waitingViews: [ViewID] { pool.waiting }

  /// The refresh that the engine was awake for last; -1 before the first.
  package var lastRefresh: Int { lastTick }

  /// Where the cell of an item lies, from the top of the view on, and how high it is.
  package func frame(of cell: Cell) -> (top: Millipoints, height: Millipoints) {
    let line = layout.line(of: cell.position)
    return (layout.top(ofLine: line) - offset, layout.height(ofLine: line))
  }

  /// Plays `script` from the first step to the last.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - afterEachFrame: Looks at the engine after each commit.
  package func run(
    _ script: ScrollScript, afterEachFrame: (ListEngine) -> Void = { _ in }
  ) {
    var steps = script.steps[...]
    run(errands: script.errands, updates: script.updates, next: { steps.popFirst() }) {
      engine, account in
      if account != nil { afterEachFrame(engine) }
    }
  }

  /// Plays the steps that `next` gives, until it gives none.
  ///
  /// - Parameters:
  ///   - errands: The app's own work on the main thread, ascending by time.
  ///   - updates: Changes of the items, ascending by time.
  ///   - next: The next step.
  ///   - afterEachRefresh: Looks at the engine, and may change its policies, after each refresh of
  ///     the display that the engine was awake for, with an account of the frame, if there was one.
  package func run(
    errands: [Errand] = [], updates: [ListUpdate] = [], next: () -> ScrollStep?,
    afterEachRefresh: (ListEngine, FrameAccount?) -> Void
  ) {
    clock.startLoaders(configuration.loaders, recorder: recorder)
    start = clock.now
    schedule = RefreshSchedule(start: start, rates: configuration.rates)
    lastTick = -1
    self.errands = errands[...]
    self.updates = updates[...]
    _ = recorder.registerSurface(named: "display", tolerance: 0)
    recorder.setState("screen", to: "feed")
    appear()
    var (begin, origin) = (start, offset)
    while let step = next() {
      isInterrupted = false
      if let kind = step.interaction {
        play(step, as: kind, from: begin, origin, afterEachRefresh)
      } else {
        rest(until: begin + step.duration, afterEachRefresh)
      }
      if isInterrupted {
        (begin, origin) = (clock.now, offset - shift)
      } else {
        begin += step.duration
        let distance = step.distance(after: step.duration, viewport: configuration.viewport)
        origin = place(origin + distance + shift) - shift
      }
    }
    finish()
  }

  /// Ends the present step before its time, as a finger that is put down does.
  package func interrupt() {
    isInterrupted = true
  }

  /// Changes the items as `change` says, in the next frame.
  package func update(_ change: ListUpdate.ProposedChange) {
    pendingUpdates.append(change)
  }

  /// Changes the refresh rate of the display from the next refresh but one on.
  package func setRefreshRate(_ hertz: Int) {
    schedule.change(to: hertz, at: schedule.time(of: lastTick + 2))
  }

  /// What the main thread has worked since this was asked for the last time, ascending by time; the
  /// last few hundred ranges.
  package func takeMainWork() -> [MainWork] {
    defer { mainWork = [] }
    return mainWork
  }

  // MARK: - Steps

  /// Fills the view before the display asks for frames: nothing is owed yet, however long it takes.
  private func appear() {
    recorder.withSpan("appear") {
      clock.work(configuration.costs.overhead)
      layOut(isMoving: false)
    }
  }

  /// Moves the content as `step` says, which is due at `begin`: an engine that is late finds it where
  /// it has to be by then.
  private func play(
    _ step: ScrollStep, as kind: InteractionKind, from begin: Nanoseconds, _ origin: Millipoints,
    _ afterEachRefresh: (ListEngine, FrameAccount?) -> Void
  ) {
    let end = begin + step.duration
    display.move(at: clock.now)
    let interaction = recorder.beginInteraction(kind)
    isMoving = true
    defer { isMoving = false }
    if case .reorder = step { pickUp() }
    var isRefreshed = false
    while !isInterrupted, let tick = nextTick(before: end) {
      let elapsed = schedule.time(of: tick) - begin
      let distance = step.distance(after: elapsed, viewport: configuration.viewport)
      if case .refresh = step, !isRefreshed, elapsed * 4 > step.duration * 3 {
        isRefreshed = true
        pendingUpdates.append(.insert(3, at: 0))
      }
      if case .reorder(let pages, _) = step {
        carry(pages == 0 ? Int(3 * elapsed / max(1, step.duration)) : nil)
      }
      let isPulled = if case .refresh = step { true } else { false }
      let wanted = origin + distance + shift
      afterEachRefresh(
        self, commitFrame(tick, at: isPulled ? wanted : place(wanted), isMoving: true))
    }
    heldItem = nil
    if !isInterrupted { clock.sleep(until: end) }
    recorder.endInteraction(interaction)
  }

  /// Nothing moves; there is a frame only where the list is new, or something has come for it.
  ///
  /// What is left of a rest after a late commit may be less than a refresh: then the movements before
  /// and after it are one, and the display waits for a frame all the time (M-3).
  private func rest(
    until end: Nanoseconds, _ afterEachRefresh: (ListEngine, FrameAccount?) -> Void
  ) {
    guard end - clock.now > schedule.shortestInterval else {
      return clock.sleep(until: end)
    }
    display.rest()
    (velocity, lastMove) = (0, nil)
    while !isInterrupted, let tick = nextTick(before: end) {
      let isNew = counters.frames == 0 || !pendingUpdates.isEmpty
      let account =
        isNew || hasResultInView ? commitFrame(tick, at: offset, isMoving: false) : nil
      afterEachRefresh(self, account)
    }
    if !isInterrupted { clock.sleep(until: end) }
  }

  private var hasResultInView: Bool {
    arrived.contains { load in visible.contains { $0.item == load.item.id } }
  }

  /// Waits for what is under way: frames that are to be shown, and jobs that threads work on.
  private func finish() {
    (counters.hitches, counters.hitchTime) = (display.hitches, display.hitchTime)
    if let last = onTheirWay.last { clock.sleep(until: last.shown) }
    reportShownFrames()
    clock.stopLoaders()
    collectResults()
  }

  // MARK: - Ticks

  /// Sleeps until the next refresh, unless that is at `end` or later; runs errands on the way.
  private func nextTick(before end: Nanoseconds) -> Int? {
    while true {
      let next = max(lateTick ?? schedule.index(atOrAfter: clock.now), lastTick + 1)
      let time = schedule.time(of: next)
      if let errand = errands.first, start + errand.time <= min(time, end) {
        errands.removeFirst()
        lateTick = nil
        clock.sleep(until: start + errand.time)
        work {
          recorder.withSpan(recorder.registerName(errand.name)) { clock.work(errand.cost) }
        }
        continue
      }
      guard time < end else { return nil }
      clock.sleep(until: time)
      // A machine that wakes late has missed refreshes: a display link skips them too.
      let tick = lateTick == next ? next : max(next, schedule.index(atOrBefore: clock.now))
      guard schedule.time(of: tick) < end else { return nil }
      lateTick = nil
      lastTick = tick
      takeUpdates(until: schedule.time(of: tick))
      reportShownFrames()
      collectResults()
      return tick
    }
  }

  private func takeUpdates(until time: Nanoseconds) {
    while let update = updates.first, start + update.time <= time {
      pendingUpdates.append(update.change)
      updates.removeFirst()
    }
  }

  private func reportShownFrames() {
    let shown = onTheirWay.prefix { $0.shown <= clock.now }
    for (frame, time) in shown { frame.markPresented(at: time) }
    onTheirWay.removeFirst(shown.count)
  }

  private func collectResults() {
    for load in clock.takeFinished() {
      counters.backgroundBusy += load.busy
      counters.backgroundWaiting += load.waiting
      if load.isCancelled {
        counters.loadsCancelled += 1
        states[load.item.id] = nil
        // The scroll may have turned round once more since.
        if let cell = (visible + kept).first(where: { $0.item == load.item.id }) {
          request(load.item, for: cell.view)
        }
        continue
      }
      arrived.append(load)
      counters.loadsFinished += 1
      if load.isDecoded { counters.decodesInBackground += 1 }
    }
  }

  /// Does work on the main thread and accounts for it.
  private func work(isAhead: Bool = false, _ body: () -> Void) {
    let start = clock.now
    body()
    let end = clock.now
    counters.mainBusy += end - start
    if mainWork.count >= 256 { mainWork.removeFirst(128) }
    mainWork.append(MainWork(start: start, end: end, isAhead: isAhead))
  }

  // MARK: - Frames

  private func commitFrame(
    _ tick: Int, at place: Millipoints, isMoving: Bool
  ) -> FrameAccount {
    let costs = configuration.costs
    let start = clock.now
    let frame = recorder.beginFrame(SimulatedDisplay.tick(tick, of: schedule))
    preparedNow = 0
    work {
      clock.work(costs.overhead)
      frame.withPhase(.event) {
        clock.work(costs.event)
        scroll(to: place, at: schedule.time(of: tick), isMoving: isMoving)
      }
      frame.withPhase(.update) { update() }
      frame.withPhase(.layout) { layOut(isMoving: isMoving) }
      frame.withPhase(.prepare) { decodeImages() }
      frame.withPhase(.commit) {
        clock.work(costs.commit + costs.commitOfRow * Nanoseconds(visible.count))
      }
    }
    frame.end()
    let end = clock.now
    let missedBefore = display.deadlineMisses
    let shown = display.take(tick, of: schedule, committedAt: end, isMoving: isMoving)
    onTheirWay.append((frame, shown))
    counters.frames += 1
    counters.deadlineMisses = display.deadlineMisses
    counters.hitches = display.hitches
    counters.hitchTime = display.hitchTime
    if preparedNow == 0 { spareTime.noteShortCommit(end - start) }
    if isMoving, policies.cells == .idle { useSpareTime(after: tick) }
    return FrameAccount(
      refresh: tick, start: start, end: end, shown: shown,
      isLate: display.deadlineMisses > missedBefore)
  }

  /// Prepares a cell in the time a short commit has left; the next commit may begin late for it.
  private func useSpareTime(after tick: Int) {
    guard preparedNow == 0, abs(velocity) < configuration.fastScroll,
      clock.now <= schedule.time(of: tick + 1),
      let position = nextPositionAhead()
    else { return }
    // What the next frame has until its own deadline, two refreshes after this one.
    let left = schedule.time(of: tick + 2) - clock.now
    let interval = schedule.time(of: tick + 2) - schedule.time(of: tick + 1)
    let expected = preparation(at: position)
    guard spareTime.allows(expected, in: left, interval: interval) else { return }
    work(isAhead: true) { prepareAhead(position) }
    if clock.now > schedule.time(of: tick + 1) { lateTick = tick + 1 }
  }

  private func scroll(to place: Millipoints, at time: Nanoseconds, isMoving: Bool) {
    if isMoving {
      if let last = lastMove, time > last.time {
        velocity = (place - last.place) * 1000 / max(1, (time - last.time) / 1_000_000)
      }
      lastMove = (time, place)
    }
    offset = place
    recorder.recordCounter("scroll offset", Int(place / 1000))
  }

  /// The nearest place to `offset` that the list can be scrolled to.
  func place(_ offset: Millipoints) -> Millipoints {
    let bottom = max(0, layout.height - configuration.viewport)
    return min(max(0, offset), bottom)
  }
}
