internal import ScrollTraceRecorder

/// The life of a cell: prepared on demand, shown, hidden, and back to the pool.
extension ListEngine {
  /// Takes away the cells that have left the view, and brings in those that are missing.
  func layOut(isMoving: Bool) {
    let costs = configuration.costs
    let rows = configuration.content.positions(from: offset, to: offset + configuration.viewport)
    clock.work(costs.layout + costs.layoutOfRow * Nanoseconds(rows.count))
    for cell in visible where !rows.contains(cell.position) { hide(cell) }
    visible.removeAll { !rows.contains($0.position) }
    let shown = Set(visible.map(\.position))
    for position in rows where !shown.contains(position) {
      let cell = prepareCell(at: position)
      visible.append(show(cell))
    }
    visible.sort { $0.position < $1.position }
    if isMoving { requestAhead(of: rows) }
    recorder.counter("reuse pool", pool.count)
  }

  /// What a recording says of `cell`.
  func details(of cell: Cell) -> CellDetails {
    CellDetails(
      list: list, item: cell.item.rawValue, position: cell.position, view: cell.view.rawValue,
      kind: cell.kind.recordedName, registration: UInt64(cell.kind.rawValue + 1))
  }

  /// Takes or makes a cell and puts the item at `position` into it.
  private func prepareCell(at position: Int) -> Cell {
    let costs = configuration.costs
    let item = configuration.content.items[position]
    clock.work(costs.overhead)
    let known = CellDetails(
      list: list, item: item.id.rawValue, position: position, kind: item.kind.recordedName,
      registration: UInt64(item.kind.rawValue + 1), ahead: false)
    return recorder.cell(.prepare, known) { details in
      clock.work(costs.overhead)
      let waiting = pool.take(item.kind)
      let cell = Cell(
        view: waiting ?? makeView(), kind: item.kind, item: item.id, position: position,
        content: content(of: item))
      let all = self.details(of: cell)
      details.view = cell.view.rawValue
      details.reused = waiting != nil
      if waiting != nil {
        counters.cellsReused += 1
        recorder.cell(.dequeue, all) { clock.work(costs.dequeue) }
        recorder.cell(.prepareForReuse, all) { clock.work(costs.prepareForReuse) }
      } else {
        counters.cellsCreated += 1
        recorder.cell(.create, all) { clock.work(costs.create) }
      }
      recorder.cell(.configure, all) {
        clock.work(costs.configure(item))
        useData(of: item)
      }
      recorder.cell(.size, all) { clock.work(costs.cost(costs.size, of: item.id)) }
      return cell
    }
  }

  private func makeView() -> ViewID {
    viewCount += 1
    return ViewID(rawValue: viewCount)
  }

  private func show(_ cell: Cell) -> Cell {
    counters.cellsShown += 1
    recorder.cell(.willDisplay, details(of: cell))
    switch cell.content {
    case .placeholder:
      recorder.image(.placeholder, item: cell.item.rawValue, view: cell.view.rawValue)
      request(configuration.content.items[cell.position], for: cell.view)
    case .final:
      recorder.image(.final, item: cell.item.rawValue, view: cell.view.rawValue)
    case .undecoded:
      break
    }
    return cell
  }

  private func hide(_ cell: Cell) {
    counters.cellsHidden += 1
    recorder.cell(.didEndDisplaying, details(of: cell))
    pool.put(cell.view, cell.kind)
  }
}

extension ItemKind {
  /// The kind as a recording names it.
  var recordedName: RecordedName {
    switch self {
    case .text: "text"
    case .photo: "photo"
    }
  }
}
