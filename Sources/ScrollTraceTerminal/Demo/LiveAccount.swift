internal import ScrollTraceRecorder
import ReferenceListEngine

/// The visible state of a running engine, collected refresh by refresh.
struct LiveAccount {
  /// The number of stored refreshes: enough for the widest terminal.
  private static let capacity = 600

  private var refreshes: [LiveRefresh] = []
  /// The number of the first stored refresh.
  private var first = 0
  private var movingTime: Int64 = 0
  /// The share of visible cells with a placeholder, over `movingTime`.
  private var blankTime: Int64 = 0
  /// The time counted so far, and its end; `nil` during a pause.
  private var countedTime: Int64 = 0
  private var countedUntil: Int64?
  /// The end of the counted time of the current motion, or `nil` if nothing moves.
  private var movedUntil: Int64?
  /// The refresh of the latest work, and when that work ended.
  private var lastWork: (refresh: Int, end: Int64)?
  /// The counts when the policies or the rate last changed, so that the numbers cover the current
  /// ones.
  private var before = EngineCounters()

  /// Adds everything that happened until `now`; `account` belongs to the frame, if there was one.
  mutating func add(_ engine: ListEngine, _ account: FrameAccount?, at now: Int64) {
    countedTime += max(0, now - (countedUntil ?? now))
    countedUntil = now
    let schedule = engine.schedule
    for work in engine.takeMainWork() {
      // Late work belongs to the refresh in which it started.
      let start = lastWork.map { work.start <= $0.end ? $0.refresh : nil } ?? nil
      let index = start ?? schedule.index(atOrBefore: work.start)
      change(index, of: engine) { refresh in
        refresh.mainWork += work.end - work.start
        if work.isAhead { refresh.prefetch += work.end - work.start }
      }
      let last = schedule.index(atOrBefore: work.end)
      for skipped in stride(from: index + 1, to: last, by: 1) {
        change(skipped, of: engine) { $0.isSkipped = true }
      }
      lastWork = (index, work.end)
    }
    if let account, account.isLate { change(account.refresh, of: engine) { $0.missed = true } }
    if let account, engine.isMoving {
      // Refreshes missed by a late frame were in motion too.
      let end = schedule.time(of: account.refresh + 1)
      let time = max(0, end - (movedUntil ?? schedule.time(of: account.refresh)))
      movingTime += time
      let cells = engine.visible
      let blank = cells.count { $0.content == .placeholder }
      if !cells.isEmpty { blankTime += time / Int64(cells.count) * Int64(blank) }
      movedUntil = end
    } else if !engine.isMoving {
      movedUntil = nil
    }
  }

  /// Excludes the time until the next event.
  mutating func pause() { countedUntil = nil }

  /// Restarts counting, because the engine's settings changed.
  mutating func restart(_ engine: ListEngine) {
    before = engine.counters
    movingTime = 0
    blankTime = 0
    countedTime = 0
  }

  private mutating func change(
    _ index: Int, of engine: ListEngine, _ body: (inout LiveRefresh) -> Void
  ) {
    let schedule = engine.schedule
    // If nothing ran for that long, the process was stopped, and earlier refreshes are out of view.
    if refreshes.isEmpty || index >= first + refreshes.count + Self.capacity {
      (refreshes, first) = ([], index)
    }
    guard index >= first else { return }
    while first + refreshes.count <= index {
      let next = first + refreshes.count
      refreshes.append(
        LiveRefresh(
          mainWork: 0, refreshInterval: schedule.time(of: next + 1) - schedule.time(of: next)))
    }
    body(&refreshes[index - first])
    if refreshes.count > 2 * Self.capacity {
      refreshes.removeFirst(Self.capacity)
      first += Self.capacity
    }
  }

  func state(of engine: ListEngine) -> LiveState {
    let counters = engine.counters
    var state = LiveState()
    state.rows = engine.visible.map { cell in
      let frame = engine.frame(of: cell)
      let item = engine.content.items[cell.position]
      let text = LiveItemText(item)
      return LiveRow(
        title: text.title, detail: text.detail, top: frame.top, height: frame.height,
        content: cell.content, isWrong: cell.isWrong, isHeld: engine.heldItem == cell.item)
    }
    state.viewport = engine.configuration.viewport
    state.refreshes = Array(refreshes.suffix(Self.capacity))
    state.policies = EnginePolicies.names.map {
      LivePolicy(name: $0, value: engine.policies.value(of: $0) ?? "")
    }
    state.frames = counters.frames - before.frames
    state.missed = counters.deadlineMisses - before.deadlineMisses
    state.hitchTime = counters.hitchTime - before.hitchTime
    state.movingTime = movingTime
    state.blankTime = blankTime
    state.countedTime = countedTime
    state.mainBusy = counters.mainBusy - before.mainBusy
    state.backgroundBusy = counters.backgroundBusy - before.backgroundBusy
    state.preparedAhead = counters.cellsPreparedAhead - before.cellsPreparedAhead
    state.preparedOnDemand = counters.cellsPreparedOnDemand - before.cellsPreparedOnDemand
    return state
  }
}

/// The texts of an item in the live list; an item itself has only a number, a kind and a size.
struct LiveItemText {
  /// The first line.
  let title: String
  /// The second line.
  let detail: String

  private static let adjectives = [
    "Quiet", "Amber", "Northern", "Early", "Silver", "Distant", "Narrow", "Golden", "Hidden",
    "Paper", "Salt", "Blue", "Winter", "Old", "Bright", "Lost",
  ]
  private static let nouns = [
    "harbor", "orchard", "station", "meadow", "lighthouse", "market", "bridge", "garden", "river",
    "island", "tower", "valley", "kitchen", "window", "street", "forest",
  ]

  /// Creates the texts of `item`, which never change.
  init(_ item: ListItem) {
    let number = item.id.number &* 0x9E37_79B9_7F4A_7C15
    let adjective = Self.adjectives[Int(number >> 60)]
    let noun = Self.nouns[Int(number >> 56 & 15)]
    title = "\(adjective) \(noun)"
    let size = item.bytes < 10_000 ? "\(item.bytes) bytes" : "\(item.bytes / 1000) kB"
    detail = "\(item.kind == .photo ? "photo" : "note") \(item.id.number), \(size)"
  }
}
