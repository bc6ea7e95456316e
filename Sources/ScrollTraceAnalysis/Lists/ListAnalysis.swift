package import ScrollTraceModel

/// What a list did with its cells, data, images and snapshots (M-14, M-15).
///
/// Counts and times are of the whole recording, also outside interactions.
package struct ListAnalysis: Hashable, Sendable {
  /// What the host calls the list; empty where it does not say.
  package let name: String
  /// Its cells.
  package var cells = CellMeasures()
  /// The data behind it.
  package var data = DataMeasures()
  /// Its images.
  package var images = ImageMeasures()
  /// The snapshots that were applied to it, ascending by kind.
  package var snapshots: [SnapshotMeasures] = []
  /// The sizes it guessed; `nil` where no cell says what was guessed.
  package var sizes: SizeMeasures?
  /// What findings on it rest on.
  var evidence = ListEvidence()
}

/// The life of a list's cells (M-14).
package struct CellMeasures: Hashable, Sendable {
  /// The preparations of cells.
  package var prepared = 0
  /// Those, of them, that came before the cell was needed, as the host says.
  package var preparedAhead = 0
  /// Cells, of them, that came from the reuse pool.
  package var reused = 0
  /// Cells, of them, that were made.
  package var created = 0
  /// The registrations that cells were made by; 0 where none is named.
  package var registrations = 0
  /// The registrations, of them, of which no cell was used again.
  package var registrationsWithoutReuse = 0
  /// How long a preparation took.
  package var preparation: Percentiles?
  /// The steps of the preparations, longest first.
  package var steps: [StepTime] = []
  /// The kinds of cells that were prepared, by time, longest first.
  package var kinds: [StepTime] = []
  /// How often a cell came into view.
  package var shown = 0
  /// How often, of that, without a preparation since it had been in view before.
  package var shownAgain = 0
  /// Preparations of cells that never came into view.
  package var neverShown = 0
  /// The time from the end of a preparation until the cell came into view.
  package var leadTime: Percentiles?
  /// The fifth percentile of the same.
  package var leadTimeP5: TimeSpan?

  /// Preparations that came when the cell was needed.
  package var preparedOnDemand: Int { prepared - preparedAhead }
  /// The share of cells that came from the pool; `nil` where no preparation says so.
  package var reuseRate: Double? {
    reused + created > 0 ? Double(reused) / Double(reused + created) : nil
  }
}

/// How often something was done, and how long it took together.
package struct StepTime: Hashable, Sendable {
  /// What was done.
  package let name: String
  /// How often.
  package var count = 0
  /// How long, all together.
  package var total = TimeSpan.zero
}

/// The data behind a list (M-15).
package struct DataMeasures: Hashable, Sendable {
  /// Requests for items that were not needed yet.
  package var prefetches = 0
  /// Requests, of them, that were taken back.
  package var cancelled = 0
  /// Requests, of them, whose item came into view after its data was there.
  package var onTime = 0
  /// Requests, of them, whose item came into view before its data was there.
  package var late = 0
  /// Results that came for a view which showed another item by then.
  package var staleResults = 0

  /// The share of requests ahead that were in time, of those whose item came into view.
  package var hitRate: Double? {
    onTime + late > 0 ? Double(onTime) / Double(onTime + late) : nil
  }
}

/// The images of a list (M-15).
package struct ImageMeasures: Hashable, Sendable {
  /// Images that became bitmaps on the main thread.
  package var onMain = StepTime(name: "main")
  /// Those, of them, inside a frame.
  package var inFrames = StepTime(name: "frames")
  /// Images that became bitmaps on other threads, thumbnails among them.
  package var inBackground = StepTime(name: "background")
  /// For how long placeholders were seen, until the image itself came.
  package var placeholders: Percentiles?
  /// Images that were still in the cache.
  package var cacheHits = 0
  /// Images that were not.
  package var cacheMisses = 0
  /// Images that were thrown out of the cache.
  package var evicted = 0

  /// The share of images that were in the cache; `nil` where nobody asked it.
  package var hitRate: Double? {
    cacheHits + cacheMisses > 0 ? Double(cacheHits) / Double(cacheHits + cacheMisses) : nil
  }
}

/// Snapshots of one kind (M-15).
package struct SnapshotMeasures: Hashable, Sendable {
  /// How they were applied: `differences`, `reload`, or the host's word.
  package let kind: String
  /// How often, and how long together.
  package var time: StepTime
  /// Items that came in.
  package var inserted = 0
  /// Items that went.
  package var deleted = 0
  /// Items that were changed in their cells.
  package var reconfigured = 0
  /// Items that got another cell.
  package var reloaded = 0
}

/// Sizes that a layout guessed (M-15).
package struct SizeMeasures: Hashable, Sendable {
  /// Cells whose size was guessed first.
  package var guessed = 0
  /// Those, of them, that turned out otherwise.
  package var corrected = 0
  /// By how much they were wrong, all together, in the host's unit.
  package var error = 0.0

  /// By how much a guess was wrong on average, in the host's unit.
  package var meanError: Double { guessed > 0 ? error / Double(guessed) : 0 }
}
