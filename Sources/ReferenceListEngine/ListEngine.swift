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
  package let configuration: EngineConfiguration
  /// How it does what can be done in several ways; a change holds from the next frame on.
  package var policies: EnginePolicies
  package private(set) var counters = EngineCounters()
  /// The items, in their order at this moment.
  package private(set) var content: ListContent
  /// The cells in view, ascending by position.
  package private(set) var visible: [Cell] = []
  /// The cells that are prepared and not in view, those that were kept last at the end.
  package private(set) var kept: [Cell] = []
  /// How far the content has been scrolled.
  package private(set) var offset: Millipoints = 0
  /// The item a finger carries along, or `nil` if none.
  package private(set) var heldItem: ItemID?
  package private(set) var isMoving = false
  /// When the display takes frames.
  package private(set) var schedule: RefreshSchedule

  private let clock: any EngineClock
  private let recorder: TraceRecorder
  private let list: ListID
  private var layout: ListLayout
  private var pool = ReusePool()
  private var viewCount: UInt64 = 0
  private var registrationCount = UInt64(ItemKind.allCases.count)
  private var states: [ItemID: ItemState] = [:]
  private var images: ImageCache
  /// The arrows from a request to the cell that uses it that have not ended, by item.
  private var openFlows: [ItemID: UInt64] = [:]
  /// The positions of the items whose data was asked for ahead.
  private var requestedAhead: [ItemID: Int] = [:]
  private var arrived: [FinishedLoad] = []
  private var pendingUpdates: [ListUpdate.ProposedChange] = []
  /// Where the held item was, and where the finger is.
  private var heldFrom = 0
  private var heldTo = 0
  /// By how much sizes that were guessed wrong have moved the content.
  private var shift: Millipoints = 0
  /// How fast the content moves, in thousandths of a point a second; negative upwards.
  private var velocity: Millipoints = 0
  /// How many cells the present frame has prepared because they were needed.
  private var preparedNow = 0
  private var spareTime = SpareTime()
  /// How many lines have to move since heights were others than estimated.
  private var linesToMove = 0

  private var display: SimulatedDisplay
  private var errands: ArraySlice<Errand> = []
  private var updates: ArraySlice<ListUpdate> = []
  private var start: Nanoseconds
  /// The refresh that the engine was awake for last; -1 before the first.
  package private(set) var lastRefresh = -1
  /// The refresh whose frame begins late, since cells were prepared until after it.
  private var lateTick: Int?
  private var lastMove: (time: Nanoseconds, offset: Millipoints)?
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
  package func run(_ script: ScrollScript, afterEachFrame: (ListEngine) -> Void = { _ in }) {
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
    lastRefresh = -1
    self.errands = errands[...]
    self.updates = updates[...]
    _ = recorder.registerSurface(named: "display", options: SurfaceOptions(tolerance: .zero))
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
        origin = reachable(origin + distance + shift) - shift
      }
    }
    finish()
  }

  /// Ends the present step before its time, as a finger that is put down does.
  package func interrupt() { isInterrupted = true }

  /// Changes the refresh rate of the display from the next refresh but one on.
  package func setRefreshRate(_ hertz: Int) {
    schedule.change(to: hertz, at: schedule.time(of: lastRefresh + 2))
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
        self, commitFrame(tick, at: isPulled ? wanted : reachable(wanted), isMoving: true))
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
      let account = isNew || hasResultInView ? commitFrame(tick, at: offset, isMoving: false) : nil
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
      let next = max(lateTick ?? schedule.index(atOrAfter: clock.now), lastRefresh + 1)
      let time = schedule.time(of: next)
      if let errand = errands.first, start + errand.time <= min(time, end) {
        errands.removeFirst()
        lateTick = nil
        clock.sleep(until: start + errand.time)
        work { recorder.withSpan(recorder.registerName(errand.name)) { clock.work(errand.cost) } }
        continue
      }
      guard time < end else { return nil }
      clock.sleep(until: time)
      // A machine that wakes late has missed refreshes: a display link skips them too.
      let tick = lateTick == next ? next : max(next, schedule.index(atOrBefore: clock.now))
      guard schedule.time(of: tick) < end else { return nil }
      lateTick = nil
      lastRefresh = tick
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
    for (frame, time) in shown { frame.markPresented(at: .nanoseconds(time)) }
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

  private func commitFrame(_ tick: Int, at newOffset: Millipoints, isMoving: Bool) -> FrameAccount {
    let costs = configuration.costs
    let start = clock.now
    let frame = recorder.beginFrame(SimulatedDisplay.tick(tick, of: schedule))
    preparedNow = 0
    work {
      clock.work(costs.overhead)
      frame.phases { phases in
        phases.event {
          clock.work(costs.event)
          scroll(to: newOffset, at: schedule.time(of: tick), isMoving: isMoving)
        }
        phases.update { update() }
        phases.layout { layOut(isMoving: isMoving) }
        phases.prepare { decodeImages() }
        phases.commit { clock.work(costs.commit + costs.commitOfRow * Nanoseconds(visible.count)) }
      }
    }
    frame.end()
    let end = clock.now
    let missedBefore = display.deadlineMisses
    let shown = display.present(tick, of: schedule, committedAt: end, isMoving: isMoving)
    onTheirWay.append((frame, shown))
    counters.frames += 1
    counters.deadlineMisses = display.deadlineMisses
    counters.hitches = display.hitches
    counters.hitchTime = display.hitchTime
    if preparedNow == 0 { spareTime.recordShortCommit(end - start) }
    if isMoving, policies.cells == .idle { useSpareTime(after: tick) }
    return FrameAccount(
      refresh: tick, start: start, end: end, shown: shown,
      isLate: display.deadlineMisses > missedBefore)
  }

  /// Prepares a cell in the time a short commit has left; the next commit may begin late for it.
  private func useSpareTime(after tick: Int) {
    guard preparedNow == 0, abs(velocity) < configuration.fastScroll,
      clock.now <= schedule.time(of: tick + 1), let position = nextPositionAhead()
    else { return }
    // What the next frame has until its own deadline, two refreshes after this one.
    let left = schedule.time(of: tick + 2) - clock.now
    let interval = schedule.time(of: tick + 2) - schedule.time(of: tick + 1)
    let expected = preparation(at: position)
    guard spareTime.allows(expected, in: left, interval: interval) else { return }
    work(isAhead: true) { prepareAhead(position) }
    if clock.now > schedule.time(of: tick + 1) { lateTick = tick + 1 }
  }

  private func scroll(to newOffset: Millipoints, at time: Nanoseconds, isMoving: Bool) {
    if isMoving {
      if let last = lastMove, time > last.time {
        velocity = (newOffset - last.offset) * 1000 / max(1, (time - last.time) / 1_000_000)
      }
      lastMove = (time, newOffset)
    }
    offset = newOffset
    recorder.recordCounter("scroll offset", Int(newOffset / 1000))
  }

  /// The offset nearest to `offset` that the list can be scrolled to.
  private func reachable(_ offset: Millipoints) -> Millipoints {
    let bottom = max(0, layout.height - configuration.viewport)
    return min(max(0, offset), bottom)
  }
}

