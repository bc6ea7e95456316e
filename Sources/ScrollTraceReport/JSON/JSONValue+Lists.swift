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
          ("inTime", .count(list.data.onTime)), ("late", .count(list.data.late)),
          ("hitRate", .number(list.data.hitRate)), ("lateResults", .count(list.data.staleResults)),
        ])
      ),
      ("images", images(list.images)),
      ("snapshots", .array(list.snapshots.map(snapshot))),
      (
        "sizes",
        list.sizes.map { sizes in
          .object([
            ("guessed", .count(sizes.guessed)), ("corrected", .count(sizes.corrected)),
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
      ("preparation", .percentiles(cells.preparation)),
      ("steps", .array(cells.steps.map(step))), ("kinds", .array(cells.kinds.map(step))),
      ("shown", .count(cells.shown)), ("shownAgain", .count(cells.shownAgain)),
      ("neverShown", .count(cells.neverShown)),
      ("leadTime", .percentiles(cells.leadTime)),
      ("leadTimeP5Ns", .nanoseconds(cells.leadTimeP5)),
    ])
  }

  private static func images(_ images: ImageMeasures) -> JSONValue {
    .object([
      ("decodedOnMain", step(images.onMain)), ("decodedInCommits", step(images.inFrames)),
      ("decodedInBackground", step(images.inBackground)),
      ("placeholders", .percentiles(images.placeholders)),
      ("placeholderCount", .count(images.placeholders?.count ?? 0)),
      ("cacheHits", .count(images.cacheHits)), ("cacheMisses", .count(images.cacheMisses)),
      ("cacheHitRate", .number(images.hitRate)), ("evicted", .count(images.evicted)),
    ])
  }

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
