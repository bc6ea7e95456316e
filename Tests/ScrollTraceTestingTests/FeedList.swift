import ReferenceListEngine
import ScrollTraceRecorder

/// The list that the guide's example tests: the reference engine, told what an app would scroll.
struct FeedList {
  private let clock = VirtualClock()
  /// Where images become bitmaps.
  var images = EnginePolicies.best.images

  /// Recorded under the list's own clock, so that the same run gives the same trace.
  var options: RecorderOptions { .virtual(clock.recorderClock) }

  /// Scrolls for some seconds, as somebody who reads, once the first images are displayed.
  ///
  /// An image that appears right before a drag makes the drag's first frame a hitch: the display is
  /// owed the next picture a refresh later (M-3).
  func scroll(seconds: Int64, _ recorder: TraceRecorder) {
    var feed = EngineConfiguration(content: ListContent(feedOf: 500, seed: 1))
    feed.policies = .best
    feed.policies.images = images
    var scenario = ScrollScript.reading(for: seconds * 1_000_000_000, seed: 1)
    scenario.steps.insert(.rest(400_000_000), at: 0)
    ListEngine(feed, clock: clock, recorder: recorder).run(scenario)
  }
}
