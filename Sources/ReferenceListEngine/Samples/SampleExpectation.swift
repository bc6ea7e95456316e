package import ScrollTraceRecorder

/// What an analysis has to find in a sample; worked out by hand from how the sample is made.
package struct SampleExpectation: Equatable, Sendable {
  /// Frames, also those that were never shown.
  package var frames: Int
  /// Frames that are known to have been on screen.
  package var presented: Int
  /// Commits that ended after their deadline.
  package var deadlineMisses: Int
  package var hitches: Int
  /// The hitch time inside the interactions.
  package var hitchTime: Nanoseconds
  package var moving: Nanoseconds
  /// The hitch time ratio in ms/s, to two decimals.
  package var ratio: Double
  /// The kinds of the interactions, in order.
  package var interactions: [String]
  /// How often the main thread stood inside one span across two refreshes.
  package var stalls: Int
  /// The spans that were open at the end, on the main thread, outermost first.
  package var openSpans: [String] = []
  /// How many causes of loss are named.
  package var losses = 0
}
