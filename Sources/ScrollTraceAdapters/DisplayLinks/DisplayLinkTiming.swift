public import ScrollTraceRecorder

/// The frame timing that follows from the calls of a display link.
///
/// A frame starts at the timestamp of its call, and its target is that of the same call, never of a
/// later one. Each frame has its own refresh interval, from timestamp to target, because the
/// refresh rate can change.
public struct DisplayLinkTiming: FrameSource {
  /// A rule for evaluating the frames.
  public enum Rule: Sendable {
    /// The host reports when its commit ends. The target of the call is the deadline of the commit.
    ///
    /// A refresh without a call, because the main thread was busy, appears as a gap between two
    /// frames of an interaction.
    case commits

    /// The end of a commit is unknown. A frame counts as presented at the time that the next call
    /// reports for the last frame, and its target is that of its own call.
    ///
    /// Everything that delays a call on the main thread is attributed to the previous frame.
    case calls
  }

  /// The accuracy of a link's times if frames are evaluated by calls: one millisecond.
  public static var tolerance: RecorderTime { .milliseconds(1) }

  /// The rule for evaluating the frames.
  public let rule: Rule
  /// The presentation time of the frame before the last call, with the rule `calls`, or `nil`.
  public private(set) var previousPresented: RecorderTime?
  private var last: LinkTimes?

  /// Creates the timing of a link that has not called yet.
  public init(_ rule: Rule) { self.rule = rule }

  /// Returns the frame that a call is for, or `nil` if there is none, such as for a repeated call.
  public mutating func tick(_ times: LinkTimes) -> FrameTiming? {
    let interval = times.target - times.timestamp
    guard interval > .zero, last.map({ times.timestamp > $0.timestamp }) ?? true else { return nil }
    previousPresented = rule == .calls && last != nil ? times.timestamp : nil
    last = times
    return FrameTiming(
      start: times.timestamp, deadline: rule == .commits ? times.target : nil,
      target: rule == .calls ? times.target : nil, refreshInterval: interval)
  }

  /// Pauses the link: its next call is unrelated to the last one.
  public mutating func pause() {
    last = nil
    previousPresented = nil
  }
}
