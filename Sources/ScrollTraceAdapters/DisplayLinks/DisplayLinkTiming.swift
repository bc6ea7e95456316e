public import ScrollTraceRecorder

/// What follows from the calls of a display link about the frames of an app.
///
/// A frame begins at the timestamp of its call and is due at the target of the same call, never at
/// one of a later call: where the refresh rate changes, the next interval is another. Each frame has
/// its own interval, from timestamp to target.
public struct DisplayLinkTiming: FrameSource {
  /// How the frames are evaluated.
  public enum Rule: Sendable {
    /// The host says when its commit ends: the target of the call is the deadline of the commit.
    ///
    /// A refresh without a call, since the main thread was busy with something else, is told from the
    /// gap between two frames of an interaction.
    case commits

    /// Nobody says when commits end: a frame counts as shown when the next call says that the last
    /// frame was, its target is that of its own call.
    ///
    /// Everything that keeps the main thread from being called is attributed to the frame before it.
    case calls
  }

  /// How exact a link's times are where frames are evaluated by calls: one millisecond.
  public static var tolerance: Int64 { 1_000_000 }

  /// How the frames are evaluated.
  public let rule: Rule
  /// When the frame before the last tick counts as shown; only by the rule `calls`.
  public private(set) var shown: Int64?
  /// The last call.
  private var last: LinkTimes?

  /// A link that has not called yet.
  public init(_ rule: Rule) {
    self.rule = rule
  }

  /// The frame that a call is for, or `nil` if it is for none, as when it comes a second time.
  public mutating func tick(_ times: LinkTimes) -> FrameTiming? {
    let (interval, overflow) = times.target.subtractingReportingOverflow(times.timestamp)
    guard !overflow, interval > 0, last.map({ times.timestamp > $0.timestamp }) ?? true else {
      return nil
    }
    shown = rule == .calls && last != nil ? times.timestamp : nil
    last = times
    return FrameTiming(
      start: times.timestamp, deadline: rule == .commits ? times.target : nil,
      target: rule == .calls ? times.target : nil, refreshInterval: interval)
  }

  /// Says that the link is paused: what it says next has nothing to do with what it said last.
  public mutating func pause() {
    last = nil
    shown = nil
  }
}