/// The life of a cell: prepared, shown, hidden, kept for a while, and back to the pool.
extension ListEngine {
  /// Takes away the cells that have left the view, and brings in those that are missing.
  private func layOut(isMoving: Bool) {
    let costs = configuration.costs
    var rows = rowsInView()
    correctLayout(of: rows)
    clock.work(costs.layout + costs.layoutOfRow * Nanoseconds(rows.count))
    // Cells that turn out smaller than they were guessed let more lines are displayed.
    for _ in 0..<8 {
      hideCells(outside: rows)
      let shown = Set(visible.map(\.position))
      for position in rows where !shown.contains(position) {
        let cell = keptCell(for: position) ?? prepareCell(at: position, ahead: false)
        visible.append(show(cell))
      }
      visible.sort { $0.position < $1.position }
      let now = rowsInView()
      correctLayout(of: now)
      if now == rows { break }
      rows = now
    }
    if isMoving {
      if policies.data == .ahead { requestAhead(of: rows) }
      if policies.cells == .oneAhead, preparedNow == 0, let next = nextPositionAhead() {
        prepareAhead(next)
      }
    }
    recorder.recordCounter("reuse pool", pool.count)
  }

  /// Lays the rows in view and the lines below out again, if heights turned out to be others than
  /// estimated.
  private func correctLayout(of rows: Range<Int>) {
    guard linesToMove > 0 else { return }
    let costs = configuration.costs
    let start = clock.now
    clock.work(
      costs.layout + costs.layoutOfRow * Nanoseconds(rows.count)
        + costs.moveOfLine * Nanoseconds(linesToMove))
    counters.layoutCorrectionTime += clock.now - start
    linesToMove = 0
  }

