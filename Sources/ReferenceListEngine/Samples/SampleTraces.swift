package import ScrollTraceRecorder

package enum SampleTraces {
  /// All samples, in the order in which a newcomer should look at them.
  package static let all: [SampleTrace] =
    [feedSmooth, feedCommitHitches, rateChange, stallWithoutFrames, killedMidScroll, damaged]
    + panel + [
      cellsAhead, fastFling, dataAhead, snapshotReload, snapshotDifferences,
      registrationPerCell, itemReload, itemReconfigure, capturedCell, thumbnails, sizesEstimate,
      sizesAverage, interactions,
    ]

  /// Makes all samples anew in `directory`, which exists.
  ///
  /// - Parameters:
  ///   - directory: An existing folder.
  ///   - overwrites: Whether files with the names of the samples and another content are replaced.
  package static func write(into directory: String, overwrites: Bool) throws(RecorderError) {
    var files: [(path: String, bytes: [UInt8])] = []
    for sample in all {
      let path = "\(directory)/\(sample.name).fxt"
      files.append((path, try sample.bytes(scratch: path + ".part")))
    }
    files.append(("\(directory)/Foreign/lines.ndjson", Array(LineSamples.ndjson.utf8)))
    files.append(("\(directory)/Foreign/frames.csv", Array(LineSamples.csv.utf8)))
    if !overwrites {
      // Before the first one is written, so that the folder has all of them or none.
      for (path, bytes) in files { try SampleFile.checkUnused(path, by: bytes) }
    }
    SampleFile.makeFolder("\(directory)/Foreign")
    for (path, bytes) in files { try SampleFile.write(bytes, to: path) }
  }

  private static let millisecond: Nanoseconds = 1_000_000

  /// A refresh at 60 Hz.
  private static let refresh: Nanoseconds = 16_666_667

  /// A drag, the run-out after it, and a look at what is there: the same scroll for both feeds.
  private static let flick = ScrollScript(steps: [
    .rest(150 * millisecond), .drag(velocity: 3_000_000, for: 300 * millisecond),
    .deceleration(velocity: 3_000_000), .rest(200 * millisecond),
  ])

  /// A drag alone, with a rest before and after it.
  private static func drag(
    _ velocity: Millipoints, for time: Nanoseconds, rest: Nanoseconds = 150 * millisecond
  ) -> [ScrollStep] {
    [.rest(150 * millisecond), .drag(velocity: velocity, for: time), .rest(rest)]
  }

  /// A feed that loads when a row is displayed, and leaves images to the main thread.
  private static let plainFeed = EngineConfiguration(content: ListContent(feedOf: 120, seed: 7))

  /// The same feed with data asked for ahead and images decoded in the background.
  private static var caringFeed: EngineConfiguration {
    var configuration = plainFeed
    configuration.policies.data = .ahead
    configuration.policies.images = .background
    return configuration
  }

  /// Movement from 150 ms to 3287 ms: 0.998 to the power of 2837 brings 3000 points a second down to
  /// 10. Refreshes 9 to 197 lie in it, that is 189 frames, and three frames bring data in before.
  private static let feedSmooth = SampleTrace(
    name: "feed-smooth", configuration: caringFeed, script: flick, fate: .finished,
    expectation: SampleExpectation(
      frames: 192, presented: 192, deadlineMisses: 0, hitches: 0, hitchTime: 0,
      moving: 3137 * millisecond, ratio: 0, interactions: ["drag", "deceleration"], stalls: 0))

  /// Decoding takes 150 ns a byte: photos of more than about 95 kB do not fit into what a commit has
  /// left of 16.67 ms. Seven come up; two of them in one commit while the list still rests, and one of
  /// 224 kB costs two refreshes. Each late commit starts the next frame a refresh or two later: of the
  /// 189 refreshes in motion 6 have no frame, and two frames are at rest. The first frame of the drag
  /// begins 3 ns after it and is shown two refreshes later, as all are: what stood before is no hitch.
  private static let feedCommitHitches = SampleTrace(
    name: "feed-commit-hitches", configuration: plainFeed, script: flick, fate: .finished,
    expectation: SampleExpectation(
      frames: 185, presented: 185, deadlineMisses: 6, hitches: 6, hitchTime: 6 * refresh,
      moving: 3137 * millisecond, ratio: 31.88, interactions: ["drag", "deceleration"], stalls: 5))

  /// The rate falls and rises, and the app says so: no hitch. The log is written from 1001 ms on and
  /// takes 21 ms, over the refresh at 1008 ms: one frame of 60 Hz is missing, and no commit is late.
  private static let rateChange = SampleTrace(
    name: "rate-change",
    configuration: {
      var configuration = caringFeed
      configuration.rates = [
        .init(from: 0, hertz: 120), .init(from: 600 * millisecond, hertz: 60),
        .init(from: 1200 * millisecond, hertz: 80),
      ]
      return configuration
    }(),
    script: ScrollScript(
      steps: drag(300_000, for: 1700 * millisecond, rest: 100 * millisecond),
      errands: [Errand(at: 1001 * millisecond, "write log", cost: 21 * millisecond)]),
    fate: .finished,
    expectation: SampleExpectation(
      frames: 145, presented: 145, deadlineMisses: 0, hitches: 1, hitchTime: refresh,
      moving: 1700 * millisecond, ratio: 9.80, interactions: ["drag"], stalls: 0))

  /// The main thread stays in one span from 600 ms to 1000 ms. Refreshes 36 to 59 have no frame:
  /// the screen does not change for 24 refreshes too long. Of the 72 refreshes of the drag, 48 have
  /// frames; three frames are at rest.
  private static let stallWithoutFrames = SampleTrace(
    name: "stall-without-frames", configuration: caringFeed,
    script: ScrollScript(
      steps: drag(700_000, for: 1200 * millisecond, rest: 100 * millisecond),
      errands: [Errand(at: 600 * millisecond, "migrate database", cost: 400 * millisecond)]),
    fate: .finished,
    expectation: SampleExpectation(
      frames: 51, presented: 51, deadlineMisses: 0, hitches: 1, hitchTime: 24 * refresh,
      moving: 1200 * millisecond, ratio: 333.33, interactions: ["drag"], stalls: 1))

  /// Dies in the decoding of frame 60, which began at 1183.3 ms. Of the 59 frames before it the last
  /// was not on screen yet. Late are the first five of the six late commits of the feed; one of them was
  /// at rest. The last that was written is the start of the decoding, 6.606 ms into the frame, after the
  /// cell was configured again.
  private static let killedMidScroll = SampleTrace(
    name: "killed-mid-scroll", configuration: plainFeed, script: flick,
    fate: .killed(after: 1195 * millisecond),
    expectation: SampleExpectation(
      frames: 60, presented: 58, deadlineMisses: 5, hitches: 5, hitchTime: 5 * refresh,
      moving: 71 * refresh + 6_606_000 - 150 * millisecond, ratio: 80.13,
      interactions: ["drag", "deceleration"], stalls: 4,
      openSpans: ["display", "prepare", "decode"]))

  /// The hitches of the feed with what a bad disk leaves of them: a lost page took some frames
  /// and with them one of the six late commits, and the cut took all after 2683 ms. Where
  /// frames are lost, their numbers jump, so that the gap they leave is no hitch. The command ends
  /// with status 3.
  private static let damaged = SampleTrace(
    name: "damaged", configuration: plainFeed, script: flick, fate: .damaged,
    expectation: SampleExpectation(
      frames: 141, presented: 137, deadlineMisses: 5, hitches: 5, hitchTime: 5 * refresh,
      moving: 160 * refresh + 1_102_000 - 150 * millisecond, ratio: 33.10,
      interactions: ["drag", "deceleration"], stalls: 4, losses: 4))
}

