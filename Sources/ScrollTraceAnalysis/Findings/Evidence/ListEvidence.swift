import ScrollTraceModel
import ScrollTraceSummary

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
  var maximumInView = 0
  private var inView = 0
  /// The total size of the cells with an estimate.
  var size = 0.0

  /// Adds a cell to those displayed, or removes it.
  mutating func addToView(_ change: Int) {
    inView = max(0, inView + change)
    maximumInView = max(maximumInView, inView)
  }

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

  mutating func merge(_ other: ReloadEvidence) {
    snapshots += other.snapshots
    items = items.saturatingAdd(other.items)
    cells.merge(other.cells)
    windows.merge(other.windows)
  }
}

/// The preparation of one cell.
struct PreparedCell {
  let range: TimeRange
  let arguments: ArgumentListID
  /// The window of a hitch that contains it, or `nil` if there is none.
  let window: Int?
  /// Whether the cell was prepared before it was needed.
  let isAhead: Bool
  /// Whether the cell was created, not reused.
  let isCreated: Bool
  /// The position of its item in the list, or `nil` if unknown.
  let position: Int64?
  /// The position of its list among the drafts.
  var list: Int
  /// The time the item last left the view, the preparation's start if it was still displayed, or
  /// `nil` if it had not been displayed.
  var leftView: Timestamp?

  /// Whether the item had not been displayed before, and was not prepared ahead.
  var isNew: Bool { leftView == nil && !isAhead }
}

/// A snapshot that was applied to a list, and the cells it discarded.
struct AppliedSnapshot {
  let range: TimeRange
  /// Whether items that stayed lost their cells, although the snapshot changed others.
  let isWholeReload: Bool
  /// The number of items that got another cell, according to the host.
  let reloaded: Int
  /// The number of displayed items whose cells were prepared again.
  var preparedAgain = 0

  init(_ range: TimeRange, _ measures: SnapshotMeasures) {
    self.range = range
    reloaded = measures.reloaded
    let hasChanges = measures.inserted > 0 || measures.deleted > 0
    isWholeReload = measures.kind == "reload" && (hasChanges || reloaded == 0)
  }

  /// Whether the snapshot can have discarded cells.
  var isReload: Bool { isWholeReload || reloaded > 0 }

  /// The evidence that it is part of.
  var evidence: WritableKeyPath<ListEvidence, ReloadEvidence> {
    isWholeReload ? \.wholeReloads : \.itemReloads
  }

  /// Returns a Boolean value indicating whether `cell` was prepared again because of the snapshot.
  func discarded(_ cell: PreparedCell) -> Bool {
    guard isReload, let leftView = cell.leftView else { return false }
    return leftView >= range.start
      && cell.range.start - range.end <= FindingThresholds.reloadTime
  }
}

/// Finds the cells that a jump brought into view: they are more than a view away from the ones before, or
/// without positions, a whole view of items that had not been displayed.
struct JumpDetector {
  private var last: Int64?
  /// The window of the last jump.
  private var window: Int?
  /// The window of the list's first cells, which nothing precedes.
  private var firstWindow: Int??

  /// Returns a Boolean value indicating whether a late frame prepared `cell` after a jump.
  ///
  /// - Parameters:
  ///   - cell: The next cell of the list, in order of time.
  ///   - cellsInView: The largest number of cells displayed at once; 0 if unknown.
  ///   - newCells: The number of cells without a position in the same late frame whose items had not been
  ///     displayed.
  mutating func isAfterJump(_ cell: PreparedCell, cellsInView: Int, newCells: Int) -> Bool {
    let first = firstWindow ?? cell.window
    firstWindow = .some(first)
    guard cellsInView > 0 else { return false }
    guard let position = cell.position else {
      // Fewer cells are a line.
      let minimum = max(cellsInView, FindingThresholds.minimumView)
      return cell.isNew && cell.window != first && newCells >= minimum
    }
    let distance = WideInteger(position) - WideInteger(last ?? position)
    // A list may prepare a view of cells ahead.
    if distance.magnitude > 2 * WideInteger(cellsInView) { window = cell.window }
    last = position
    return window != nil && window == cell.window
  }
}

/// Requests for data ahead, to find those whose items were passed by.
struct RequestLog {
  /// The requests that were not cancelled, whose items were not displayed.
  var open: [(requested: Timestamp, loaded: Timestamp?)] = []
  /// The requests whose items were displayed.
  var displayed: [(requested: Timestamp, displayed: Timestamp)] = []

  mutating func merge(_ other: RequestLog) {
    open += other.open
    displayed += other.displayed
  }

  /// Returns the requests whose items were passed by: an item requested later was displayed.
  ///
  /// A request is unseen if its data was ready by then, and uncancelled if it was not.
  func passedBy() -> (unseen: DurationStatistics, uncancelled: DurationStatistics) {
    var (unseen, uncancelled) = (DurationStatistics(), DurationStatistics())
    let displayed = displayed.sorted { $0.requested < $1.requested }
    // For each request, the first time an item of it or of a later one was displayed.
    var first = displayed.map(\.displayed)
    for index in first.indices.dropLast().reversed() {
      first[index] = min(first[index], first[index + 1])
    }
    for request in open {
      let next = displayed.partitionPoint { $0.requested > request.requested }
      guard next < displayed.count else { continue }
      let passed = first[next]
      if let loaded = request.loaded, loaded <= passed {
        unseen.add(.zero, at: request.requested)
      } else {
        uncancelled.add(
          (request.loaded ?? passed) - min(passed, request.loaded ?? passed), at: request.requested)
      }
    }
    return (unseen, uncancelled)
  }
}
