import ScrollTraceModel

/// What a list did that findings rest on, beyond what is measured of it (M-19).
struct ListEvidence: Hashable {
  /// Images that became bitmaps on the main thread in frames that hitched.
  var decodes = WindowSums()
  /// Data read on the main thread in frames that hitched.
  var loads = WindowSums()
  /// Cells prepared when they were needed in frames that hitched, but for those of reloads.
  var onDemand = WindowSums()
  /// Cells made in frames that hitched.
  var created = WindowSums()
  /// Items that got new cells for their new content.
  var itemReloads = ReloadEvidence()
  /// Snapshots that threw away cells of items that stayed.
  var wholeReloads = ReloadEvidence()
  /// Cells that were prepared ahead and given up unseen.
  var wastedCells = TimedCount()
  /// Cells that came into view in motion and waited for their data for longer than a refresh.
  var waits = TimedCount()
  /// Cells that came into view in motion and had their data, then or later.
  var shownInMotion = 0
  /// Requests whose items were passed by after their data was there.
  var unseenRequests = TimedCount()
  /// Requests whose items were passed by before that.
  var uncancelledRequests = TimedCount()
  /// Results for views that showed another item by then.
  var staleResults = TimedCount()
  /// The most cells in view at once.
  var mostInView = 0
  private var inView = 0
  /// The true sizes of the cells whose sizes were guessed, all together.
  var size = 0.0

  /// Adds that a cell came into view, or left it.
  mutating func addToView(_ change: Int) {
    inView = max(0, inView + change)
    mostInView = max(mostInView, inView)
  }

  /// Adds what is of the same list.
  mutating func merge(_ other: ListEvidence) {
    decodes.merge(other.decodes)
    loads.merge(other.loads)
    onDemand.merge(other.onDemand)
    created.merge(other.created)
    itemReloads.merge(other.itemReloads)
    wholeReloads.merge(other.wholeReloads)
    wastedCells.merge(other.wastedCells)
    waits.merge(other.waits)
    shownInMotion += other.shownInMotion
    staleResults.merge(other.staleResults)
    mostInView += other.mostInView
    size = min(size + other.size, .greatestFiniteMagnitude)
  }
}

/// Snapshots that gave items new cells.
struct ReloadEvidence: Hashable {
  /// How many snapshots.
  var snapshots = 0
  /// The items, in all of them.
  var items = 0
  /// The preparations of the new cells.
  var cells = TimedCount()
  /// Those, of them, in frames that hitched.
  var windows = WindowSums()

  /// Adds the preparation of a new cell.
  mutating func add(_ cell: PreparedCell) {
    cells.add(cell.range.length, at: cell.range.start)
    if let window = cell.window { windows.add(cell.range.length, in: window, cell.arguments) }
  }

  /// Adds a snapshot that gave this many items new cells.
  mutating func add(snapshotOf count: Int) {
    guard count > 0 else { return }
    snapshots += 1
    items.add(upToMost: count)
  }

  /// Adds what is of the same list.
  mutating func merge(_ other: ReloadEvidence) {
    snapshots += other.snapshots
    items.add(upToMost: other.items)
    cells.merge(other.cells)
    windows.merge(other.windows)
  }
}