  private func rowsInView() -> Range<Int> {
    layout.positions(ofLines: layout.lines(from: offset, to: offset + configuration.viewport))
  }

  private func hideCells(outside rows: Range<Int>) {
    for cell in visible where !rows.contains(cell.position) { hide(cell) }
    visible.removeAll { !rows.contains($0.position) }
  }

  /// What a recording says of `cell`.
  private func details(of cell: Cell) -> CellDetails {
    CellDetails(
      list: list, item: cell.item, position: cell.position, viewID: cell.view.rawValue,
      kind: cell.kind.recordedName, registrationID: cell.registration)
  }

  // MARK: - Preparation

  /// The next item in the direction of the scroll, a few lines ahead, that has no cell yet.
  private func nextPositionAhead() -> Int? {
    guard let first = visible.first, let last = visible.last else { return nil }
    let count = configuration.linesPreparedAhead * layout.columns
    let ahead: [Int] =
      velocity < 0
      ? (max(0, first.position - count)..<first.position).reversed()
      : Array((last.position + 1)..<min(content.items.count, last.position + 1 + count))
    return ahead.first { position in !kept.contains { $0.item == content.items[position].id } }
  }

  /// Prepares the cell of the item at `position`, to be shown later.
  private func prepareAhead(_ position: Int) {
    counters.cellsPreparedAhead += 1
    kept.append(prepareCell(at: position, ahead: true))
    giveUpCells()
  }

  /// Takes or makes a cell and puts the item at `position` into it.
  private func prepareCell(at position: Int, ahead: Bool) -> Cell {
    let costs = configuration.costs
    let item = content.items[position]
    let start = clock.now
    let expected = preparation(at: position)
    if !ahead { preparedNow += 1 }
    defer { spareTime.record(clock.now - start, for: expected) }
    clock.work(costs.overhead)
    let registration = registration(of: item.kind)
    let known = CellDetails(
      list: list, item: item.id, position: position, kind: item.kind.recordedName,
      registrationID: registration, isPreparedAhead: ahead)
    return recorder.withCellStep(.prepare, known) { details in
      clock.work(costs.overhead)
      let waiting = policies.registrations == .once ? pool.take(item.kind) : nil
      var cell = Cell(
        view: waiting ?? makeView(), registration: registration, kind: item.kind, item: item.id,
        position: position, content: .placeholder)
      var all = self.details(of: cell)
      details.viewID = cell.view.rawValue
      details.isReused = waiting != nil
      if waiting != nil {
        counters.cellsReused += 1
        recorder.withCellStep(.dequeue, all) { clock.work(costs.dequeue) }
        recorder.withCellStep(.prepareForReuse, all) { clock.work(costs.prepareForReuse) }
      } else {
        counters.cellsCreated += 1
        recorder.withCellStep(.create, all) { clock.work(costs.create) }
      }
      recorder.withCellStep(.configure, all) {
        readData(of: item)
        clock.work(costs.configure(item))
        useData(of: item)
        cell.content = content(of: item)
      }
      if configuration.sizing != .exact {
        all.estimatedSize = Double(layout.height(ofLine: layout.line(of: position))) / 1000
        all.size = Double(item.ownHeight) / 1000
      }
      recorder.withCellStep(.size, all) { workOnSize(of: item) }
      measure(item, at: position)
      if ahead, case .placeholder = cell.content { request(item, for: cell.view) }
      return cell
    }
  }

