internal import ScrollTraceRecorder
import ReferenceListEngine
import ScrollTraceCLI

/// What a running engine shows of itself, gathered from refresh to refresh.
struct LiveAccount {
  /// The refreshes that are remembered: enough for the widest terminal.
  private static let capacity = 600

  private var refreshes: [LiveRefresh] = []
  /// The number of the first of them.
  private var first = 0
  private var movingTime: Int64 = 0
  /// For how long there has been counting, and until when; `nil` in a pause.
  private var countedTime: Int64 = 0
  private var countedUntil: Int64?
  /// Until when the time of the motion that is under way has been counted, or `nil` if nothing moves.
  private var movedUntil: Int64?
  /// The counts when the policies or the rate last changed, so that figures cover the current ones.
  private var before = EngineCounters()

  /// Takes in what has happened until `now`; `account` is of the frame, if there was one.
  mutating func note(_ engine: ListEngine, _ account: FrameAccount?, at now: Int64) {
    countedTime += max(0, now - (countedUntil ?? now))
    countedUntil = now
    let schedule = engine.schedule
    for work in engine.takeMainWork() {
      // Work that goes on over a refresh counts for each by its part.
      var start = work.start
      while start < work.end {
        let index = schedule.index(atOrBefore: start)
        let end = min(work.end, schedule.time(of: index + 1))
        guard end > start else { break }
        change(index, of: engine) { refresh in
          refresh.mainWork += end - start
          if work.isAhead { refresh.prefetch += end - start }
        }
        start = end
      }
    }
    if let account, account.isLate { change(account.refresh, of: engine) { $0.missed = true } }
    if let account, engine.isMoving {
      // Refreshes that a late frame left out were in motion too.
      let end = schedule.time(of: account.refresh + 1)
      movingTime += max(0, end - (movedUntil ?? schedule.time(of: account.refresh)))
      movedUntil = end
    } else if !engine.isMoving {
      movedUntil = nil
    }
  }

  /// Leaves out the time until something happens again.
  mutating func pause() { countedUntil = nil }

  /// Counts from now on, since the engine works in another way.
  mutating func restart(_ engine: ListEngine) {
    before = engine.counters
    movingTime = 0
    countedTime = 0
  }

  private mutating func change(
    _ index: Int, of engine: ListEngine, _ body: (inout LiveRefresh) -> Void
  ) {
    let schedule = engine.schedule
    // Where nothing has worked for so long, the process was stopped; what was before is out of sight.
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

  /// What is to be seen of `engine` now.
  func state(of engine: ListEngine) -> LiveState {
    let counters = engine.counters
    let columns = engine.configuration.columns
    var state = LiveState()
    state.rows = engine.visible.map { cell in
      let place = engine.frame(of: cell)
      let item = engine.content.items[cell.position]
      let text = LiveItemText(item)
      return LiveRow(
        item: cell.item.number, title: text.title, detail: text.detail, top: place.top,
        height: place.height, column: cell.position % columns, columns: columns,
        isPhoto: cell.kind == .photo, content: LiveContent(cell.content), isWrong: cell.isWrong,
        isHeld: engine.heldItem == cell.item)
    }
    state.viewport = engine.configuration.viewport
    state.refreshes = Array(refreshes.suffix(Self.capacity))
    state.earlierRefreshes = first + refreshes.count - state.refreshes.count
    state.policies = EnginePolicies.names.map {
      LivePolicy(name: $0, value: engine.policies.value(of: $0) ?? "")
    }
    state.frames = counters.frames - before.frames
    state.missed = counters.deadlineMisses - before.deadlineMisses
    state.hitchTime = counters.hitchTime - before.hitchTime
    state.movingTime = movingTime
    state.countedTime = countedTime
    state.mainBusy = counters.mainBusy - before.mainBusy
    state.backgroundBusy = counters.backgroundBusy - before.backgroundBusy
    state.preparedAhead = counters.cellsPreparedAhead - before.cellsPreparedAhead
    state.preparedOnDemand = counters.cellsPreparedOnDemand - before.cellsPreparedOnDemand
    return state
  }
}

extension LiveContent {
  /// How far the picture of a cell is.
  fileprivate init(_ content: Cell.Content) {
    self =
      switch content {
      case .placeholder: .placeholder
      case .undecoded: .undecoded
      case .final: .final
      }
  }
}

/// What the live list says of an item, which has no more than a number, a kind and a size.
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

  /// The text for `item`, the same at every time.
  init(_ item: ListItem) {
    let number = item.id.number &* 0x9E37_79B9_7F4A_7C15
    let adjective = Self.adjectives[Int(number >> 60)]
    let noun = Self.nouns[Int(number >> 56 & 15)]
    title = "\(adjective) \(noun)"
    let size = item.bytes < 10_000 ? "\(item.bytes) bytes" : "\(item.bytes / 1000) kB"
    detail = "\(item.kind == .photo ? "photo" : "note") \(item.id.number), \(size)"
  }
}
