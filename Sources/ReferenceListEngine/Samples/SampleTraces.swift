public import ScrollTraceRecorder

/// The recordings in `SampleTraces`.
public enum SampleTraces {
  /// All samples, in the order in which a newcomer should look at them.
  public static let all: [SampleTrace] = [
    feedSmooth, feedCommitHitches, rateChange, stallWithoutFrames, killedMidScroll, damaged,
  ]

  /// Makes all samples anew in `directory`, which exists.
  public static func write(into directory: String) throws(RecorderError) {
    for sample in all {
      let path = "\(directory)/\(sample.name).fxt"
      try SampleFile.write(sample.bytes(scratch: path + ".part"), to: path)
    }
  }

  private static let millisecond: Nanoseconds = 1_000_000

  /// A refresh at 60 Hz.
  private static let refresh: Nanoseconds = 16_666_667

  /// A drag, the run-out after it, and a look at what is there: the same scroll for both feeds.
  private static let flick = ScrollSession(steps: [
    .rest(50 * millisecond), .drag(velocity: 1_500_000, for: 400 * millisecond),
    .deceleration(velocity: 1_500_000), .rest(200 * millisecond),
  ])

  /// A feed that loads when a row comes into view, and leaves images to the main thread.
  private static let plainFeed = EngineConfiguration(
    content: ListContent(feedOf: 120, seed: 7))

  /// The same feed with data asked for ahead and images decoded in the background.
  private static var caringFeed: EngineConfiguration {
    var configuration = plainFeed
    configuration.rowsLoadedAhead = 10
    configuration.decodesInBackground = true
    return configuration
  }

  static let feedSmooth = SampleTrace(
    name: "feed-smooth", configuration: caringFeed, session: flick, fate: .finished,
    expectation: SampleExpectation(
      frames: 0, deadlineMisses: 0, hitches: 0, hitchTime: 0, moving: 0, ratio: 0,
      interactions: ["drag", "deceleration"], stalls: 0))

  static let feedCommitHitches = SampleTrace(
    name: "feed-commit-hitches", configuration: plainFeed, session: flick, fate: .finished,
    expectation: SampleExpectation(
      frames: 0, deadlineMisses: 0, hitches: 0, hitchTime: 0, moving: 0, ratio: 0,
      interactions: ["drag", "deceleration"], stalls: 0))

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
    session: ScrollSession(
      steps: [
        .rest(50 * millisecond), .drag(velocity: 300_000, for: 1700 * millisecond),
        .rest(100 * millisecond),
      ],
      errands: [Errand(at: 1001 * millisecond, "write log", cost: 21 * millisecond)]),
    fate: .finished,
    expectation: SampleExpectation(
      frames: 0, deadlineMisses: 0, hitches: 1, hitchTime: refresh, moving: 0, ratio: 0,
      interactions: ["drag"], stalls: 0))

  static let stallWithoutFrames = SampleTrace(
    name: "stall-without-frames", configuration: caringFeed,
    session: ScrollSession(
      steps: [
        .rest(50 * millisecond), .drag(velocity: 700_000, for: 1200 * millisecond),
        .rest(100 * millisecond),
      ],
      errands: [Errand(at: 600 * millisecond, "migrate database", cost: 400 * millisecond)]),
    fate: .finished,
    expectation: SampleExpectation(
      frames: 0, deadlineMisses: 0, hitches: 1, hitchTime: 24 * refresh, moving: 0, ratio: 0,
      interactions: ["drag"], stalls: 1))

  static let killedMidScroll = SampleTrace(
    name: "killed-mid-scroll", configuration: plainFeed, session: flick,
    fate: .killed(after: 900 * millisecond),
    expectation: SampleExpectation(
      frames: 0, deadlineMisses: 0, hitches: 0, hitchTime: 0, moving: 0, ratio: 0,
      interactions: ["drag", "deceleration"], stalls: 0))

  static let damaged = SampleTrace(
    name: "damaged", configuration: plainFeed, session: flick, fate: .damaged,
    expectation: SampleExpectation(
      frames: 0, deadlineMisses: 0, hitches: 0, hitchTime: 0, moving: 0, ratio: 0,
      interactions: ["drag", "deceleration"], stalls: 0))
}
