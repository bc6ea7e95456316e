package import ScrollTraceModel

/// The measurements of one list (M-14, M-15).
///
/// Counts and times cover the whole recording, also outside interactions.
package struct ListAnalysis: Equatable, Sendable {
  /// The name that the host gives the list, or an empty string.
  package let name: String
  /// The cells.
  package var cells = CellMeasures()
  /// The data.
  package var data = DataMeasures()
  /// The images.
  package var images = ImageMeasures()
  /// The applied snapshots, ascending by kind.
  package var snapshots: [SnapshotMeasures] = []
  /// The blank time in motion, or `nil` if no displayed cell, motion or refresh interval is known.
  package var blank: BlankTime?
  /// The estimated sizes, or `nil` if no cell has one.
  package var sizes: SizeMeasures?
  /// The evidence for findings.
  var evidence = ListEvidence()
}

/// The life of a list's cells (M-14).
package struct CellMeasures: Equatable, Sendable {
  /// The preparations of cells.
  package var prepared = 0
  /// The preparations that the host marked as ahead of need.
  package var preparedAhead = 0
  /// The preparations with a cell from the reuse pool.
  package var reused = 0
  /// The preparations with a new cell.
  package var created = 0
  /// The number of registrations; 0 if none is named.
  package var registrations = 0
  /// The number of registrations of which no cell was reused.
  package var registrationsWithoutReuse = 0
  /// The duration of a preparation.
  package var preparation: Percentiles?
  /// The steps of the preparations, longest total first.
  package var steps: [DurationStatistics] = []
  /// The kinds of prepared cells, longest total first.
  package var kinds: [DurationStatistics] = []
  /// The number of times a cell was displayed.
  package var displayed = 0
  /// The number of those times without a preparation since the cell was displayed before.
  package var redisplayed = 0
  /// The preparations of cells that were never displayed.
  package var neverDisplayed = 0
  /// The time from the end of a preparation until the cell was displayed.
  package var leadTime: Percentiles?
  /// The fifth percentile of the lead time.
  package var leadTimeP5: TimeSpan?
  /// The lead time of cells that the host marked as prepared ahead of need, and of the others.
  package var leadTimeAhead, leadTimeOnDemand: Percentiles?

  /// The preparations of cells that were needed at once.
  package var preparedOnDemand: Int { prepared - preparedAhead }
  /// The share of cells from the pool, or `nil` if no preparation states it.
  package var reuseRate: Double? {
    reused + created > 0 ? Double(reused) / Double(reused + created) : nil
  }
}

/// The data of a list (M-15).
package struct DataMeasures: Equatable, Sendable {
  /// The requests for items that were not needed yet.
  package var prefetches = 0
  /// The requests that were cancelled.
  package var cancelled = 0
  /// The requests whose data was ready when the item was displayed.
  package var onTime = 0
  /// The requests whose item was displayed before its data was ready.
  package var late = 0
  /// The results for a cell that displayed another item by then.
  package var staleResults = 0
  /// The time from the request for an item until it was displayed.
  package var requestToDisplay: Percentiles?

  /// The share of requests on time, of those whose item was displayed.
  package var hitRate: Double? {
    onTime + late > 0 ? Double(onTime) / Double(onTime + late) : nil
  }
}

/// The images of a list (M-15).
package struct ImageMeasures: Equatable, Sendable {
  /// Images decoded on the main thread.
  package var onMain = DurationStatistics(name: "main")
  /// Images decoded on the main thread inside a commit.
  package var inFrames = DurationStatistics(name: "frames")
  /// Images decoded on other threads, including thumbnails.
  package var inBackground = DurationStatistics(name: "background")
  /// The time for which a placeholder was displayed. If its content never came, it ends with the
  /// display of the cell or the recording, so it is a lower bound.
  package var placeholders: Percentiles?
  /// The number of those whose content never came.
  package var neverFinal = 0
  /// The images found in the cache.
  package var cacheHits = 0
  /// The images not found in the cache.
  package var cacheMisses = 0
  /// The images evicted from the cache.
  package var evicted = 0
  /// The sizes of images, as far as the source says them.
  package var bytes = ImageBytes()

  /// The share of images found in the cache, or `nil` if no lookup is known.
  package var hitRate: Double? {
    cacheHits + cacheMisses > 0 ? Double(cacheHits) / Double(cacheHits + cacheMisses) : nil
  }
}

