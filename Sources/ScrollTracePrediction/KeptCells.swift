import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceSummary

/// The cells that a list keeps ready outside its view, for a list that is proposed to prepare cells
/// ahead; other lists keep what they kept in the recording.
struct KeptCells {
  private let model: ReplayModel
  /// The largest number of cells that wait or are kept.
  let limit: Int
  /// Whether the recording says which cells leave the view, and cells are reused.
  private let knowsPool: Bool
  /// The cells that left the view and are kept, those that left first at the beginning.
  private var cells: [Int] = []
  private var isKept: [Bool]
  private var isShownAgain: [Bool]
  /// More cells than any view has.
  private static let mostInView = 2_000
  /// The positions of the cells in view, ascending.
  private var view: [Int64] = []
  /// Whether each cell left the view and is kept no more.
  private var isGone: [Bool]
  /// The number of cells of each kind in the pool.
  private var pool: [Int]

  init(_ model: ReplayModel, limit: Int, createsMore: Bool) {
    self.model = model
    self.limit = limit
    knowsPool = createsMore && !model.leaves.isEmpty && model.reuseTime > 0
    isKept = [Bool](repeating: false, count: model.cells.count)
    isGone = isKept
    isShownAgain = isKept
    pool = [Int](repeating: 0, count: (model.cells.lazy.map(\.kind).max() ?? 0) + 1)
    // The list is displayed before its first frame.
    for job in model.jobs.prefix(while: { $0.frame < 0 }) { job.cells.forEach { display($0) } }
  }

  /// Whether a cell left the view and is kept.
  func holds(_ cell: Int) -> Bool { isKept[cell] }

  /// Whether a cell at a position left the view and is kept.
  func holds(position: Int64) -> Bool { cells.contains { model.cells[$0].position == position } }

  /// Whether the previous cell of its item is kept, so that it needs no preparation.
  func holdsPrevious(of cell: Int) -> Bool {
    guard let previous = model.cells[cell].previous else { return false }
    return isKept[previous] && model.cells[cell].isCandidate
  }

  /// Whether its item has no cell, as far as the recording says which cells leave the view.
  func isMissing(_ cell: Int) -> Bool {
    guard let previous = model.cells[cell].previous, !model.leaves.isEmpty else { return true }
    return isGone[previous] || model.cells[previous].isReplaced
  }

  /// Whether a preparation takes a cell from the pool; one after a reload does what it did, since the
  /// reload returns the cells that it takes again.
  func isReused(_ cell: Int) -> Bool {
    let work = model.cells[cell]
    return knowsPool && work.isCandidate ? pool[work.kind] > 0 : work.isReused
  }

  /// Takes a cell from the pool if the preparation of `cell` reuses one.
  mutating func take(_ cell: Int) {
    guard isReused(cell) else { return }
    pool[model.cells[cell].kind] = max(0, pool[model.cells[cell].kind] - 1)
  }

  /// Displays a kept cell again.
  mutating func showAgain(_ cell: Int) {
    guard let previous = model.cells[cell].previous else { return }
    release(previous)
    isShownAgain[previous] = !model.cells[cell].getsContent
  }

  /// Whether a cell that left the view gets content that arrives for it: it is kept, or it is in view
  /// again and the content is not that of the cell that the recording has in its place.
  func getsContent(_ cell: Int) -> Bool { isKept[cell] || isShownAgain[cell] }

  /// Notes that a frame displays a cell.
  mutating func display(_ cell: Int) {
    guard let position = model.cells[cell].position else { return }
    // The recording does not say that cells leave the view.
    if view.count >= Self.mostInView { view = [] }
    let place = view.partitionPoint { $0 >= position }
    if place == view.count || view[place] != position { view.insert(position, at: place) }
  }

  private mutating func hide(_ cell: Int) {
    guard let position = model.cells[cell].position else { return }
    let place = view.partitionPoint { $0 >= position }
    if place < view.count, view[place] == position { view.remove(at: place) }
  }

  /// Keeps the cells that leave the view in `job`, and gives the farthest ones back to the pool if too many
  /// wait and are kept.
  mutating func keep(leaving job: Int, first count: Int = Int.max, waiting: Int) {
    for cell in model.leaves[model.jobs[job].leaves].prefix(count)
    where !isKept[cell] && !isGone[cell] && !model.cells[cell].isReplaced {
      hide(cell)
      cells.append(cell)
      isKept[cell] = true
    }
    let excess = waiting + cells.count - limit
    guard excess > 0 else { return }
    let farthest = cells.stablySorted { distance(of: $0) > distance(of: $1) }.prefix(excess)
    for cell in farthest {
      release(cell)
      putBack(cell)
    }
  }

  /// Puts the cells that a snapshot replaces in `job` into the pool.
  mutating func putBack(replacedIn job: Int) {
    for cell in model.leaves[model.jobs[job].leaves]
    where !isKept[cell] && !isGone[cell] && model.cells[cell].isReplaced {
      putBack(cell)
    }
  }

  private func distance(of cell: Int) -> WideInteger {
    guard let position = model.cells[cell].position, !view.isEmpty else { return 0 }
    return (WideInteger(position) - WideInteger(view[view.count / 2])).magnitude
  }

  /// Gives all cells back to the pool.
  mutating func discardAll() {
    for cell in cells {
      isKept[cell] = false
      putBack(cell)
    }
    cells = []
  }

  /// Puts a cell that is not in view into the pool.
  mutating func putBack(_ cell: Int) {
    isGone[cell] = true
    putBack(ofKind: model.cells[cell].kind)
  }

  /// Puts a cell into the pool.
  mutating func putBack(ofKind kind: Int) {
    pool[kind] += 1
  }

  private mutating func release(_ cell: Int) {
    isKept[cell] = false
    cells.removeAll { $0 == cell }
  }
}