  /// The preparation that the item at `position` needs, which takes as long as others like it.
  private func preparation(at position: Int) -> SpareTime.Preparation {
    let item = content.items[position]
    return SpareTime.Preparation(
      kind: item.kind, isReused: policies.registrations == .once && pool.count(of: item.kind) > 0,
      hasData: states[item.id] != nil)
  }

  private func workOnSize(of item: ListItem) {
    clock.work(configuration.costs.cost(configuration.costs.size, .size, of: item.id))
  }

  private func registration(of kind: ItemKind) -> UInt64 {
    guard policies.registrations == .perCell else { return UInt64(kind.rawValue + 1) }
    registrationCount += 1
    return registrationCount
  }

  private func makeView() -> ViewID {
    viewCount += 1
    return ViewID(rawValue: viewCount)
  }

  /// Gives the layout the true height; what is in view stays there when the lines above change.
  private func measure(_ item: ListItem, at position: Int) {
    guard configuration.sizing != .exact else { return }
    let anchor = layout.lines(from: offset, to: offset + 1).first ?? 0
    let before = layout.top(ofLine: anchor)
    if let error = layout.setHeight(item.ownHeight, of: item.id, at: position), error != 0 {
      counters.inaccurateSizeEstimates += 1
      counters.sizeError += abs(error)
      linesToMove = max(linesToMove, layout.lineCount - layout.line(of: position))
    }
    let moved = layout.top(ofLine: anchor) - before
    offset += moved
    shift += moved
  }

  // MARK: - Display

  /// Brings a cell into view.
  private func show(_ prepared: Cell) -> Cell {
    var cell = prepared
    cell.wasShown = true
    counters.cellsShown += 1
    recorder.markCell(.willDisplay, details(of: cell))
    switch cell.content {
    case .placeholder:
      counters.cellsShownAsPlaceholder += 1
      recorder.markImage(.placeholder, item: cell.item, viewID: cell.view.rawValue)
      request(content.items[cell.position], for: cell.view)
    case .final: recorder.markImage(.final, item: cell.item, viewID: cell.view.rawValue)
    case .undecoded: break
    }
    return cell
  }

  /// Says that a cell has left the view.
  private func leaveView(_ cell: Cell) {
    counters.cellsHidden += 1
    recorder.markCell(.didEndDisplaying, details(of: cell))
  }

  /// Gives a cell in view back to the pool.
  private func putAway(_ cell: Cell) {
    leaveView(cell)
    pool.put(cell.view, cell.kind)
  }

  private func hide(_ cell: Cell) {
    leaveView(cell)
    if policies.cells == .onDemand || cell.isWrong {
      pool.put(cell.view, cell.kind)
    } else {
      kept.append(cell)
      giveUpCells()
    }
  }

  /// The cell that is kept for the item at `position`, which is kept no more.
  private func keptCell(for position: Int) -> Cell? {
    let item = content.items[position].id
    guard let index = kept.firstIndex(where: { $0.item == item }) else { return nil }
    var cell = kept.remove(at: index)
    cell.position = position
    if cell.wasShown { counters.cellsShownAgain += 1 } else { counters.cellsShownAhead += 1 }
    return cell
  }

