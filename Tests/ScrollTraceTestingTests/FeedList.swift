import ReferenceListEngine
import ScrollTraceRecorder

/// The list that the guide's example tests: the reference engine, told what an app would scroll.
struct FeedList {
  private let clock = VirtualClock()
  /// Where images become bitmaps.
  var images = EnginePolicies.best.images

  /// Recorded under the list's own clock, so that the same run gives the same trace.
  var options: RecorderOptions { .virtual(clock.recorderClock) }

  /// Scrolls for some seconds, as somebody who reads.
  func scroll(seconds: Int64, _ recorder: TraceRecorder) {
    var feed = EngineConfiguration(content: ListContent(feedOf: 500, seed: 1))
    feed.policies = .best
    feed.policies.images = images
    ListEngine(feed, clock: clock, recorder: recorder)
      .run(.reading(for: seconds * 1_000_000_000, seed: 1))
  }
}
