public import ScrollTraceRecorder

/// What an analysis has to find in a sample; worked out by hand from how the sample is made.
public struct SampleExpectation: Hashable, Sendable {
  /// Frames, also those that were never shown.
  public var frames: Int
  /// Frames that are known to have been on the glass.
  public var presented: Int
  /// Commits that ended after their deadline.
  public var deadlineMisses: Int
  /// Hitches.
  public var hitches: Int
  /// The hitch time inside the interactions.
  public var hitchTime: Nanoseconds
  /// The time of the interactions.
  public var moving: Nanoseconds
  /// The hitch time ratio in ms/s, to two places.
  public var ratio: Double
  /// The kinds of the interactions, in order.
  public var interactions: [String]
  /// How often the main thread stood inside one span across two refreshes.
  public var stalls: Int
  /// The spans that were open at the end, on the main thread, outermost first.
  public var openSpans: [String] = []
  /// How many causes of loss are named.
  public var losses = 0
}
