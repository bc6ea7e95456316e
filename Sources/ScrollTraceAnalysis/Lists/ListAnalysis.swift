public import ScrollTraceModel

/// What a list did with its cells, data and images (M-14, M-15), in the whole recording.
public struct ListAnalysis: Codable, Equatable, Sendable {
  /// The name that the host gives the list, or an empty string.
  public let name: String
  /// The cells.
  public internal(set) var cells = CellMeasures()
  /// The data.
  public internal(set) var data = DataMeasures()
  /// The images.
  public internal(set) var images = ImageMeasures()
  /// The time with placeholders (M-27), or `nil` if unknown.
  public internal(set) var blank: BlankTime?
  /// The applied snapshots, by kind.
  public internal(set) var snapshots: [SnapshotMeasures] = []
  /// The estimated sizes, or `nil` if no cell has one.
  public internal(set) var sizes: SizeMeasures?
  var evidence = ListEvidence()

  private enum CodingKeys: CodingKey { case name, cells, data, images, blank, snapshots, sizes }
}

/// The life of a list's cells (M-14).
public struct CellMeasures: Codable, Equatable, Sendable {
  /// The number of preparations of cells.
  public internal(set) var prepared: Int = 0
  /// The number of those that the host marked as ahead of need.
  public internal(set) var preparedAhead: Int = 0
  /// The number of those with a cell from the reuse pool.
  public internal(set) var reused: Int = 0
  /// The number of those with a new cell.
  public internal(set) var created: Int = 0
  /// The share of cells from the pool, 0 to 1, or `nil` if no preparation states it.
  public internal(set) var reuseRate: Double?
  /// The number of registrations; 0 if none is named.
  public internal(set) var registrations: Int = 0
  /// The number of registrations of which no cell was reused.
  public internal(set) var registrationsWithoutReuse: Int = 0
  /// The duration of a preparation, or `nil` without any.
  public internal(set) var preparation: Percentiles?
  /// The steps of the preparations, longest total first.
  public internal(set) var steps: [DurationStatistics] = []
  /// The kinds of prepared cells, longest total first.
  public internal(set) var kinds: [DurationStatistics] = []
  /// The number of times a cell was displayed.
  public internal(set) var displayed: Int = 0
  /// The number of items whose cells were displayed.
  package internal(set) var displayedItems: Int = 0
  /// The number of those times without a preparation since the cell was displayed before.
  public internal(set) var redisplayed: Int = 0
  /// The number of preparations of cells that were never displayed.
  public internal(set) var neverDisplayed: Int = 0
  /// The time from the end of a preparation until the cell was displayed, or `nil` if unknown.
  public internal(set) var leadTime: LeadTime?
  /// The lead time of cells marked as prepared ahead of need, or `nil` without any.
  public internal(set) var leadTimeAhead: Percentiles?
  /// The lead time of the other cells, or `nil` without any.
  public internal(set) var leadTimeOnDemand: Percentiles?

  private enum CodingKeys: String, CodingKey {
    case prepared, preparedAhead, reused, created, reuseRate, registrations
    case registrationsWithoutReuse, preparation = "preparationNs", steps, kinds, displayed
    case redisplayed, neverDisplayed, leadTime = "leadTimeNs", leadTimeAhead = "leadTimeAheadNs"
    case leadTimeOnDemand = "leadTimeOnDemandNs"
  }
}

/// Percentiles of lead times (M-8), which are better if longer.
public struct LeadTime: Codable, Equatable, Sendable {
  /// The 5th percentile, or `nil` if unknown.
  public let p5: TimeSpan?
  /// The median.
  public let p50: TimeSpan
  /// The 90th percentile.
  public let p90: TimeSpan
  /// The 95th percentile.
  public let p95: TimeSpan
  /// The 99th percentile.
  public let p99: TimeSpan
  /// The largest value.
  public let max: TimeSpan

