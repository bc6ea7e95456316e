internal import ScrollTraceRecorder

/// What changes while the list is in view: data that comes, items that come, go or move.
extension ListEngine {
  /// Applies the changes that have come up, and brings in the data that has come.
  func update() {
    clock.work(configuration.costs.update)
    let changes = pendingUpdates
    pendingUpdates = []
    for change in changes { apply(change) }
    // Where items went, the list may end above what was in view; a list that is pulled stays so.
    if !changes.isEmpty { offset = min(offset, place(offset)) }
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

  /// Lets the cells at these places show what their items are by now, in one snapshot.
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
          leaveView(visible[index])
          pool.put(visible[index].view, visible[index].kind)
          visible[index] = show(prepareCell(at: visible[index].position, ahead: false))
        } else {
          visible[index] = reconfigure(visible[index])
          if visible[index].content == .final { noteFinal(visible[index]) }
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
    counters.cellsReconfigured += 1
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
      if visible[index].content == .final, !visible[index].isWrong { noteFinal(visible[index]) }
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
    counters.wrongContents += 1
    recorder.markData(
      .lateResult, list: list, item: load.item.id, view: cell.view.rawValue)
    return cell
  }

  // MARK: - Items

  private func apply(_ change: ListUpdate.ProposedChange) {
    switch change {
    case .insert(let count, let position):
      let place = min(max(0, position), content.items.count)
      content.insert(count, at: place)
      replaceItems(SnapshotChanges(kind: "differences", inserted: max(0, count))) {
        $0 >= place ? $0 + max(0, count) : $0
      }
    case .delete(let count, let position):
      let place = min(max(0, position), content.items.count - 1)
      let gone = content.remove(count, at: place)
      let end = place + gone.count
      replaceItems(SnapshotChanges(kind: "differences", deleted: gone.count)) {
        $0 < place ? $0 : $0 < end ? nil : $0 - (end - place)
      }
      cancel(gone.filter { states[$0.id] == .requested(isAhead: true) }.map(\.id))
    case .change(let count):
      let places = Array(visible.indices.prefix(max(0, count)))
      if !places.isEmpty { applySnapshot(updating: places) }
    }
  }

  /// Brings the cells after the items, which have gone where `place` says: only what is different, or
  /// all.
  private func replaceItems(_ changes: SnapshotChanges, _ place: (Int) -> Int?) {
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
        if let moved = cell.moved(place) { return moved }
        leaveView(cell)
        pool.put(cell.view, cell.kind)
        return nil
      }
      kept = kept.compactMap { cell in
        if let moved = cell.moved(place) { return moved }
        giveUp(cell)
        return nil
      }
    }
    requestedAhead = requestedAhead.compactMapValues(place)
  }

  private func throwAwayAllCells() {
    for cell in visible {
      leaveView(cell)
      pool.put(cell.view, cell.kind)
    }
    counters.cellsReloaded += visible.count
    visible = []
    for cell in kept { giveUp(cell) }
    kept = []
  }

  // MARK: - Reordering

  /// Takes the item in the middle of the view up.
  func pickUp() {
    guard !visible.isEmpty else { return }
    let cell = visible[visible.count / 2]
    heldItem = cell.item
    heldFrom = cell.position
    heldTo = cell.position
  }

  /// Holds the item `lines` lines below where it was, or in the middle of the view.
  func carry(_ lines: Int?) {
    guard heldItem != nil, !visible.isEmpty else { return }
    let place =
      lines.map { heldFrom + $0 * layout.columns } ?? visible[visible.count / 2].position
    heldTo = min(max(0, place), content.items.count - 1)
  }

  /// Puts the item that is held where the finger is, and the others between there and where it was.
  private func moveHeldItem() {
    // Items may have gone since somebody carried it there.
    heldTo = min(heldTo, content.items.count - 1)
    guard let heldItem, let from = position(of: heldItem), from != heldTo else { return }
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

  private func position(of item: ItemID) -> Int? {
    visible.first { $0.item == item }?.position ?? kept.first { $0.item == item }?.position
  }
}

extension Cell {
  /// The cell at the position its item has now, or `nil` if that is gone.
  fileprivate func moved(_ place: (Int) -> Int?) -> Cell? {
    var cell = self
    guard let position = place(cell.position) else { return nil }
    cell.position = position
    return cell
  }

  /// Takes the place its item has after the item at `from` was moved to `to`.
  fileprivate mutating func move(from: Int, to: Int) {
    if position == from {
      position = to
    } else if from < position, position <= to {
      position -= 1
    } else if to <= position, position < from {
      position += 1
    }
  }
}
