public import ScrollTraceModel

/// What a list did with its cells, data, images and snapshots (M-14, M-15).
///
/// Counts and times are of the whole recording, also outside interactions.
public struct ListAnalysis: Hashable, Sendable {
  /// What the host calls the list; empty where it does not say.
  public let name: String
  /// Its cells.
  public var cells = CellMeasures()
  /// The data behind it.
  public var data = DataMeasures()
  /// Its images.
  public var images = ImageMeasures()
  /// The snapshots that were applied to it, ascending by kind.
  public var snapshots: [SnapshotMeasures] = []
  /// The sizes it guessed; `nil` where no cell says what was guessed.
  public var sizes: SizeMeasures?
  /// What findings on it rest on.
  var evidence = ListEvidence()
}

/// The life of a list's cells (M-14).
public struct CellMeasures: Hashable, Sendable {
  /// The preparations of cells.
  public var prepared = 0
  /// Those, of them, that came before the cell was needed, as the host says.
  public var preparedAhead = 0
  /// Cells, of them, that came from the reuse pool.
  public var reused = 0
  /// Cells, of them, that were made.
  public var created = 0
  /// The registrations that cells were made by; 0 where none is named.
  public var registrations = 0
  /// The registrations, of them, of which no cell was used again.
  public var registrationsWithoutReuse = 0
  /// How long a preparation took.
  public var preparation: Percentiles?
  /// The steps of the preparations, longest first.
  public var steps: [StepTime] = []
  /// The kinds of cells that were prepared, by time, longest first.
  public var kinds: [StepTime] = []
  /// How often a cell came into view.
  public var shown = 0
  /// How often, of that, without a preparation since it had been in view before.
  public var shownAgain = 0
  /// Preparations of cells that never came into view.
  public var neverShown = 0
  /// The time from the end of a preparation until the cell came into view.
  public var leadTime: Percentiles?
  /// The fifth percentile of the same.
  public var leadTimeP5: TimeSpan?

  /// Preparations that came when the cell was needed.
  public var preparedOnDemand: Int { prepared - preparedAhead }
  /// The share of cells that came from the pool; `nil` where no preparation says so.
  public var reuseRate: Double? {
    reused + created > 0 ? Double(reused) / Double(reused + created) : nil
  }
}

/// How often something was done, and how long it took together.
public struct StepTime: Hashable, Sendable {
  /// What was done.
  public let name: String
  /// How often.
  public var count = 0
  /// How long, all together.
  public var total = TimeSpan.zero
}

/// The data behind a list (M-15).
public struct DataMeasures: Hashable, Sendable {
  /// Requests for items that were not needed yet.
  public var prefetches = 0
  /// Requests, of them, that were taken back.
  public var cancelled = 0
  /// Requests, of them, whose item came into view after its data was there.
  public var inTime = 0
  /// Requests, of them, whose item came into view before its data was there.
  public var late = 0
  /// Results that came for a view which showed another item by then.
  public var lateResults = 0

  /// The share of requests ahead that were in time, of those whose item came into view.
  public var hitRate: Double? {
    inTime + late > 0 ? Double(inTime) / Double(inTime + late) : nil
  }
}

/// The images of a list (M-15).
public struct ImageMeasures: Hashable, Sendable {
  /// Images that became bitmaps on the main thread.
  public var onMain = StepTime(name: "main")
  /// Those, of them, inside a frame.
  public var inFrames = StepTime(name: "frames")
  /// Images that became bitmaps on other threads, thumbnails among them.
  public var inBackground = StepTime(name: "background")
  /// For how long placeholders were seen, until the image itself came.
  public var placeholders: Percentiles?
  /// Images that were still in the cache.
  public var cacheHits = 0
  /// Images that were not.
  public var cacheMisses = 0
  /// Images that were thrown out of the cache.
  public var evicted = 0

  /// The share of images that were in the cache; `nil` where nobody asked it.
  public var hitRate: Double? {
    cacheHits + cacheMisses > 0 ? Double(cacheHits) / Double(cacheHits + cacheMisses) : nil
  }
}

/// Snapshots of one kind (M-15).
public struct SnapshotMeasures: Hashable, Sendable {
  /// How they were applied: `differences`, `reload`, or the host's word.
  public let kind: String
  /// How often, and how long together.
  public var time: StepTime
  /// Items that came in.
  public var inserted = 0
  /// Items that went.
  public var deleted = 0
  /// Items that were changed in their cells.
  public var reconfigured = 0
  /// Items that got another cell.
  public var reloaded = 0
}

/// Sizes that a layout guessed (M-15).
public struct SizeMeasures: Hashable, Sendable {
  /// Cells whose size was guessed first.
  public var guessed = 0
  /// Those, of them, that turned out otherwise.
  public var corrected = 0
  /// By how much they were wrong, all together, in the host's unit.
  public var error = 0.0

  /// By how much a guess was wrong on average, in the host's unit.
  public var meanError: Double { guessed > 0 ? error / Double(guessed) : 0 }
}