/// The samples that show one thing each.
extension SampleTraces {
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
  private static let panel = SciencePanel.runs.map(\.sample)

  /// Cells are prepared one in each frame and stay for a while: on the way back they are shown again.
  private static let cellsAhead = SampleTrace(
    name: "cells-ahead",
    configuration: feed(photos: 0) {
      $0.policies.cells = .oneAhead
      $0.cellsKept = 14
    }, script: downAndBack)

  /// A slow drag leaves spare time for cells, a fast one leaves none; when it turns round, some of the
  /// prepared cells are never shown.
  private static let fastFling = SampleTrace(
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
  private static let dataAhead = SampleTrace(
    name: "data-ahead-turn",
    configuration: feed {
      $0.policies.data = .ahead
      $0.policies.images = .background
      $0.linesLoadedAhead = 12
      $0.costs.latency = 60 * millisecond
    }, script: downAndBack)

  /// New items come in while somebody drags, and every cell is thrown away for them.
  private static let snapshotReload = snapshots("snapshot-reload", .reload)
  /// The same, and only what is different changes.
  private static let snapshotDifferences = snapshots("snapshot-differences", .differences)

  private static func snapshots(_ name: String, _ policy: EnginePolicies.Snapshots) -> SampleTrace {
    SampleTrace(
      name: name, configuration: feed(photos: 0) { $0.policies.snapshots = policy },
      script: ScrollScript(
        steps: drag(300_000, for: 1200 * millisecond),
        updates: [400, 700, 1000].map { ListUpdate(at: $0 * millisecond, .insert(2, at: 60)) }))
  }

  /// A new registration for every cell: none is ever used again.
  private static let registrationPerCell = SampleTrace(
    name: "registration-per-cell",
    configuration: feed(photos: 0) {
      $0.policies.registrations = .perCell
      $0.costs.create = 14 * millisecond
    }, script: ScrollScript(steps: drag(900_000, for: 900 * millisecond)))

  /// All items in view change again and again, and get a new cell each time.
  private static let itemReload = changes("item-reload", .reload)
  /// The same, and the cells that are there get the new content.
  private static let itemReconfigure = changes("item-reconfigure", .reconfigure)

  private static func changes(_ name: String, _ policy: EnginePolicies.Updates) -> SampleTrace {
    SampleTrace(
      name: name, configuration: feed(photos: 0) { $0.policies.updates = policy },
      script: ScrollScript(
        steps: drag(200_000, for: 1200 * millisecond),
        updates: [300, 500, 700, 900, 1100].map { ListUpdate(at: $0 * millisecond, .change(9)) }))
  }

  /// Results are written into the cell that asked for them, which by then shows another item.
  private static let capturedCell = SampleTrace(
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
  private static let thumbnails = SampleTrace(
    name: "image-thumbnails",
    configuration: feed {
      $0.policies.data = .ahead
      $0.policies.images = .thumbnails
      $0.imageCacheBytes = 1 << 20
    }, script: downAndBack)

  /// Cells size themselves, and the layout guesses that all are equally high.
  private static let sizesEstimate = sizes("sizes-estimate", .estimate(44_000))
  /// The same, and the layout guesses that they are as high as those before on average.
  private static let sizesAverage = sizes("sizes-average", .runningAverage(first: 44_000))

  private static func sizes(_ name: String, _ sizing: Sizing) -> SampleTrace {
    SampleTrace(
      name: name,
      configuration: feed(photos: 0) {
        $0.sizing = sizing
        $0.policies = .best
      }, script: ScrollScript(steps: drag(800_000, for: 900 * millisecond)))
  }

  /// Everything a hand or a program can do to a list, each with a ratio of its own.
  private static let interactions = SampleTrace(
    name: "interactions", configuration: feed(photos: 20) { $0.costs.readData = 2 * millisecond },
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