  /// Gives kept cells back to the pool where there are too many: first those that have been in view,
  /// and of these the ones that lie farthest from it.
  private func giveUpCells() {
    let middle = visible.isEmpty ? 0 : visible[visible.count / 2].position
    func rank(_ cell: Cell) -> (Int, Int) { (cell.wasShown ? 1 : 0, abs(cell.position - middle)) }
    while kept.count > configuration.cellsKept,
      let last = kept.indices.max(by: { rank(kept[$0]) < rank(kept[$1]) })
    {
      giveUp(kept.remove(at: last))
    }
  }

  private func giveUp(_ cell: Cell) {
    if !cell.wasShown {
      counters.cellsWasted += 1
      recorder.markCell(.discard, details(of: cell))
    }
    pool.put(cell.view, cell.kind)
  }
}

private extension ItemKind {
  /// The kind as a recording names it.
  var recordedName: RecordedName {
    switch self {
    case .text: "text"
    case .photo: "photo"
    }
  }
}

/// The data of the items: asked for, cancelled, brought in, decoded.
extension ListEngine {
  /// How much of `item` a cell can show now.
  private func content(of item: ListItem) -> Cell.Content {
    guard case .loaded = states[item.id] else { return .placeholder }
    guard item.kind == .photo else { return .final }
    if images.use(item.id) {
      counters.cacheHits += 1
      recorder.markImage(.cacheHit, item: item.id)
      return .final
    }
    counters.cacheMisses += 1
    recorder.markImage(.cacheMiss, item: item.id)
    return policies.images == .main ? .undecoded : .placeholder
  }

  /// Reads the data of a text on the main thread, where nobody has asked for it ahead.
  private func readData(of item: ListItem) {
    let cost = configuration.costs.readData
    guard cost > 0, item.kind == .text, states[item.id] == nil else { return }
    recorder.withDataStep(.load, item: item.id) {
      clock.work(configuration.costs.cost(cost, .readData, of: item.id))
    }
    states[item.id] = .loaded(isUsed: true)
    counters.readsOnMain += 1
  }

  /// Records that a cell shows the data of `item`, where it is there; the first time ends the arrow
  /// from the request.
  private func useData(of item: ListItem) {
    guard case .loaded(isUsed: false) = states[item.id] else { return }
    states[item.id] = .loaded(isUsed: true)
    if let flow = openFlows.removeValue(forKey: item.id) { recorder.endFlow("load", id: flow) }
  }

  /// Asks for the data of `item`, once; and for its bitmap, where only that is missing.
  private func request(_ item: ListItem, for view: ViewID?) {
    var isOnDisk = false
    switch states[item.id] {
    case .requested:
      // Asked for ahead and needed now: it is not to be cancelled any more.
      if view != nil { states[item.id] = .requested(isAhead: false) }
      return
    case .loaded:
      guard item.kind == .photo, policies.images != .main else { return }
      isOnDisk = true
    case nil: break
    }
    let costs = configuration.costs
    states[item.id] = .requested(isAhead: view == nil)
    counters.loadsRequested += 1
    if view == nil { recorder.markData(.prefetch, list: list, item: item.id) }
    let flow = UInt64(counters.loadsRequested)
    openFlows[item.id] = flow
    recorder.beginFlow("load", id: flow)
    // To ask takes a moment: what answers begins later than the question.
    clock.work(costs.overhead)
    let decode: LoadJob.Decoding? = costs.decode(item, pixels: bitmapPixels(of: item))
      .flatMap { cost in
        switch policies.images {
        case .main: nil
        case .background: .full(cost)
        case .thumbnails: .thumbnail(cost)
        }
      }
    clock.start(
      LoadJob(
        item: item, view: view, flow: flow,
        lead: costs.loadLead + costs.cost(costs.readData, .readData, of: item.id),
        download: isOnDisk ? nil : costs.download(item), decode: decode))
  }