  init?(of times: [TimeSpan]) {
    guard let all = Percentiles(of: times) else { return nil }
    var ranked = RankedValues(times)
    p5 = Percentiles.percentile(5, of: &ranked)
    (p50, p90, p95, p99, max) = (all.p50, all.p90, all.p95, all.p99, all.max)
  }
}

/// The data of a list (M-15).
public struct DataMeasures: Codable, Equatable, Sendable {
  /// The number of requests for items that were not needed yet.
  public internal(set) var prefetches: Int = 0
  /// The number of requests that were cancelled.
  public internal(set) var cancelled: Int = 0
  /// The number of requests whose data was ready when the item was displayed.
  public internal(set) var onTime: Int = 0
  /// The number of requests whose item was displayed before its data was ready.
  public internal(set) var late: Int = 0
  /// The share of requests on time, 0 to 1, or `nil` if no such item was displayed.
  public internal(set) var hitRate: Double?
  /// The number of results for a cell that displayed another item by then.
  public internal(set) var staleResults: Int = 0
  /// The time from the request for an item until it was displayed, or `nil` if unknown.
  public internal(set) var requestToDisplay: Percentiles?

  private enum CodingKeys: String, CodingKey {
    case prefetches, cancelled, onTime, late, hitRate, staleResults
    case requestToDisplay = "requestToDisplayNs"
  }
}

/// The images of a list (M-15). Sizes and their rate are `nil` unless the source says sizes.
public struct ImageMeasures: Codable, Equatable, Sendable {
  /// The images decoded on the main thread.
  public internal(set) var decodedOnMain = DurationStatistics(name: "main")
  /// The images decoded on the main thread inside a commit.
  public internal(set) var decodedInCommits = DurationStatistics(name: "frames")
  /// The images decoded on other threads.
  public internal(set) var decodedInBackground = DurationStatistics(name: "background")
  /// The time for which a placeholder was displayed, or `nil` without any.
  ///
  /// If its content never came, it ends with the display of the cell or the recording, so it is a lower bound.
  public internal(set) var placeholder: Percentiles?
  /// The number of those times.
  public internal(set) var placeholderCount: Int = 0
  /// The number of those whose content never came.
  public internal(set) var neverFinal: Int = 0
  /// The number of images found in the cache.
  public internal(set) var cacheHits: Int = 0
  /// The number of images not found in the cache.
  public internal(set) var cacheMisses: Int = 0
  /// The share of images found in the cache, 0 to 1, or `nil` if no lookup is known.
  public internal(set) var cacheHitRate: Double?
  /// The number of images evicted from the cache.
  public internal(set) var evicted: Int = 0
  /// The bytes of decoded images.
  public internal(set) var decodedBytes: UInt64?
  /// The bytes of images found in the cache.
  public internal(set) var cacheHitBytes: UInt64?
  /// The bytes of images not found in the cache.
  public internal(set) var cacheMissBytes: UInt64?
  /// The bytes of evicted images.
  public internal(set) var evictedBytes: UInt64?
  /// The share of bytes found in the cache, 0 to 1.
  public internal(set) var cacheHitRateByBytes: Double?

  private enum CodingKeys: String, CodingKey {
    case decodedOnMain, decodedInCommits, decodedInBackground, placeholder = "placeholderNs"
    case placeholderCount, neverFinal, cacheHits, cacheMisses, cacheHitRate, evicted
    case decodedBytes, cacheHitBytes, cacheMissBytes, evictedBytes, cacheHitRateByBytes
  }
}

/// Snapshots of one kind (M-15).
public struct SnapshotMeasures: Codable, Equatable, Sendable {
  /// The way they were applied: `differences`, `reload`, or the host's word.
  public let kind: String
  /// The number of snapshots.
  public internal(set) var count: Int
  /// Their total duration.
  public internal(set) var total: TimeSpan
  /// The number of inserted items.
  public internal(set) var inserted: Int = 0
  /// The number of deleted items.
  public internal(set) var deleted: Int = 0
  /// The number of items that got new content in their cell.
  public internal(set) var reconfigured: Int = 0
  /// The number of items that got another cell.
  public internal(set) var reloaded: Int = 0

