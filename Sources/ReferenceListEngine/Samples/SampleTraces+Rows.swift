internal import ScrollTraceRecorder

/// The samples that show one thing each.
extension SampleTraces {
  private static let millisecond: Nanoseconds = 1_000_000

  /// A feed with one loading thread, which keeps the files small.
  private static func feed(
    _ count: Int = 120, photos: Int = 50, _ change: (inout EngineConfiguration) -> Void
  ) -> EngineConfiguration {
    var configuration = EngineConfiguration(
      content: ListContent(feedOf: count, seed: 7, percentOfPhotos: photos))
    configuration.loaders = 1
    change(&configuration)
    return configuration
  }

  /// A slow drag down, a turn, and back.
  private static let downAndBack = ScrollScript(steps: [
    .rest(150 * millisecond), .drag(velocity: 900_000, for: 800 * millisecond),
    .drag(velocity: -900_000, for: 600 * millisecond), .rest(250 * millisecond),
  ])

  /// The science panel: one script under three policies.
  static let panel = SciencePanel.runs.map(\.sample)

  /// Cells are prepared one in each frame and stay for a while: on the way back they are shown again.
  static let cellsAhead = SampleTrace(
    name: "cells-ahead",
    configuration: feed(photos: 0) {
      $0.policies.cells = .oneAhead
      $0.cellsKept = 14
    }, script: downAndBack)

  /// A slow drag leaves spare time for cells, a fast one leaves none; when it turns round, some of the
  /// prepared cells are never shown.
  static let fastFling = SampleTrace(
    name: "fast-fling",
    configuration: feed(400, photos: 0) {
      $0.policies.cells = .idle
      $0.cellsKept = 4
      $0.fastScroll = 2_000_000
    },
    script: ScrollScript(steps: [
      .rest(150 * millisecond), .drag(velocity: 700_000, for: 500 * millisecond),
      .drag(velocity: -700_000, for: 300 * millisecond),
      .drag(velocity: 6_000_000, for: 400 * millisecond), .rest(150 * millisecond),
    ]))

  /// Data is asked for ahead in order; when the scroll turns round, what is not needed any more is
  /// cancelled.
  static let dataAhead = SampleTrace(
    name: "data-ahead-turn",
    configuration: feed {
      $0.policies.data = .ahead
      $0.policies.images = .background
      $0.linesLoadedAhead = 12
      $0.costs.latency = 60 * millisecond
    }, script: downAndBack)

  /// New items come in while somebody drags, and every cell is thrown away for them.
  static let snapshotReload = snapshots("snapshot-reload", .reload)
  /// The same, and only what is different changes.
  static let snapshotDifferences = snapshots("snapshot-differences", .differences)

  private static func snapshots(
    _ name: String, _ policy: EnginePolicies.Snapshots
  ) -> SampleTrace {
    SampleTrace(
      name: name, configuration: feed(photos: 0) { $0.policies.snapshots = policy },
      script: ScrollScript(
        steps: [
          .rest(150 * millisecond), .drag(velocity: 300_000, for: 1200 * millisecond),
          .rest(150 * millisecond),
        ],
        updates: [400, 700, 1000].map {
          ListUpdate(at: $0 * millisecond, .insert(2, at: 60))
        }))
  }

  /// A new registration for every cell: none is ever used again.
  static let registrationPerCell = SampleTrace(
    name: "registration-per-cell",
    configuration: feed(photos: 0) {
      $0.policies.registrations = .perCell
      $0.costs.create = 14 * millisecond
    },
    script: ScrollScript(steps: [
      .rest(150 * millisecond), .drag(velocity: 900_000, for: 900 * millisecond),
      .rest(150 * millisecond),
    ]))

  /// All items in view change again and again, and get a new cell each time.
  static let itemReload = changes("item-reload", .reload)
  /// The same, and the cells that are there get the new content.
  static let itemReconfigure = changes("item-reconfigure", .reconfigure)

  private static func changes(_ name: String, _ policy: EnginePolicies.Updates) -> SampleTrace {
    SampleTrace(
      name: name, configuration: feed(photos: 0) { $0.policies.updates = policy },
      script: ScrollScript(
        steps: [
          .rest(150 * millisecond), .drag(velocity: 200_000, for: 1200 * millisecond),
          .rest(150 * millisecond),
        ],
        updates: [300, 500, 700, 900, 1100].map {
          ListUpdate(at: $0 * millisecond, .change(9))
        }))
  }

  /// Results are written into the cell that asked for them, which by then shows another item.
  static let capturedCell = SampleTrace(
    name: "captured-cell",
    configuration: feed {
      $0.policies.updates = .captured
      $0.policies.images = .background
      $0.costs.latency = 600 * millisecond
      $0.loaders = 4
    },
    script: ScrollScript(steps: [
      .rest(400 * millisecond), .drag(velocity: 2_500_000, for: 700 * millisecond),
      .rest(700 * millisecond),
    ]))

  /// Images are read at the size at which they are shown, and few bitmaps fit into memory: on the way
  /// back some are still there.
  static let thumbnails = SampleTrace(
    name: "image-thumbnails",
    configuration: feed {
      $0.policies.data = .ahead
      $0.policies.images = .thumbnails
      $0.imageCacheBytes = 1 << 20
    }, script: downAndBack)

  /// Cells size themselves, and the layout guesses that all are equally high.
  static let sizesEstimate = sizes("sizes-estimate", .estimate(44_000))
  /// The same, and the layout guesses that they are as high as those before on average.
  static let sizesAverage = sizes("sizes-average", .runningAverage(first: 44_000))

  private static func sizes(_ name: String, _ sizing: Sizing) -> SampleTrace {
    SampleTrace(
      name: name,
      configuration: feed(photos: 0) {
        $0.sizing = sizing
        $0.policies = .best
      },
      script: ScrollScript(steps: [
        .rest(150 * millisecond), .drag(velocity: 800_000, for: 900 * millisecond),
        .rest(150 * millisecond),
      ]))
  }

  /// Everything a hand or a program can do to a list, each with a ratio of its own.
  static let interactions = SampleTrace(
    name: "interactions",
    configuration: feed(photos: 20) { $0.costs.readData = 2 * millisecond },
    script: ScrollScript(steps: [
      .rest(150 * millisecond), .refresh(for: 400 * millisecond), .rest(100 * millisecond),
      .drag(velocity: 1_200_000, for: 250 * millisecond), .deceleration(velocity: 300_000),
      .rest(100 * millisecond), .animation(distance: -600_000, for: 300 * millisecond),
      .rest(100 * millisecond), .paging(pages: 2, for: 600 * millisecond),
      .rest(100 * millisecond), .reorder(pages: 0, for: 400 * millisecond),
      .rest(100 * millisecond), .reorder(pages: 2, for: 700 * millisecond),
      .rest(150 * millisecond),
    ]))
}
