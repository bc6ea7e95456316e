public import ScrollTraceAnalysis
public import ScrollTraceModel

extension AnalysisResults {
  /// What a list did with its cells, data and images (M-14, M-15), in the whole recording.
  public struct List: Codable, Sendable {
    /// The name that the host gives the list, or an empty string.
    public let name: String
    /// The cells.
    public let cells: Cells
    /// The data.
    public let data: Data
    /// The images.
    public let images: Images
    /// The time with placeholders (M-27), or `nil` if unknown.
    public let blank: Blank?
    /// The applied snapshots, by kind.
    public let snapshots: [Snapshot]
    /// The estimated sizes, or `nil` if no cell has one.
    public let sizes: Sizes?

    init(_ list: ListAnalysis) {
      name = list.name
      cells = Cells(list.cells)
      data = Data(list.data)
      images = Images(list.images)
      blank = list.blank.map { Blank(time: $0.time, ratio: $0.ratio, motion: $0.motion) }
      snapshots = list.snapshots.map(Snapshot.init)
      sizes = list.sizes.map {
        Sizes(estimated: $0.estimated, corrected: $0.corrected, meanError: $0.meanError)
      }
    }
  }

  /// The life of a list's cells (M-14).
  public struct Cells: Codable, Sendable {
    /// The number of preparations of cells.
    public let prepared: Int
    /// The number of those that the host marked as ahead of need.
    public let preparedAhead: Int
    /// The number of those with a cell from the reuse pool.
    public let reused: Int
    /// The number of those with a new cell.
    public let created: Int
    /// The share of cells from the pool, 0 to 1, or `nil` if no preparation states it.
    public let reuseRate: Double?
    /// The number of registrations; 0 if none is named.
    public let registrations: Int
    /// The number of registrations of which no cell was reused.
    public let registrationsWithoutReuse: Int
    /// The duration of a preparation, or `nil` without any.
    public let preparation: Percentiles?
    /// The steps of the preparations, longest total first.
    public let steps: [DurationStatistics]
    /// The kinds of prepared cells, longest total first.
    public let kinds: [DurationStatistics]
    /// The number of times a cell was displayed.
    public let displayed: Int
    /// The number of those times without a preparation since the cell was displayed before.
    public let redisplayed: Int
    /// The number of preparations of cells that were never displayed.
    public let neverDisplayed: Int
    /// The time from the end of a preparation until the cell was displayed, or `nil` if unknown.
    public let leadTime: LeadTime?
    /// The lead time of cells marked as prepared ahead of need, or `nil` without any.
    public let leadTimeAhead: Percentiles?
    /// The lead time of the other cells, or `nil` without any.
    public let leadTimeOnDemand: Percentiles?

    private enum CodingKeys: String, CodingKey {
      case prepared, preparedAhead, reused, created, reuseRate, registrations
      case registrationsWithoutReuse, preparation = "preparationNs", steps, kinds, displayed
      case redisplayed, neverDisplayed, leadTime = "leadTimeNs", leadTimeAhead = "leadTimeAheadNs"
      case leadTimeOnDemand = "leadTimeOnDemandNs"
    }

    init(_ cells: CellMeasures) {
      prepared = cells.prepared
      preparedAhead = cells.preparedAhead
      reused = cells.reused
      created = cells.created
      reuseRate = cells.reuseRate
      registrations = cells.registrations
      registrationsWithoutReuse = cells.registrationsWithoutReuse
      preparation = cells.preparation
      steps = cells.steps
      kinds = cells.kinds
      displayed = cells.displayed
      redisplayed = cells.redisplayed
      neverDisplayed = cells.neverDisplayed
      leadTime = cells.leadTime.map {
        LeadTime(
          p5: cells.leadTimeP5, p50: $0.p50, p90: $0.p90, p95: $0.p95, p99: $0.p99, max: $0.max)
      }
      leadTimeAhead = cells.leadTimeAhead
      leadTimeOnDemand = cells.leadTimeOnDemand
    }
  }

  /// Percentiles of lead times (M-8), which are better if longer.
  public struct LeadTime: Codable, Sendable {
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
  }

  /// The data of a list (M-15).
  public struct Data: Codable, Sendable {
    /// The number of requests for items that were not needed yet.
    public let prefetches: Int
    /// The number of requests that were cancelled.
    public let cancelled: Int
    /// The number of requests whose data was ready when the item was displayed.
    public let onTime: Int
    /// The number of requests whose item was displayed before its data was ready.
    public let late: Int
    /// The share of requests on time, 0 to 1, or `nil` if no such item was displayed.
    public let hitRate: Double?
    /// The number of results for a cell that displayed another item by then.
    public let staleResults: Int
    /// The time from the request for an item until it was displayed, or `nil` if unknown.
    public let requestToDisplay: Percentiles?

