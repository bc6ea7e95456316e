internal import ScrollTraceRecorder

/// The data of the items: asked for, brought in, decoded.
extension ListEngine {
  /// How much of `item` a cell can show now.
  func content(of item: ListItem) -> Cell.Content {
    guard case .loaded(let isDecoded, _) = states[item.id] else { return .placeholder }
    return isDecoded || item.kind == .text ? .final : .undecoded
  }

  /// Notes that a cell shows the data of `item`, where it is there; the first time ends the arrow
  /// from the request.
  func useData(of item: ListItem) {
    guard case .loaded(let isDecoded, isUsed: false) = states[item.id] else { return }
    states[item.id] = .loaded(isDecoded: isDecoded, isUsed: true)
    recorder.endFlow("load", id: item.id.rawValue)
  }

  /// Asks for the data of `item`, once.
  func request(_ item: ListItem, for view: ViewID?) {
    guard states[item.id] == nil else { return }
    let costs = configuration.costs
    states[item.id] = .requested
    counters.loadsRequested += 1
    if view == nil { recorder.data(.prefetch, list: list, item: item.id.rawValue) }
    recorder.beginFlow("load", id: item.id.rawValue)
    // To ask takes a moment: what answers begins later than the question.
    clock.work(costs.overhead)
    clock.start(
      LoadJob(
        item: item, view: view, lead: costs.loadLead, download: costs.download(item),
        decode: configuration.decodesInBackground ? costs.decode(item) : nil))
  }

  /// Asks for the data of the rows that follow `rows` on either side, the nearest ones first.
  func requestAhead(of rows: Range<Int>) {
    let items = configuration.content.items
    for distance in 0..<configuration.rowsLoadedAhead {
      let (after, before) = (rows.upperBound + distance, rows.lowerBound - 1 - distance)
      if after < items.count { request(items[after], for: nil) }
      if before >= 0 { request(items[before], for: nil) }
    }
  }

  /// Brings the data that has come into the cells that show its items.
  func update() {
    let costs = configuration.costs
    clock.work(costs.update)
    let results = arrived
    arrived = []
    var changed: [Int] = []
    for load in results {
      states[load.item.id] = .loaded(isDecoded: load.isDecoded, isUsed: false)
      noteLateResult(load)
      if let index = visible.firstIndex(where: { $0.item == load.item.id }) {
        changed.append(index)
      }
    }
    guard !changed.isEmpty else { return }
    let changes = SnapshotChanges(kind: "reconfigure", reconfigured: changed.count)
    recorder.applySnapshot(to: list, changes) {
      for index in changed { reconfigure(index) }
    }
  }

  /// A result whose cell shows another item by now must not be written into that cell.
  private func noteLateResult(_ load: FinishedLoad) {
    guard let view = load.view,
      visible.contains(where: { $0.view == view && $0.item != load.item.id })
    else { return }
    counters.lateResults += 1
    recorder.data(.lateResult, list: list, item: load.item.id.rawValue, view: view.rawValue)
  }

  private func reconfigure(_ index: Int) {
    let item = configuration.content.items[visible[index].position]
    clock.work(configuration.costs.overhead)
    recorder.cell(.configure, details(of: visible[index])) {
      clock.work(configuration.costs.cost(configuration.costs.reconfigure, of: item.id))
      useData(of: item)
    }
    counters.cellsReconfigured += 1
    visible[index].content = content(of: item)
    if visible[index].content == .final { noteFinal(visible[index]) }
  }

  /// Makes bitmaps of the images in view that are none yet, on the main thread.
  func decodeImages() {
    for index in visible.indices where visible[index].content == .undecoded {
      let item = configuration.content.items[visible[index].position]
      clock.work(configuration.costs.overhead)
      recorder.image(
        .decode, item: item.id.rawValue, view: visible[index].view.rawValue,
        bytes: UInt64(clamping: item.bytes)
      ) {
        clock.work(configuration.costs.decode(item) ?? 0)
      }
      counters.decodesOnMain += 1
      states[item.id] = .loaded(isDecoded: true, isUsed: true)
      visible[index].content = .final
      noteFinal(visible[index])
    }
  }

  private func noteFinal(_ cell: Cell) {
    recorder.image(.final, item: cell.item.rawValue, view: cell.view.rawValue)
  }
}