  /// Asks for the data of the lines that come next in the direction of the scroll, the nearest first,
  /// and cancels what was asked for in the other.
  private func requestAhead(of rows: Range<Int>) {
    let items = content.items
    let count = configuration.linesLoadedAhead * layout.columns
    let next =
      velocity < 0
      ? max(0, rows.lowerBound - count)..<rows.lowerBound
      : rows.upperBound..<min(items.count, max(rows.upperBound, rows.upperBound + count))
    cancelRequests(
      outside: min(rows.lowerBound, next.lowerBound)..<max(rows.upperBound, next.upperBound))
    for position in velocity < 0 ? Array(next.reversed()) : Array(next) {
      guard states[items[position].id] == nil else { continue }
      requestedAhead[items[position].id] = position
      request(items[position], for: nil)
    }
  }

  /// Takes back the requests ahead for items that do not come next any more.
  private func cancelRequests(outside rows: Range<Int>) {
    var cancelled: [ItemID] = []
    for (item, position) in requestedAhead.sorted(by: { $0.value < $1.value }) {
      guard states[item] == .requested(isAhead: true) else {
        requestedAhead[item] = nil
        continue
      }
      guard !rows.contains(position) else { continue }
      requestedAhead[item] = nil
      cancelled.append(item)
    }
    cancel(cancelled)
  }

  private func cancel(_ items: [ItemID]) {
    guard !items.isEmpty else { return }
    for item in items { recorder.markData(.cancelPrefetch, list: list, item: item) }
    clock.cancel(Set(items))
  }

  /// Takes the results that have come; gives those of items that are still wanted.
  private func takeResults() -> [FinishedLoad] {
    let results = arrived
    arrived = []
    for load in results {
      states[load.item.id] = .loaded(isUsed: false)
      if load.isDecoded { keepBitmap(of: load.item) }
    }
    return results
  }

  /// The pixels of the bitmap that the present policy makes of the image of `item`.
  private func bitmapPixels(of item: ListItem) -> Int64 {
    policies.images == .thumbnails ? configuration.imageSize.thumbnailPixels(of: item) : item.pixels
  }

  /// Puts the bitmap of an item into the cache, at four bytes a pixel.
  private func keepBitmap(of item: ListItem) {
    for evicted in images.insert(item.id, bytes: 4 * bitmapPixels(of: item)) {
      recorder.markImage(.evict, item: evicted.item, bytes: UInt64(clamping: evicted.bytes))
    }
  }

  /// Makes bitmaps of the images in view that are none yet, on the main thread.
  private func decodeImages() {
    for index in visible.indices where visible[index].content == .undecoded {
      let item = content.items[visible[index].position]
      clock.work(configuration.costs.overhead)
      recorder.withImageStep(
        .decode, item: item.id, viewID: visible[index].view.rawValue,
        bytes: UInt64(clamping: item.bytes)
      ) {
        clock.work(configuration.costs.decode(item, pixels: item.pixels) ?? 0)
      }
      counters.decodesOnMain += 1
      states[item.id] = .loaded(isUsed: true)
      keepBitmap(of: item)
      visible[index].content = .final
      markFinal(visible[index])
    }
  }

  /// Says that a cell shows its image.
  private func markFinal(_ cell: Cell) {
    recorder.markImage(.final, item: cell.item, viewID: cell.view.rawValue)
  }
}

/// What changes while the list is in view: data that comes, items that come, go or move.
extension ListEngine {
  /// Applies the changes that have come up, and brings in the data that has come.
  private func update() {
    clock.work(configuration.costs.update)
    let changes = pendingUpdates
    pendingUpdates = []
    for change in changes { apply(change) }
    // Where items went, the list may end above what was in view; a list that is pulled stays so.
    if !changes.isEmpty { offset = min(offset, reachable(offset)) }
    moveHeldItem()
    bringIn(takeResults())
  }

  // MARK: - Data