    private enum CodingKeys: String, CodingKey {
      case prefetches, cancelled, onTime, late, hitRate, staleResults
      case requestToDisplay = "requestToDisplayNs"
    }

    init(_ data: DataMeasures) {
      prefetches = data.prefetches
      cancelled = data.cancelled
      onTime = data.onTime
      late = data.late
      hitRate = data.hitRate
      staleResults = data.staleResults
      requestToDisplay = data.requestToDisplay
    }
  }

  /// The images of a list (M-15). Sizes and their rate are `nil` unless the source says sizes.
  public struct Images: Codable, Sendable {
    /// The images decoded on the main thread.
    public let decodedOnMain: DurationStatistics
    /// The images decoded on the main thread inside a commit.
    public let decodedInCommits: DurationStatistics
    /// The images decoded on other threads.
    public let decodedInBackground: DurationStatistics
    /// The time for which a placeholder was displayed, or `nil` without any.
    public let placeholder: Percentiles?
    /// The number of those times.
    public let placeholderCount: Int
    /// The number of those whose content never came.
    public let neverFinal: Int
    /// The number of images found in the cache.
    public let cacheHits: Int
    /// The number of images not found in the cache.
    public let cacheMisses: Int
    /// The share of images found in the cache, 0 to 1, or `nil` if no lookup is known.
    public let cacheHitRate: Double?
    /// The number of images evicted from the cache.
    public let evicted: Int
    /// The bytes of decoded images.
    public let decodedBytes: UInt64?
    /// The bytes of images found in the cache.
    public let cacheHitBytes: UInt64?
    /// The bytes of images not found in the cache.
    public let cacheMissBytes: UInt64?
    /// The bytes of evicted images.
    public let evictedBytes: UInt64?
    /// The share of bytes found in the cache, 0 to 1.
    public let cacheHitRateByBytes: Double?

    private enum CodingKeys: String, CodingKey {
      case decodedOnMain, decodedInCommits, decodedInBackground, placeholder = "placeholderNs"
      case placeholderCount, neverFinal, cacheHits, cacheMisses, cacheHitRate, evicted
      case decodedBytes, cacheHitBytes, cacheMissBytes, evictedBytes, cacheHitRateByBytes
    }

    init(_ images: ImageMeasures) {
      decodedOnMain = images.onMain
      decodedInCommits = images.inFrames
      decodedInBackground = images.inBackground
      placeholder = images.placeholders
      placeholderCount = images.placeholders?.count ?? 0
      neverFinal = images.neverFinal
      cacheHits = images.cacheHits
      cacheMisses = images.cacheMisses
      cacheHitRate = images.hitRate
      evicted = images.evicted
      decodedBytes = images.bytes.decoded
      cacheHitBytes = images.bytes.cacheHits
      cacheMissBytes = images.bytes.cacheMisses
      evictedBytes = images.bytes.evicted
      cacheHitRateByBytes = images.bytes.hitRate
    }
  }

  /// The time in which cells displayed placeholders (M-27).
  public struct Blank: Codable, Sendable {
    /// The share of cells with a placeholder, summed over the refreshes in motion.
    public let time: TimeSpan
    /// That time per second of motion in ms/s, or `nil` without motion.
    public let ratio: Double?
    /// The measured time.
    public let motion: TimeSpan

    private enum CodingKeys: String, CodingKey {
      case time = "timeNs", ratio = "ratioMsPerS", motion = "motionNs"
    }
  }

  /// Snapshots of one kind (M-15).
  public struct Snapshot: Codable, Sendable {
    /// The way they were applied: `differences`, `reload`, or the host's word.
    public let kind: String
    /// The number of snapshots.
    public let count: Int
    /// Their total duration.
    public let total: TimeSpan
    /// The number of inserted items.
    public let inserted: Int
    /// The number of deleted items.
    public let deleted: Int
    /// The number of items that got new content in their cell.
    public let reconfigured: Int
    /// The number of items that got another cell.
    public let reloaded: Int

    private enum CodingKeys: String, CodingKey {
      case kind, count, total = "totalNs", inserted, deleted, reconfigured, reloaded
    }

    init(_ snapshot: SnapshotMeasures) {
      kind = snapshot.kind
      count = snapshot.time.count
      total = snapshot.time.total
      inserted = snapshot.inserted
      deleted = snapshot.deleted
      reconfigured = snapshot.reconfigured
      reloaded = snapshot.reloaded
    }
  }

  /// Sizes that a layout estimated (M-15).
  public struct Sizes: Codable, Sendable {
    /// The number of cells whose size was estimated first.
    public let estimated: Int
    /// The number of cells whose size differed from the estimate.
    public let corrected: Int
    /// The mean error in the host's unit.
    public let meanError: Double
  }
}
