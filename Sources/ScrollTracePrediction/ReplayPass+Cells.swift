import ScrollTraceModel

extension ReplayPass {
  /// Returns the length of a cell's preparation, which reuses a cell or creates one.
  func price(of cell: Int) -> Int64 {
    let length = lengths.cells[cell]
    let isReused = kept.isReused(cell)
    guard isReused != model.cells[cell].isReused else { return length }
    let difference = max(0, model.createTime - model.reuseTime)
    return isReused ? max(0, length - difference) : length.saturatingAdd(difference)
  }

  /// Counts a preparation.
  mutating func spend(on cell: Int) {
    let price = price(of: cell)
    // A cell that got its content before is not reloaded for it.
    if price > 0 { spareTime.note(price, for: preparation(of: cell)) }
    kept.take(cell)
  }

  func preparation(of cell: Int) -> SpareTime.Preparation {
    let work = model.cells[cell]
    return SpareTime.Preparation(
      kind: work.kind, isReused: kept.isReused(cell), loads: work.loads)
  }

  /// Notes that the replay prepares a cell before its frame.
  mutating func prepare(_ cell: Int) {
    notePrepared(cell)
    waitingCells += 1
    waiting.append(cell)
  }

  /// Notes that the recorded list prepared a cell at this point, and returns whether the replay does so
  /// as well.
  mutating func noteRecorded(_ cell: Int) -> Bool {
    guard model.cells[cell].isCandidate else { return true }
    noteWasPrepared(cell)
    guard isAsRecorded, !isPrepared[cell] else { return false }
    prepare(cell)
    return true
  }

  /// Gives all cells that wait back to the pool.
  mutating func discardCells() {
    let done = model.needs[nextNeed...].first.flatMap { model.cells[$0].need } ?? Int.max
    for cell in waiting where isPrepared[cell] && (model.cells[cell].need ?? 0) >= done {
      isPrepared[cell] = false
      waitingCells -= 1
      kept.putBack(cell)
    }
    (waiting, unneeded) = ([], [])
    kept.discardAll()
  }

  /// Whether a cell could be prepared before its frame and is not.
  func isLeft(_ cell: Int) -> Bool {
    model.cells[cell].isCandidate && !isPrepared[cell] && kept.isMissing(cell)
  }

  mutating func notePrepared(_ cell: Int) {
    guard !isPrepared[cell] else { return }
    isPrepared[cell] = true
    differences += wasPrepared[cell] ? -1 : 1
  }

  mutating func noteWasPrepared(_ cell: Int) {
    guard !wasPrepared[cell] else { return }
    wasPrepared[cell] = true
    differences += isPrepared[cell] ? -1 : 1
  }
}
