internal import ScrollTraceRecorder

/// The life of a cell: prepared, shown, hidden, kept for a while, and back to the pool.
extension ListEngine {
  /// Takes away the cells that have left the view, and brings in those that are missing.
  func layOut(isMoving: Bool) {
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
    counters.layoutCorrections += 1
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
  func details(of cell: Cell) -> CellDetails {
    CellDetails(
      list: list, item: cell.item, position: cell.position, view: cell.view.rawValue,
      kind: cell.kind.recordedName, registration: cell.registration)
  }

  // MARK: - Preparation

  /// The next item in the direction of the scroll, a few lines ahead, that has no cell yet.
  func nextPositionAhead() -> Int? {
    guard let first = visible.first, let last = visible.last else { return nil }
    let count = configuration.linesPreparedAhead * layout.columns
    let ahead: [Int] =
      velocity < 0
      ? (max(0, first.position - count)..<first.position).reversed()
      : Array((last.position + 1)..<min(content.items.count, last.position + 1 + count))
    return ahead.first { position in
      !kept.contains { $0.item == content.items[position].id }
    }
  }

  /// Prepares the cell of the item at `position`, to be shown later.
  func prepareAhead(_ position: Int) {
    counters.cellsPreparedAhead += 1
    kept.append(prepareCell(at: position, ahead: true))
    giveUpCells()
  }

  /// Takes or makes a cell and puts the item at `position` into it.
  func prepareCell(at position: Int, ahead: Bool) -> Cell {
    let costs = configuration.costs
    let item = content.items[position]
    let start = clock.now
    let expected = preparation(at: position)
    if !ahead { preparedNow += 1 }
    defer { spareTime.note(clock.now - start, for: expected) }
    clock.work(costs.overhead)
    let registration = registration(of: item.kind)
    let known = CellDetails(
      list: list, item: item.id, position: position, kind: item.kind.recordedName,
      registration: registration, ahead: ahead)
    return recorder.withCellStep(.prepare, known) { details in
      clock.work(costs.overhead)
      let waiting = policies.registrations == .once ? pool.take(item.kind) : nil
      var cell = Cell(
        view: waiting ?? makeView(), registration: registration, kind: item.kind, item: item.id,
        position: position, content: .placeholder)
      var all = self.details(of: cell)
      details.view = cell.view.rawValue
      details.reused = waiting != nil
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
      recorder.withCellStep(.size, all) {
        workOnSize(of: item)
      }
      measure(item, at: position)
      if ahead, case .placeholder = cell.content { request(item, for: cell.view) }
      return cell
    }
  }

  /// The preparation that the item at `position` needs, which takes as long as others like it.
  func preparation(at position: Int) -> SpareTime.Preparation {
    let item = content.items[position]
    return SpareTime.Preparation(
      kind: item.kind,
      isReused: policies.registrations == .once && pool.count(of: item.kind) > 0,
      hasData: states[item.id] != nil)
  }

  /// Measures the content of `item`.
  func workOnSize(of item: ListItem) {
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

  /// Gives the layout the true height; what is in view keeps its place where the lines above change.
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
    if moved != 0 {
      counters.scrollCorrections += 1
      counters.scrollCorrection += abs(moved)
    }
    offset += moved
    shift += moved
  }

  // MARK: - Display

  /// Brings a cell into view.
  func show(_ prepared: Cell) -> Cell {
    var cell = prepared
    cell.wasShown = true
    counters.cellsShown += 1
    recorder.markCell(.willDisplay, details(of: cell))
    switch cell.content {
    case .placeholder:
      counters.cellsShownAsPlaceholder += 1
      recorder.markImage(.placeholder, item: cell.item, view: cell.view.rawValue)
      request(content.items[cell.position], for: cell.view)
    case .final:
      recorder.markImage(.final, item: cell.item, view: cell.view.rawValue)
    case .undecoded:
      break
    }
    return cell
  }

  /// Says that a cell has left the view.
  func leaveView(_ cell: Cell) {
    counters.cellsHidden += 1
    recorder.markCell(.didEndDisplaying, details(of: cell))
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
    func rank(_ cell: Cell) -> (Int, Int) {
      (cell.wasShown ? 1 : 0, abs(cell.position - middle))
    }
    while kept.count > configuration.cellsKept,
      let last = kept.indices.max(by: { rank(kept[$0]) < rank(kept[$1]) })
    {
      giveUp(kept.remove(at: last))
    }
  }

  /// Gives a cell that is not in view back to the pool.
  func giveUp(_ cell: Cell) {
    if !cell.wasShown {
      counters.cellsWasted += 1
      recorder.markCell(.discard, details(of: cell))
    }
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
