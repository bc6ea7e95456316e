package import ScrollTraceModel

/// The details of a frame, with the work while it was made.
package struct FrameDetail: Sendable {
  package let surface: String
  /// The frame as the source reports it.
  package let frame: Frame
  /// The number of frames on the surface with this number. This is the worst of them.
  package let sameNumberCount: Int
  package let refreshInterval: TimeSpan?
  /// The commit end minus the deadline (M-1), negative for slack, or `nil` if unknown.
  package let overrun: TimeSpan?
  /// A Boolean value indicating whether the surface's basis applies to the frame (M-2).
  package let isEvaluated: Bool
  /// A Boolean value indicating whether the frame was late without a lost refresh, which is
  /// latency, not a hitch (M-2).
  package let isLateWithoutHitch: Bool
  /// The hitch, or `nil` if the frame was on time or this is unknown.
  package let hitch: Hitch?
  /// The source's own classification, or `nil` if there is none.
  package let sourceLabel: String?
  /// The interactions that the frame belongs to (M-5), sorted by start.
  package let interactions: [Interaction]
  /// The states that the frame belongs to (M-18), sorted by key.
  package let states: [AnalysisOptions.State]
  /// The attribution (M-16), or `nil` if there is no main track or no window.
  package let attribution: Attribution?
  /// The range of all times of the frame and the window of `attribution`, or `nil` if no time is
  /// known.
  package let range: TimeRange?
  /// The work on the main track in `range`, or `nil` if there is none.
  package let main: FrameTrack?
  /// What the scheduler did with the main thread in `range`, sorted by start (M-25); empty if unknown.
  package let mainStates: [FrameState]
  /// The host's other tracks with work in `range`, busiest first.
  package let background: [FrameTrack]
}

/// The work of a track in a range of time.
package struct FrameTrack: Sendable {
  /// The track's name, or one made from its number.
  package let name: String
  /// The length of the union of its spans in the range.
  package let busy: TimeSpan
  /// The spans, sorted by start.
  package let pieces: [FrameWork]
}

/// A slice of what the scheduler did with a thread.
package struct FrameState: Equatable, Sendable {
  package let range: TimeRange
  package let state: ThreadState
}

/// A span of work on a track.
package struct FrameWork: Equatable, Sendable {
  /// The range, which may extend beyond the examined one.
  package let range: TimeRange
  package let label: LabelID
  /// The item that the work is for, or `nil` if unknown.
  package let item: ArgumentValue?
  /// The number of spans around this one, 0 for the outermost.
  package let depth: Int

  package init(range: TimeRange, label: LabelID, item: ArgumentValue?, depth: Int) {
    (self.range, self.label, self.item, self.depth) = (range, label, item, depth)
  }
}

/// The reason why a frame cannot be reported.
package enum FrameProblem: Error, Equatable, Sendable {
  /// The trace, or the named surface, has no frames.
  case noFrames(surface: String?)
  /// No frame of `surface` has this number, with the lowest, the highest and the nearest existing
  /// ones.
  case unknownFrame(
    UInt64, surface: String, count: Int, range: ClosedRange<UInt64>, nearest: UInt64)
}
