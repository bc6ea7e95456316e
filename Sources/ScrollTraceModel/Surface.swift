/// The handle of a surface in `Trace.surfaces`.
@usableFromInline package struct SurfaceID: Hashable, Comparable, Sendable {
  /// The position in `Trace.surfaces`.
  @usableFromInline package let index: Int

  init(index: Int) {
    self.index = index
  }

  @inlinable package static func < (left: SurfaceID, right: SurfaceID) -> Bool {
    left.index < right.index
  }
}

/// The basis on which a surface is evaluated (M-2).
public enum Basis: String, Codable, Sendable, CaseIterable {
  /// Targets and presentation times are known.
  case target
  /// Deadlines and commit ends are known.
  case deadline
  /// Only frame times are known.
  case cadence
  /// The source lists hitches, not frames.
  case hitchList
  /// Nothing can be evaluated.
  case none

  /// Creates the basis that the frames allow (M-2): the strongest that applies to any frame that
  /// was expected and not dropped.
  package init(of frames: some Sequence<Frame>) {
    var (hasTargets, hasDeadlines, hasTimes) = (false, false, false)
    for frame in frames where frame.outcome != .notRequested && frame.outcome != .dropped {
      if frame.target != nil, frame.presented != nil { hasTargets = true }
      if frame.deadline != nil, frame.commitEnd != nil { hasDeadlines = true }
      if frame.presented != nil || frame.start != nil { hasTimes = true }
    }
    self = hasTargets ? .target : hasDeadlines ? .deadline : hasTimes ? .cadence : .none
  }
}

/// A surface that presents frames: a display, window, layer or update stream.
public struct Surface: Sendable {
  /// The name, which no other surface of the trace has.
  public let name: String
  /// The basis on which its frames are evaluated.
  package internal(set) var basis = Basis.none
  /// The accuracy of the source's presentation times (M-2): 0 if exact, 1 ms for a display link.
  package var presentationTolerance = TimeSpan.zero
  /// Whether frame times lie on the refresh grid, so that gaps are
  /// rounded (M-3).
  package var timesLieOnRefreshGrid = false
  /// Whether the refresh intervals are estimated from the frames, so that another one that the user
  /// states takes precedence.
  package var derivesRefreshInterval = false
  /// Whether the source numbers the surface's frames consecutively, so
  /// that a gap in the numbers indicates lost frames.
  package var numbersEveryFrame = false
  /// Whether the frames are those that reached the screen, so that this
  /// surface is preferred as the primary surface.
  package var isDisplayStream = false
  /// The time from the first sign of the surface to the last, in which it is owed pictures, or `nil`
  /// if that is the whole recording.
  package var life: TimeRange?
  /// The time from the first sign of the surface or its process to the last, which
  /// `--always-moving` marks, or `nil` if that is the whole recording.
  package internal(set) var activity: TimeRange?
  /// The times of which the source has lost the frames, sorted, none touching.
  package var holes: [TimeRange] = []
  /// The frames, sorted by start or, without one, by the end of their commit or their presentation.
  public internal(set) var frames = FrameColumns()
  /// The reason why the frames are not judged although there are some: times that cannot be of one clock or
  /// in nanoseconds (M-2), or several recordings in one (M-24); or `nil`.
  package internal(set) var problem: String?
  /// The hitches that the source lists, sorted by start. Used only if the basis is `hitchList`.
  package internal(set) var listedHitches: [ListedHitch] = []
}

/// A hitch that the source lists without the frames around it.
package struct ListedHitch: Equatable, Sendable {
  package let start: Timestamp
  /// The hitch time, which is never negative.
  package let length: TimeSpan
  /// The refresh interval, or `nil` if the source does not report it.
  package let refreshInterval: TimeSpan?
  /// The source's own classification, or `nil` if there is none.
  package let sourceLabel: StringID?

  /// Creates a hitch. A negative length becomes 0.
  package init(
    start: Timestamp, length: TimeSpan, refreshInterval: TimeSpan? = nil,
    sourceLabel: StringID? = nil
  ) {
    self.start = start
    self.length = max(.zero, length)
    self.refreshInterval = refreshInterval.flatMap { $0 > .zero ? $0 : nil }
    self.sourceLabel = sourceLabel
  }
}