/// The sizes of images in bytes (M-15), each `nil` if the source says none.
package struct ImageBytes: Equatable, Sendable {
  package internal(set) var decoded: UInt64?
  package internal(set) var cacheHits: UInt64?
  package internal(set) var cacheMisses: UInt64?
  package internal(set) var evicted: UInt64?

  /// The share of bytes found in the cache, or `nil` if no lookup says its size.
  package var hitRate: Double? {
    guard cacheHits != nil || cacheMisses != nil else { return nil }
    let all = Double(cacheHits ?? 0) + Double(cacheMisses ?? 0)
    return all > 0 ? Double(cacheHits ?? 0) / all : nil
  }

  /// Adds the size of an image to one of the sums; it saturates.
  mutating func add(_ bytes: UInt64?, to sum: WritableKeyPath<ImageBytes, UInt64?>) {
    guard let bytes else { return }
    self[keyPath: sum] = (self[keyPath: sum] ?? 0).saturatingAdd(bytes)
  }

  /// Adds the images of a list with the same name.
  mutating func merge(_ other: ImageBytes) {
    add(other.decoded, to: \.decoded)
    add(other.cacheHits, to: \.cacheHits)
    add(other.cacheMisses, to: \.cacheMisses)
    add(other.evicted, to: \.evicted)
  }
}

/// Snapshots of one kind (M-15).
package struct SnapshotMeasures: Equatable, Sendable {
  /// The way they were applied: `differences`, `reload`, or the host's word.
  package let kind: String
  /// The number of snapshots, and their duration.
  package var time: DurationStatistics
  /// The inserted items.
  package var inserted = 0
  /// The deleted items.
  package var deleted = 0
  /// The items that got new content in their cell.
  package var reconfigured = 0
  /// The items that got another cell.
  package var reloaded = 0
}

/// Sizes that a layout estimated (M-15).
package struct SizeMeasures: Equatable, Sendable {
  /// The cells whose size was estimated first.
  package var estimated = 0
  /// The cells whose size differed from the estimate.
  package var corrected = 0
  /// The total error in the host's unit.
  package var error = 0.0

  /// The mean error in the host's unit.
  package var meanError: Double { estimated > 0 ? error / Double(estimated) : 0 }
}

extension ImageMeasures {
  /// Adds a decoded image.
  mutating func add(_ length: TimeSpan, isOnMain: Bool, isInFrame: Bool) {
    if isOnMain { onMain.add(length) } else { inBackground.add(length) }
    if isInFrame { inFrames.add(length) }
  }

  /// Adds the images of a list with the same name.
  mutating func merge(_ other: ImageMeasures) {
    onMain.merge(other.onMain)
    inFrames.merge(other.inFrames)
    inBackground.merge(other.inBackground)
    cacheHits += other.cacheHits
    cacheMisses += other.cacheMisses
    evicted += other.evicted
    neverFinal += other.neverFinal
    bytes.merge(other.bytes)
  }
}

extension SizeMeasures {
  /// Adds an error; the sum stays finite.
  mutating func add(error more: Double) {
    error = min(error + more, .greatestFiniteMagnitude)
  }
}

extension SnapshotMeasures {
  /// Returns the snapshots of both; counts saturate.
  func merged(with other: SnapshotMeasures) -> SnapshotMeasures {
    var sum = self
    sum.time.merge(other.time)
    sum.inserted = sum.inserted.saturatingAdd(other.inserted)
    sum.deleted = sum.deleted.saturatingAdd(other.deleted)
    sum.reconfigured = sum.reconfigured.saturatingAdd(other.reconfigured)
    sum.reloaded = sum.reloaded.saturatingAdd(other.reloaded)
    return sum
  }
}
