public import ScrollTraceModel

/// One frame looked at closely: what is known of it, and who worked while it was made.
public struct FrameDetail: Sendable {
  /// The name of its surface.
  public let surface: String
  /// The frame as the source knows it.
  public let frame: Frame
  /// How many frames of the surface have its number; this is the worst of them.
  public let sameNumberCount: Int
  /// The refresh interval that holds for it.
  public let interval: TimeSpan?
  /// Commit end minus deadline (M-1); negative is slack.
  public let overrun: TimeSpan?
  /// Whether the surface's basis could be applied to it (M-2).
  public let isJudged: Bool
  /// Whether it was late and no refresh was lost by it, which is latency, not hitch (M-2).
  public let isLateWithoutHitch: Bool
  /// Its hitch; `nil` where it was in time or nobody knows.
  public let hitch: Hitch?
  /// The source's own verdict.
  public let sourceLabel: String?
  /// The interactions it belongs to (M-5), ascending by begin.
  public let interactions: [Interaction]
  /// The states that belong to it (M-18), ascending by key.
  public let states: [AnalysisOptions.State]
  /// What filled its time (M-16); `nil` where there is no main track or no window.
  public let attribution: Attribution?
  /// The stretch that holds all its instants and the window of `attribution`; `nil` where the
  /// source tells no time of it.
  public let range: TimeRange?
  /// The work on the main track in `range`; `nil` where there is none.
  public let main: FrameTrack?
  /// The host's other tracks that worked in `range`, the busiest first.
  public let background: [FrameTrack]
}

/// What a track did in a stretch of time.
public struct FrameTrack: Sendable {
  /// The track's name; made of its number where it has none.
  public let name: String
  /// The length of the union of its spans in the stretch.
  public let busy: TimeSpan
  /// The work, ascending by begin.
  public let pieces: [FrameWork]
}

/// A piece of work on a track.
public struct FrameWork: Hashable, Sendable {
  /// From when to when; it may reach beyond the stretch that was looked at.
  public let range: TimeRange
  /// Category and name.
  public let label: LabelID
  /// The item that was worked on.
  public let item: ArgumentValue?
  /// In how many other pieces it lies; 0 for the outermost.
  public let depth: Int
}

/// Why a frame cannot be looked at.
public enum FrameProblem: Error, Hashable, Sendable {
  /// There are no frames: none in the trace, or none of the surface of this name.
  case noFrames(surface: String?)
  /// No frame of `surface` has this number; with the lowest, the highest and the nearest there is.
  case unknownFrame(
    UInt64, surface: String, count: Int, range: ClosedRange<UInt64>, nearest: UInt64)
}