  /// Brings the data that has come into the cells that show its items.
  private func bringIn(_ results: [FinishedLoad]) {
    var results = results
    if policies.updates == .captured { results.removeAll(where: writeIntoCapturedCell) }
    let items = Set(results.map(\.item.id))
    let inView = visible.indices.filter { items.contains(visible[$0].item) }
    let outside = kept.indices.filter { items.contains(kept[$0].item) }
    guard !inView.isEmpty || !outside.isEmpty else { return }
    applySnapshot(updating: inView, outside)
  }

  /// Lets the cells at these indices show what their items are by now, in one snapshot.
  private func applySnapshot(updating inView: [Int], _ outside: [Int] = []) {
    counters.snapshots += 1
    let count = inView.count + outside.count
    let isReload = policies.updates == .reload
    let changes = SnapshotChanges(
      kind: isReload ? "reload" : "reconfigure", reconfigured: isReload ? nil : count,
      reloaded: isReload ? count : nil)
    recorder.withSnapshot(to: list, changes) {
      for index in outside {
        if isReload {
          counters.cellsReloaded += 1
          counters.cellsPreparedAhead += 1
          giveUp(kept[index])
          kept[index] = prepareCell(at: kept[index].position, ahead: true)
        } else {
          kept[index] = reconfigure(kept[index])
        }
      }
      for index in inView {
        if isReload {
          counters.cellsReloaded += 1
          putAway(visible[index])
          visible[index] = show(prepareCell(at: visible[index].position, ahead: false))
        } else {
          visible[index] = reconfigure(visible[index])
          if visible[index].content == .final { markFinal(visible[index]) }
        }
      }
    }
  }

  /// Puts the new content into the cell that is there.
  private func reconfigure(_ cell: Cell) -> Cell {
    var cell = cell
    let item = content.items[cell.position]
    clock.work(configuration.costs.overhead)
    recorder.withCellStep(.configure, details(of: cell)) {
      clock.work(configuration.costs.reconfigure(item))
      useData(of: item)
    }
    // A cell that sizes itself is measured again.
    if configuration.sizing != .exact {
      recorder.withCellStep(.size, details(of: cell)) { workOnSize(of: item) }
    }
    cell.content = content(of: item)
    cell.isWrong = false
    // The bitmap may have gone, or nobody has made one since images become bitmaps elsewhere.
    if case .placeholder = cell.content { request(item, for: cell.view) }
    return cell
  }

  /// Writes a result into the cell that was there when it was asked for; whether that was done.
  private func writeIntoCapturedCell(_ load: FinishedLoad) -> Bool {
    guard let view = load.view else { return false }
    useData(of: load.item)
    if let index = visible.firstIndex(where: { $0.view == view }) {
      visible[index] = write(load, into: visible[index])
      if visible[index].content == .final, !visible[index].isWrong { markFinal(visible[index]) }
    } else if let index = kept.firstIndex(where: { $0.view == view }) {
      kept[index] = write(load, into: kept[index])
    }
    return true
  }

  /// Writes a result into a cell, whatever that shows.
  private func write(_ load: FinishedLoad, into captured: Cell) -> Cell {
    var cell = captured
    clock.work(configuration.costs.overhead)
    recorder.withCellStep(.configure, details(of: cell)) {
      clock.work(
        configuration.costs.cost(configuration.costs.writeResult, .writeResult, of: load.item.id))
    }
    cell.content = load.isDecoded || load.item.kind == .text ? .final : .undecoded
    cell.isWrong = cell.item != load.item.id
    guard cell.isWrong else { return cell }
    counters.staleResults += 1
    recorder.markData(.lateResult, list: list, item: load.item.id, viewID: cell.view.rawValue)
    return cell
  }

  // MARK: - Items

