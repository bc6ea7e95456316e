package import ScrollTraceRecorder

/// The recordings in `SampleTraces`.
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
  package static func write(
    into directory: String, overwrites: Bool
  ) throws(RecorderError) {
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

  /// A feed that loads when a row is displayed, and leaves images to the main thread.
  private static let plainFeed = EngineConfiguration(
    content: ListContent(feedOf: 120, seed: 7))

  /// The same feed with data asked for ahead and images decoded in the background.
  private static var caringFeed: EngineConfiguration {
    var configuration = plainFeed
    configuration.policies.data = .ahead
    configuration.policies.images = .background
    return configuration
  }

  /// Movement from 150 ms to 3287 ms: 0.998 to the power of 2837 brings 3000 points a second down to
  /// 10. Refreshes 9 to 197 lie in it, that is 189 frames, and three frames bring data in before.
  static let feedSmooth = SampleTrace(
    name: "feed-smooth", configuration: caringFeed, script: flick, fate: .finished,
    expectation: SampleExpectation(
      frames: 192, presented: 192, deadlineMisses: 0, hitches: 0, hitchTime: 0,
      moving: 3137 * millisecond, ratio: 0, interactions: ["drag", "deceleration"], stalls: 0))

  /// Decoding takes 150 ns a byte: photos of more than about 95 kB do not fit into what a commit has
  /// left of 16.67 ms. Seven come up; two of them in one commit while the list still rests, and one of
  /// 224 kB costs two refreshes. Each late commit starts the next frame a refresh or two later: of the
  /// 189 refreshes in motion 6 have no frame, and two frames are at rest. The first frame of the drag
  /// begins 3 ns after it and is shown two refreshes later, as all are: what stood before is no hitch.
  static let feedCommitHitches = SampleTrace(
    name: "feed-commit-hitches", configuration: plainFeed, script: flick, fate: .finished,
    expectation: SampleExpectation(
      frames: 185, presented: 185, deadlineMisses: 6, hitches: 6, hitchTime: 6 * refresh,
      moving: 3137 * millisecond, ratio: 31.88, interactions: ["drag", "deceleration"], stalls: 5))

  /// The rate falls and rises, and the app says so: no hitch. The log is written from 1001 ms on and
  /// takes 21 ms, over the refresh at 1008 ms: one frame of 60 Hz is missing, and no commit is late.
  static let rateChange = SampleTrace(
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
      steps: [
        .rest(150 * millisecond), .drag(velocity: 300_000, for: 1700 * millisecond),
        .rest(100 * millisecond),
      ],
      errands: [Errand(at: 1001 * millisecond, "write log", cost: 21 * millisecond)]),
    fate: .finished,
    expectation: SampleExpectation(
      frames: 145, presented: 145, deadlineMisses: 0, hitches: 1, hitchTime: refresh,
      moving: 1700 * millisecond, ratio: 9.80, interactions: ["drag"], stalls: 0))

  /// The main thread stays in one span from 600 ms to 1000 ms. Refreshes 36 to 59 have no frame:
  /// the screen does not change for 24 refreshes too long. Of the 72 refreshes of the drag, 48 have
  /// frames; three frames are at rest.
  static let stallWithoutFrames = SampleTrace(
    name: "stall-without-frames", configuration: caringFeed,
    script: ScrollScript(
      steps: [
        .rest(150 * millisecond), .drag(velocity: 700_000, for: 1200 * millisecond),
        .rest(100 * millisecond),
      ],
      errands: [Errand(at: 600 * millisecond, "migrate database", cost: 400 * millisecond)]),
    fate: .finished,
    expectation: SampleExpectation(
      frames: 51, presented: 51, deadlineMisses: 0, hitches: 1, hitchTime: 24 * refresh,
      moving: 1200 * millisecond, ratio: 333.33, interactions: ["drag"], stalls: 1))

  /// Dies in the decoding of frame 60, which began at 1183.3 ms. Of the 59 frames before it the last
  /// was not on screen yet. Late are the first five of the six late commits of the feed; one of them was
  /// at rest. The last that was written is the start of the decoding, 6.606 ms into the frame, after the cell was configured again.
  static let killedMidScroll = SampleTrace(
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
  static let damaged = SampleTrace(
    name: "damaged", configuration: plainFeed, script: flick, fate: .damaged,
    expectation: SampleExpectation(
      frames: 141, presented: 137, deadlineMisses: 5, hitches: 5, hitchTime: 5 * refresh,
      moving: 160 * refresh + 1_102_000 - 150 * millisecond, ratio: 33.10,
      interactions: ["drag", "deceleration"], stalls: 4, losses: 4))
}
