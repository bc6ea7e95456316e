public import ScrollTraceRecorder

/// A list without a window: it scrolls, prepares cells on demand, loads data in the background and
/// records all of it as any host would.
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
public final class ListEngine {
  /// What the engine is made of.
  public let configuration: EngineConfiguration
  /// What the engine has counted so far.
  public internal(set) var counters = EngineCounters()
  /// The cells in view, ascending by position.
  public internal(set) var visible: [Cell] = []
  /// How far the content has been scrolled.
  public internal(set) var offset: Millipoints = 0

  let clock: any EngineClock
  let recorder: TraceRecorder
  let list: ListID
  var pool = ReusePool()
  var viewCount: UInt64 = 0
  var states: [ItemID: ItemState] = [:]
  var arrived: [FinishedLoad] = []
  private var display: SimulatedDisplay
  private var errands: ArraySlice<Errand> = []
  private var start: Nanoseconds
  private var lastTick = -1
  private var onTheirWay: [(frame: RecordedFrame, shown: Nanoseconds)] = []

  /// An engine at the top of its list.
  public init(_ configuration: EngineConfiguration, clock: any EngineClock, recorder: TraceRecorder)
  {
    self.configuration = configuration
    self.clock = clock
    self.recorder = recorder
    list = recorder.list("feed")
    start = clock.now
    display = SimulatedDisplay(
      schedule: RefreshSchedule(start: clock.now, rates: configuration.rates))
  }

  /// The cells that wait to be used again.
  public var waitingViews: [ViewID] { pool.waiting }

  /// Plays `session` from the first step to the last.
  ///
  /// - Parameter afterEachFrame: Looks at the engine after each commit.
  public func run(
    _ session: ScrollSession, afterEachFrame: (ListEngine) -> Void = { _ in }
  ) {
    clock.startLoaders(configuration.loaders, recorder: recorder)
    start = clock.now
    display = SimulatedDisplay(
      schedule: RefreshSchedule(start: start, rates: configuration.rates))
    lastTick = -1
    errands = session.errands[...]
    _ = recorder.surface("display", tolerance: 0)
    recorder.state("screen", "feed")
    appear()
    var (begin, origin) = (start, offset)
    for step in session.steps {
      if let kind = step.interaction {
        play(step, as: kind, from: begin, origin, afterEachFrame)
      } else {
        rest(until: begin + step.duration, afterEachFrame)
      }
      begin += step.duration
      origin = place(origin + step.distance(after: step.duration))
    }
    finish()
  }

  // MARK: - Steps

  /// Fills the view before the display asks for frames: nothing is owed yet, however long it takes.
  private func appear() {
    recorder.span("appear") {
      clock.work(configuration.costs.overhead)
      layOut(isMoving: false)
    }
  }

  /// Moves the content as `step` says, which is due at `begin`: an engine that is late finds it where
  /// it has to be by then.
  private func play(
    _ step: ScrollStep, as kind: InteractionKind, from begin: Nanoseconds, _ origin: Millipoints,
    _ afterEachFrame: (ListEngine) -> Void
  ) {
    let end = begin + step.duration
    let interaction = recorder.beginInteraction(kind)
    while let tick = nextTick(before: end) {
      let elapsed = display.schedule.time(of: tick) - begin
      commitFrame(tick, at: place(origin + step.distance(after: elapsed)), isMoving: true)
      afterEachFrame(self)
    }
    clock.sleep(until: end)
    recorder.endInteraction(interaction)
  }

  /// Nothing moves; there is a frame only where the list is new, or data has come for a cell in view.
  ///
  /// What is left of a rest after a late commit may be less than a refresh: then the movements before
  /// and after it are one, and the display waits for a frame all the time (M-3).
  private func rest(until end: Nanoseconds, _ afterEachFrame: (ListEngine) -> Void) {
    guard end - clock.now > display.schedule.shortestInterval else {
      return clock.sleep(until: end)
    }
    display.rest()
    while let tick = nextTick(before: end) {
      let isNew = counters.frames == 0
      guard
        isNew || arrived.contains(where: { load in visible.contains { $0.item == load.item.id } })
      else { continue }
      commitFrame(tick, at: offset, isMoving: false)
      afterEachFrame(self)
    }
    clock.sleep(until: end)
  }

  /// Waits for what is under way: frames that are to be shown, and jobs that threads work on.
  private func finish() {
    if let last = onTheirWay.last { clock.sleep(until: last.shown) }
    reportShownFrames()
    clock.stopLoaders()
    collectResults()
  }

  // MARK: - Ticks

  /// Sleeps until the next refresh, unless that is at `end` or later; runs errands on the way.
  private func nextTick(before end: Nanoseconds) -> Int? {
    while true {
      let next = max(display.schedule.index(atOrAfter: clock.now), lastTick + 1)
      let time = display.schedule.time(of: next)
      if let errand = errands.first, start + errand.time <= min(time, end) {
        errands.removeFirst()
        clock.sleep(until: start + errand.time)
        recorder.span(RecordedName(errand.name)) { clock.work(errand.cost) }
        continue
      }
      guard time < end else { return nil }
      clock.sleep(until: time)
      // A machine that wakes late has missed refreshes: a display link skips them too.
      let tick = max(next, display.schedule.index(atOrBefore: clock.now))
      guard display.schedule.time(of: tick) < end else { return nil }
      lastTick = tick
      reportShownFrames()
      collectResults()
      return tick
    }
  }

  private func reportShownFrames() {
    let shown = onTheirWay.prefix { $0.shown <= clock.now }
    for (frame, time) in shown { frame.presented(at: time) }
    onTheirWay.removeFirst(shown.count)
  }

  private func collectResults() {
    for load in clock.takeFinished() {
      arrived.append(load)
      counters.loadsFinished += 1
      counters.backgroundBusy += load.busy
      if load.isDecoded { counters.decodesInBackground += 1 }
    }
  }

  // MARK: - Frames

  private func commitFrame(_ tick: Int, at place: Millipoints, isMoving: Bool) {
    let costs = configuration.costs
    let frame = recorder.beginFrame(display.tick(tick))
    clock.work(costs.overhead)
    frame.phase(.event) {
      clock.work(costs.event)
      scroll(to: place)
    }
    frame.phase(.update) { update() }
    frame.phase(.layout) { layOut(isMoving: isMoving) }
    frame.phase(.prepare) { decodeImages() }
    frame.phase(.commit) {
      clock.work(costs.commit + costs.commitOfRow * Nanoseconds(visible.count))
    }
    frame.end()
    let shown = display.take(tick, committedAt: clock.now, isMoving: isMoving)
    onTheirWay.append((frame, shown))
    counters.frames += 1
    counters.deadlineMisses = display.deadlineMisses
    counters.hitches = display.hitches
    counters.hitchTime = display.hitchTime
  }

  private func scroll(to place: Millipoints) {
    offset = place
    recorder.counter("scroll offset", Int(place / 1000))
  }

  /// The nearest place to `offset` that the list can be scrolled to.
  private func place(_ offset: Millipoints) -> Millipoints {
    let bottom = max(0, configuration.content.height - configuration.viewport)
    return min(max(0, offset), bottom)
  }
}