  private func apply(_ change: ListUpdate.ProposedChange) {
    switch change {
    case .insert(let count, let position):
      let index = min(max(0, position), content.items.count)
      content.insert(count, at: index)
      replaceItems(SnapshotChanges(kind: "differences", inserted: max(0, count))) {
        $0 >= index ? $0 + max(0, count) : $0
      }
    case .delete(let count, let position):
      let index = min(max(0, position), content.items.count - 1)
      let gone = content.remove(count, at: index)
      let end = index + gone.count
      replaceItems(SnapshotChanges(kind: "differences", deleted: gone.count)) {
        $0 < index ? $0 : $0 < end ? nil : $0 - (end - index)
      }
      cancel(gone.filter { states[$0.id] == .requested(isAhead: true) }.map(\.id))
    case .change(let count):
      let inView = Array(visible.indices.prefix(max(0, count)))
      if !inView.isEmpty { applySnapshot(updating: inView) }
    }
  }

  /// Brings the cells after the items, which have gone where `newPosition` says: only what is different, or
  /// all.
  private func replaceItems(_ changes: SnapshotChanges, _ newPosition: (Int) -> Int?) {
    let costs = configuration.costs
    var changes = changes
    counters.snapshots += 1
    let isReload = policies.snapshots == .reload
    if isReload { (changes.kind, changes.reloaded) = ("reload", visible.count) }
    layout.rebuild(content.items)
    recorder.withSnapshot(to: list, changes) {
      clock.work(costs.snapshot)
      if isReload {
        throwAwayAllCells()
        return
      }
      clock.work(costs.differenceOfItem * Nanoseconds(content.items.count))
      visible = visible.compactMap { cell in
        if let moved = cell.moved(newPosition) { return moved }
        putAway(cell)
        return nil
      }
      kept = kept.compactMap { cell in
        if let moved = cell.moved(newPosition) { return moved }
        giveUp(cell)
        return nil
      }
    }
    requestedAhead = requestedAhead.compactMapValues(newPosition)
  }

  private func throwAwayAllCells() {
    for cell in visible { putAway(cell) }
    counters.cellsReloaded += visible.count
    visible = []
    for cell in kept { giveUp(cell) }
    kept = []
  }

  // MARK: - Reordering

  /// Takes the item in the middle of the view up.
  private func pickUp() {
    guard !visible.isEmpty else { return }
    let cell = visible[visible.count / 2]
    heldItem = cell.item
    heldFrom = cell.position
    heldTo = cell.position
  }

  /// Holds the item `lines` lines below where it was, or in the middle of the view.
  private func carry(_ lines: Int?) {
    guard heldItem != nil, !visible.isEmpty else { return }
    let position =
      lines.map { heldFrom + $0 * layout.columns } ?? visible[visible.count / 2].position
    heldTo = min(max(0, position), content.items.count - 1)
  }

  /// Puts the item that is held where the finger is, and the others between there and where it was.
  private func moveHeldItem() {
    // Items may have gone since somebody carried it there.
    heldTo = min(heldTo, content.items.count - 1)
    let held = visible.first { $0.item == heldItem } ?? kept.first { $0.item == heldItem }
    guard let from = held?.position, from != heldTo else { return }
    counters.snapshots += 1
    recorder.withSnapshot(to: list, SnapshotChanges(kind: "reorder")) {
      clock.work(configuration.costs.snapshot / 4)
      content.move(from: from, to: heldTo)
      layout.exchange(min(from, heldTo)...max(from, heldTo), in: content.items)
      for index in visible.indices { visible[index].move(from: from, to: heldTo) }
      for index in kept.indices { kept[index].move(from: from, to: heldTo) }
      visible.sort { $0.position < $1.position }
    }
  }
}

private extension Cell {
  /// The cell at the position its item has now, or `nil` if that is gone.
  func moved(_ newPosition: (Int) -> Int?) -> Cell? {
    var cell = self
    guard let position = newPosition(cell.position) else { return nil }
    cell.position = position
    return cell
  }

  /// Moves to the position its item has after the item at `from` was moved to `to`.
  mutating func move(from: Int, to: Int) {
    if position == from {
      position = to
    } else if from < position, position <= to {
      position -= 1
    } else if to <= position, position < from {
      position += 1
    }
  }
}
