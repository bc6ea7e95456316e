import ScrollTraceModel

/// The evidence of one list that findings need besides its measurements (M-19).
struct ListEvidence: Equatable {
  /// Images decoded on the main thread in late frames.
  var decodes = WindowSums()
  /// Data loaded on the main thread in late frames.
  var loads = WindowSums()
  /// Cells prepared on demand in late frames, without those of reloads and jumps.
  var onDemand = WindowSums()
  /// Cells prepared on demand in late frames after a jump.
  var afterJump = WindowSums()
  /// Cells created in late frames.
  var created = WindowSums()
  /// Snapshots that gave items new cells for their new content.
  var itemReloads = ReloadEvidence()
  /// Snapshots that discarded the cells of items that stayed.
  var wholeReloads = ReloadEvidence()
  /// Cells that were prepared ahead and never displayed.
  var wastedCells = DurationStatistics()
  /// Cells that were displayed in motion and waited longer than a refresh for their data.
  var waits = DurationStatistics()
  /// The number of cells that were displayed in motion and got their data.
  var displayedInMotion = 0
  /// Requests for items that were passed by when their data was ready.
  var unseenRequests = DurationStatistics()
  /// Requests for items that were passed by before their data was ready.
  var uncancelledRequests = DurationStatistics()
  /// Results for cells that displayed another item.
  var staleResults = DurationStatistics()
  /// The largest number of cells displayed at once.
  var maximumInView = 0
  private var inView = 0
  /// The total size of the cells with an estimate.
  var size = 0.0

  /// Adds a cell to those displayed, or removes it.
  mutating func addToView(_ change: Int) {
    inView = max(0, inView + change)
    maximumInView = max(maximumInView, inView)
  }

  /// Adds the evidence of a list with the same name.
  mutating func merge(_ other: ListEvidence) {
    decodes.merge(other.decodes)
    loads.merge(other.loads)
    onDemand.merge(other.onDemand)
    afterJump.merge(other.afterJump)
    created.merge(other.created)
    itemReloads.merge(other.itemReloads)
    wholeReloads.merge(other.wholeReloads)
    wastedCells.merge(other.wastedCells)
    waits.merge(other.waits)
    displayedInMotion += other.displayedInMotion
    staleResults.merge(other.staleResults)
    maximumInView += other.maximumInView
    size = min(size + other.size, .greatestFiniteMagnitude)
  }
}

/// Snapshots that gave items new cells.
struct ReloadEvidence: Equatable {
  var snapshots = 0
  /// The number of items with a new cell.
  var items = 0
  /// The preparations of the new cells.
  var cells = DurationStatistics()
  /// The preparations in late frames.
  var windows = WindowSums()

  mutating func add(_ cell: PreparedCell) {
    cells.add(cell.range.length, at: cell.range.start)
    if let window = cell.window { windows.add(cell.range.length, in: window, cell.arguments) }
  }

  /// Adds a snapshot that gave `count` items new cells.
  mutating func add(snapshotOf count: Int) {
    guard count > 0 else { return }
    snapshots += 1
    items = items.saturatingAdd(count)
  }

  /// Adds the evidence of a list with the same name.
  mutating func merge(_ other: ReloadEvidence) {
    snapshots += other.snapshots
    items = items.saturatingAdd(other.items)
    cells.merge(other.cells)
    windows.merge(other.windows)
  }
}
