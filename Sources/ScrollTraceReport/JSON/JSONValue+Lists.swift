import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONValue {
  /// What a list did with its cells, data and images.
  static func list(_ list: ListAnalysis) -> JSONValue {
    .object([
      ("name", .string(list.name)),
      ("cells", cells(list.cells)),
      (
        "data",
        .object([
          ("prefetches", .count(list.data.prefetches)), ("cancelled", .count(list.data.cancelled)),
          ("onTime", .count(list.data.onTime)), ("late", .count(list.data.late)),
          ("hitRate", .number(list.data.hitRate)), ("staleResults", .count(list.data.staleResults)),
          ("requestToDisplayNs", .percentiles(list.data.requestToDisplay)),
        ])
      ),
      ("images", images(list.images)),
      (
        "blank",
        list.blank.map { blank in
          .object([
            ("timeNs", .nanoseconds(blank.time)), ("ratioMsPerS", .number(blank.ratio)),
            ("motionNs", .nanoseconds(blank.motion)),
          ])
        } ?? .null
      ),
      ("snapshots", .array(list.snapshots.map(snapshot))),
      (
        "sizes",
        list.sizes.map { sizes in
          .object([
            ("estimated", .count(sizes.estimated)), ("corrected", .count(sizes.corrected)),
            ("meanError", .number(sizes.meanError)),
          ])
        } ?? .null
      ),
    ])
  }

  private static func cells(_ cells: CellMeasures) -> JSONValue {
    .object([
      ("prepared", .count(cells.prepared)), ("preparedAhead", .count(cells.preparedAhead)),
      ("reused", .count(cells.reused)), ("created", .count(cells.created)),
      ("reuseRate", .number(cells.reuseRate)), ("registrations", .count(cells.registrations)),
      ("registrationsWithoutReuse", .count(cells.registrationsWithoutReuse)),
      ("preparationNs", .percentiles(cells.preparation)),
      ("steps", .array(cells.steps.map(step))), ("kinds", .array(cells.kinds.map(step))),
      ("displayed", .count(cells.displayed)), ("redisplayed", .count(cells.redisplayed)),
      ("neverDisplayed", .count(cells.neverDisplayed)),
      ("leadTimeNs", leadTime(cells)), ("leadTimeAheadNs", .percentiles(cells.leadTimeAhead)),
      ("leadTimeOnDemandNs", .percentiles(cells.leadTimeOnDemand)),
    ])
  }

  /// Lead times are better if longer, so their low percentile comes with the others.
  private static func leadTime(_ cells: CellMeasures) -> JSONValue {
    guard case .object(let members) = percentiles(cells.leadTime) else { return .null }
    return .object([("p5", .nanoseconds(cells.leadTimeP5))] + members)
  }

  private static func images(_ images: ImageMeasures) -> JSONValue {
    .object([
      ("decodedOnMain", step(images.onMain)), ("decodedInCommits", step(images.inFrames)),
      ("decodedInBackground", step(images.inBackground)),
      ("placeholderNs", .percentiles(images.placeholders)),
      ("placeholderCount", .count(images.placeholders?.count ?? 0)),
      ("neverFinal", .count(images.neverFinal)),
      ("cacheHits", .count(images.cacheHits)), ("cacheMisses", .count(images.cacheMisses)),
      ("cacheHitRate", .number(images.hitRate)), ("evicted", .count(images.evicted)),
      ("decodedBytes", bytes(images.bytes.decoded)),
      ("cacheHitBytes", bytes(images.bytes.cacheHits)),
      ("cacheMissBytes", bytes(images.bytes.cacheMisses)),
      ("evictedBytes", bytes(images.bytes.evicted)),
      ("cacheHitRateByBytes", .number(images.bytes.hitRate)),
    ])
  }

  private static func bytes(_ count: UInt64?) -> JSONValue { count.map { .unsigned($0) } ?? .null }

  private static func snapshot(_ snapshot: SnapshotMeasures) -> JSONValue {
    .object([
      ("kind", .string(snapshot.kind)), ("count", .count(snapshot.time.count)),
      ("totalNs", .nanoseconds(snapshot.time.total)),
      ("inserted", .count(snapshot.inserted)), ("deleted", .count(snapshot.deleted)),
      ("reconfigured", .count(snapshot.reconfigured)), ("reloaded", .count(snapshot.reloaded)),
    ])
  }

  private static func step(_ step: DurationStatistics) -> JSONValue {
    .object([
      ("name", .string(step.name)), ("count", .count(step.count)),
      ("totalNs", .nanoseconds(step.total)),
    ])
  }
}