  private enum CodingKeys: String, CodingKey {
    case kind, count, total = "totalNs", inserted, deleted, reconfigured, reloaded
  }
}

/// Sizes that a layout estimated (M-15).
public struct SizeMeasures: Codable, Equatable, Sendable {
  /// The number of cells whose size was estimated first.
  public internal(set) var estimated: Int = 0
  /// The number of cells whose size differed from the estimate.
  public internal(set) var corrected: Int = 0
  /// The mean error in the host's unit.
  public internal(set) var meanError: Double = 0
  /// The total error in the host's unit.
  var error = 0.0

  private enum CodingKeys: CodingKey { case estimated, corrected, meanError }
}

extension ImageMeasures {
  mutating func add(_ length: TimeSpan, isOnMain: Bool, isInFrame: Bool) {
    if isOnMain { decodedOnMain.add(length) } else { decodedInBackground.add(length) }
    if isInFrame { decodedInCommits.add(length) }
  }

  mutating func merge(_ other: ImageMeasures) {
    decodedOnMain.merge(other.decodedOnMain)
    decodedInCommits.merge(other.decodedInCommits)
    decodedInBackground.merge(other.decodedInBackground)
    cacheHits += other.cacheHits
    cacheMisses += other.cacheMisses
    evicted += other.evicted
    neverFinal += other.neverFinal
    for sum in [\Self.decodedBytes, \.cacheHitBytes, \.cacheMissBytes, \.evictedBytes] {
      add(other[keyPath: sum], to: sum)
    }
  }

  /// Adds the size of an image to one of the sums; it saturates.
  mutating func add(_ bytes: UInt64?, to sum: WritableKeyPath<ImageMeasures, UInt64?>) {
    guard let bytes else { return }
    self[keyPath: sum] = (self[keyPath: sum] ?? 0).saturatingAdd(bytes)
  }
}

extension SizeMeasures {
  /// Adds an error; the sum stays finite.
  mutating func add(error more: Double) { error = min(error + more, .greatestFiniteMagnitude) }
}

extension SnapshotMeasures {
  /// Returns the snapshots of both; counts saturate.
  func merged(with other: SnapshotMeasures) -> SnapshotMeasures {
    var sum = self
    sum.count += other.count
    sum.total += other.total
    sum.inserted = sum.inserted.saturatingAdd(other.inserted)
    sum.deleted = sum.deleted.saturatingAdd(other.deleted)
    sum.reconfigured = sum.reconfigured.saturatingAdd(other.reconfigured)
    sum.reloaded = sum.reloaded.saturatingAdd(other.reloaded)
    return sum
  }
}

/// The number and duration of similar occurrences.
public struct DurationStatistics: Codable, Equatable, Sendable {
  /// What occurred, or empty if the key names it.
  public package(set) var name: String
  /// The number of occurrences.
  public private(set) var count: Int
  /// The total duration; it saturates.
  public private(set) var total: TimeSpan
  private var longest = TimeSpan(nanoseconds: -1)
  /// The start of the longest occurrence, the earliest of equal ones, or `nil` if no start is known.
  package private(set) var worst: Timestamp?

  private enum CodingKeys: String, CodingKey { case name, count, total = "totalNs" }

  package init(name: String = "", count: Int = 0, total: TimeSpan = .zero) {
    self.name = name
    self.count = count
    self.total = total
  }

  mutating func add(_ length: TimeSpan) {
    count += 1
    total += length
  }

  mutating func add(_ length: TimeSpan, at start: Timestamp) {
    add(length)
    updateLongest(length, start)
  }

  mutating func merge(_ other: DurationStatistics) {
    count += other.count
    total += other.total
    if let worst = other.worst { updateLongest(other.longest, worst) }
  }

  private mutating func updateLongest(_ length: TimeSpan, _ start: Timestamp) {
    guard length > longest || (length == longest && worst.map { start < $0 } ?? true) else {
      return
    }
    (longest, worst) = (length, start)
  }
}
