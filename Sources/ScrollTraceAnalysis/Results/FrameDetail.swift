package import ScrollTraceModel

/// One frame looked at closely: what is known of it, and who worked while it was made.
package struct FrameDetail: Sendable {
  /// The name of its surface.
  package let surface: String
  /// The frame as the source knows it.
  package let frame: Frame
  /// How many frames of the surface have its number; this is the worst of them.
  package let sameNumberCount: Int
  /// The refresh interval that holds for it.
  package let refreshInterval: TimeSpan?
  /// Commit end minus deadline (M-1); negative is slack.
  package let overrun: TimeSpan?
  /// Whether the surface's basis could be applied to it (M-2).
  package let isEvaluated: Bool
  /// Whether it was late and no refresh was lost by it, which is latency, not hitch (M-2).
  package let isLateWithoutHitch: Bool
  /// Its hitch, or `nil` if it was in time or nobody knows.
  package let hitch: Hitch?
  /// The source's own verdict.
  package let sourceLabel: String?
  /// The interactions it belongs to (M-5), ascending by start.
  package let interactions: [Interaction]
  /// The states that belong to it (M-18), ascending by key.
  package let states: [AnalysisOptions.State]
  /// What filled its time (M-16), or `nil` if there is no main track or no window.
  package let attribution: Attribution?
  /// The range that holds all its instants and the window of `attribution`, or `nil` if the
  /// source tells no time of it.
  package let range: TimeRange?
  /// The work on the main track in `range`, or `nil` if there is none.
  package let main: FrameTrack?
  /// The host's other tracks that worked in `range`, the busiest first.
  package let background: [FrameTrack]
}

/// What a track did in a range of time.
package struct FrameTrack: Sendable {
  /// The track's name; made of its number where it has none.
  package let name: String
  /// The length of the union of its spans in the range.
  package let busy: TimeSpan
  /// The work, ascending by start.
  package let pieces: [FrameWork]
}

/// A piece of work on a track.
package struct FrameWork: Hashable, Sendable {
  /// From when to when; it may reach beyond the range that was looked at.
  package let range: TimeRange
  /// Category and name.
  package let label: LabelID
  /// The item that was worked on.
  package let item: ArgumentValue?
  /// In how many other pieces it lies; 0 for the outermost.
  package let depth: Int
}

/// Why a frame cannot be looked at.
package enum FrameProblem: Error, Hashable, Sendable {
  /// There are no frames: none in the trace, or none of the surface of this name.
  case noFrames(surface: String?)
  /// No frame of `surface` has this number; with the lowest, the highest and the nearest there is.
  case unknownFrame(
    UInt64, surface: String, count: Int, range: ClosedRange<UInt64>, nearest: UInt64)
}
