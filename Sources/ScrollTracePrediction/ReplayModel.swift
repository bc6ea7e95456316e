import ScrollTraceModel

/// The work of the main thread, in parts that a change can move or shorten (M-17).
struct ReplayModel {
  /// The time of one label in one job, or in one preparation of a cell.
  struct Slice {
    var label: UInt32
    /// The position of the preparation in `cells`; -1 outside of any.
    var cell: Int32
    var length: Int64
  }

  /// The preparation of one cell.
  struct CellWork {
    /// The reason for a preparation.
    enum Reason {
      /// The current frame needed it.
      case needed
      /// It was prepared before it was needed.
      case ahead
      /// A snapshot reloaded its item.
      case reloaded
      /// A snapshot discarded the previous cell of its item.
      case discarded
    }

    /// The job it was part of.
    var job: Int
    var reason: Reason
    /// More than the number of hidden cells that a list may keep out of the pool for this cell to be
    /// reusable, which was created all the same; zero if it is not.
    var reusable = 0
    /// A Boolean value indicating whether a cell was reused.
    var isReused = false
    /// The place of its kind among the kinds of the recording.
    var kind = 0
    /// Whether its preparation loaded data.
    var loads = false
    /// The time of loading its data on the main thread.
    var mainLoad: Int64 = 0
    /// The previous preparation of its item, or `nil` if there was none.
    var previous: Int?
    /// Whether a snapshot took it away, so that it returned to the pool.
    var isReplaced = false
    /// The job of the frame that displays it, or `nil` if none does.
    var need: Int?
    /// The job in which it left the view, or `nil` if it did not.
    var left: Int?
    /// The content that it got, as a range of `contents`.
    var contents: Range<Int> = 0..<0
    /// Whether content that was loaded for it was given to it.
    var getsContent = false
    /// The position of its item in the list, or `nil` if unknown.
    var position: Int64?
    /// The time its data was there, or zero if it was requested with it.
    var dataReady: Int64 = 0
    /// The duration of the load of the content that it got, or zero if it is unknown.
    var loadTime: Int64 = 0
    /// The end of its preparation.
    var prepared: Int64 = 0
    /// The time that load started on its thread.
    var loadStart: Int64 = 0
    /// The end of the load of content that it did not get, because it left the view before, or zero if
    /// there is none.
    var lateLoad: Int64 = 0
    /// The time of laying out lines again in the next frame if it is prepared ahead, so that its size is known.
    var correction: Int64 = 0
  }

  /// The work of giving a displayed cell the content that arrived for it.
  struct Content {
    /// The preparation of the cell.
    var cell: Int
    var job: Int
    /// The preparation of another cell in its place, or `nil` if the cell got it.
    var reloaded: Int?
    /// Whether it is an image that was decoded for the cell, which has to be in view for that.
    var isDecoded = false
    var length: Int64
    /// The time it was loaded, or zero if that is unknown.
    var loaded: Int64 = 0
  }

  /// Cells that frames displayed one after the other while the scroll kept its direction.
  struct Run {
    /// The cells as a range of `needs`.
    var needs: Range<Int>
    /// The cells that could be prepared before the last of these frames.
    var last: [Int] = []
    /// The earliest time the direction could be known.
    var start: Int64
    var isDown: Bool
  }

  /// Main-thread work without a gap: the commit of a frame, or other work.
  struct Job {
    var start: Int64
    var end: Int64
    var slices: Range<Int>
    /// The preparations among it.
    var cells: Range<Int>
    /// The cells that its frame displays first, as a range of `needs`.
    var needs: Range<Int> = 0..<0
    /// The cells that left the view in it, as a range of `leaves`.
    var leaves: Range<Int> = 0..<0
    /// The position of the frame in the evaluation; -1 for other work.
    var frame: Int32
    /// The time of laying out lines again because the sizes of its cells were known.
    var correction: Int64 = 0
    /// Whether a snapshot in it discarded all cells, also those that wait.
    var discardsCells = false
    /// A Boolean value indicating whether it is the preparation of cells ahead of need.
    var isAhead: Bool
  }

  /// The jobs in order.
  var jobs: [Job] = []
  var slices: [Slice] = []
  /// The preparations in order.
  var cells: [CellWork] = []
  /// The cells that frames display, in the order of these frames.
  var needs: [Int] = []
  /// The runs in order; at least one.
  var runs: [Run] = []
  /// The content that arrived for cells, by cell.
  var contents: [Content] = []
  /// The duration of giving a cell that exists its content, in percent of configuring a new one, or `nil`
  /// if none got any.
  var repeatPercent: Int64?
  /// The number of other threads that load data.
  var loadingThreads = 0
  /// The usual duration of a load on them.
  var usualLoad: Int64 = 0
  /// The cells that left the view, in this order.
  var leaves: [Int] = []
  /// Whether the list says that it prepares cells ahead, so that it keeps some that left the view.
  var preparesAhead = false
  /// How it does so, or `nil` if it is unknown.
  var policy: AheadPolicy?
  /// Whether cells size themselves, so that new content is measured.
  var sizesCells = false
  /// The number of cells that filled the view first, from `firstView`.
  var cellsInView = 0
  /// The usual number of cells that a commit had to prepare: a line of the list.
  var cellsOfLine = 0
  /// The mean times to reuse and to create a cell; zero if none was.
  var reuseTime: Int64 = 0
  var createTime: Int64 = 0
  /// The mean time to give an existing cell new content, or `nil` if none got any.
  var reconfigureTime: Int64?
  /// The median length of commits that prepared no cell, and decoded no image.
  var shortCommit: Int64 = 0
  /// The median time from the preparation of cells to the end of their commit, apart from decoding images.
  var commitTail: Int64 = 0

  /// The most frequent number of cells that a frame displayed first, or zero if none did.
  var usualNeed: Int {
    var counts: [Int: Int] = [:]
    for job in jobs {
      let count = needs[job.needs].count { cells[$0].isCandidate }
      if count > 0 { counts[count, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
  }

  /// The number of cells prepared before the first frame, or in the first one that prepared some.
  var firstView: Int {
    guard let first = jobs.firstIndex(where: { !$0.cells.isEmpty }) else { return 0 }
    guard jobs[first].frame < 0 else { return jobs[first].cells.count }
    return jobs[first...].prefix { $0.frame < 0 }.reduce(0) { $0 + $1.cells.count }
  }

  /// The first preparation of an item that a frame displays, by position.
  var firstCells: [Int64: Int] {
    var first: [Int64: Int] = [:]
    for cell in needs where cells[cell].previous == nil && cells[cell].isCandidate {
      guard let position = cells[cell].position, first[position] == nil else { continue }
      first[position] = cell
    }
    return first
  }

  /// Returns the job at a time of the recording, or `nil` if the main thread was idle.
  func job(at instant: Int64) -> Int? {
    let next = jobs.partitionPoint { $0.start > instant }
    guard next > 0, jobs[next - 1].end > instant else { return nil }
    return next - 1
  }

  /// Returns the job at a time of the recording or until then, or `nil` if the main thread was idle.
  func job(doneAt instant: Int64) -> Int? {
    job(at: instant) ?? (instant > 0 ? job(at: instant - 1) : nil)
  }
}
