import ScrollTraceModel

/// What the main thread did, in pieces that a change can move or make shorter (M-17).
struct ReplayModel {
  /// Time of one label in one job, and in one preparation of a cell where it was part of that.
  struct Slice {
    var label: UInt32
    /// The position of the preparation in `cells`; -1 outside of any.
    var cell: Int32
    var length: Int64
  }

  /// The preparation of one cell.
  struct CellWork {
    /// Why the cell was prepared.
    enum Reason {
      /// It was needed in the frame that was being made.
      case needed
      /// It was prepared before it was needed.
      case ahead
      /// Its item was reloaded in a snapshot.
      case reloaded
      /// A snapshot had thrown away the cell that its item had.
      case thrownAway
    }

    /// The job it was part of.
    var job: Int
    var reason: Reason
    /// Whether a cell was made although one of its kind waited in the pool.
    var couldReuse = false
    /// Whether a cell was used again for it.
    var isReused = false
    /// Where its item is in the list; `nil` where the source does not say.
    var position: Int64?
    /// Before when nobody could know that it would be needed: the scroll turned round for it.
    var foreseen: Int64 = 0
  }

  /// Work of the main thread without a gap: the commit of a frame, or what it did besides.
  struct Job {
    var start: Int64
    var end: Int64
    var slices: Range<Int>
    /// The preparations of cells that were part of it.
    var cells: Range<Int>
    /// The position of the frame in the pass; -1 where it is the commit of none.
    var frame: Int32
    /// Whether it is the preparation of cells that were not needed yet.
    var isAhead: Bool
  }

  /// The jobs in their order.
  var jobs: [Job] = []
  var slices: [Slice] = []
  /// The preparations in their order.
  var cells: [CellWork] = []
  /// The most cells that one commit had to prepare: what a line of the list holds.
  var cellsOfLine = 0
  /// What it takes to use a cell again, and to make one; zero where none was.
  var reuseTime: Int64 = 0
  var createTime: Int64 = 0
  /// What it takes to put new content into a cell that is there; `nil` where that was not recorded.
  var reconfigureTime: Int64?
  /// The median length of commits that prepared no cell, and decoded no image.
  var shortCommit: Int64 = 0

  /// The job whose recorded time holds `instant`; `nil` where the main thread was idle then.
  func job(at instant: Int64) -> Int? {
    let next = jobs.partitionPoint { $0.start > instant }
    guard next > 0, jobs[next - 1].end > instant else { return nil }
    return next - 1
  }
}
