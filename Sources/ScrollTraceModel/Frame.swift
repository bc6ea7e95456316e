/// The handle of a surface in `Trace.surfaces`.
@usableFromInline package struct SurfaceID: Hashable, Comparable, Sendable {
  /// The position in `Trace.surfaces`.
  @usableFromInline package let index: Int

  init(index: Int) {
    self.index = index
  }

  /// Whether `left` comes before `right`.
  @inlinable package static func < (left: SurfaceID, right: SurfaceID) -> Bool {
    left.index < right.index
  }
}

/// What became of a frame.
@usableFromInline package enum FrameOutcome: UInt8, Sendable {
  /// The source does not say.
  case unknown
  /// It was shown.
  case presented
  /// It was never shown.
  case dropped
  /// Nothing had to change, so no frame was owed at this refresh.
  case notRequested
}

/// One display update, as far as the source knows it; what it does not know is `nil`.
///
/// Analyses copy frames a lot, so they are stored small: an instant that is unknown as -1.
package struct Frame: Hashable, Sendable {
  /// The source's number of the frame; counted per surface.
  package var id: UInt64
  @usableFromInline var rawBegin: Int64 = -1
  @usableFromInline var rawCommitStart: Int64 = -1
  @usableFromInline var rawCommitEnd: Int64 = -1
  @usableFromInline var rawDeadline: Int64 = -1
  @usableFromInline var rawTarget: Int64 = -1
  @usableFromInline var rawPresented: Int64 = -1
  /// `Int64.min` where it is unknown.
  @usableFromInline var rawInterval = Int64.min
  /// -1 where it is unknown.
  private var rawTrack: Int32 = -1
  /// The empty name where there is none.
  private var rawSourceLabel: UInt32 = 0
  /// What became of it.
  package var outcome: FrameOutcome
  /// Whether the source itself says that it reached the screen in time, even if not when (M-2).
  package var wasOnTime = false

  /// A frame of which nothing but its number is known.
  package init(id: UInt64) {
    self.id = id
    self.outcome = .unknown
  }

  /// The earliest instant at which the host could work on the frame.
  @inlinable @inline(__always) package var start: Timestamp? {
    get { Timestamp(nanoseconds: rawBegin) }
    set { rawBegin = newValue?.nanoseconds ?? -1 }
  }

  /// When the host began its own work on it.
  @inlinable @inline(__always) package var commitStart: Timestamp? {
    get { Timestamp(nanoseconds: rawCommitStart) }
    set { rawCommitStart = newValue?.nanoseconds ?? -1 }
  }

  /// When the host was done with it.
  @inlinable @inline(__always) package var commitEnd: Timestamp? {
    get { Timestamp(nanoseconds: rawCommitEnd) }
    set { rawCommitEnd = newValue?.nanoseconds ?? -1 }
  }

  /// When the commit had to be done, as the source says; never worked out.
  @inlinable @inline(__always) package var deadline: Timestamp? {
    get { Timestamp(nanoseconds: rawDeadline) }
    set { rawDeadline = newValue?.nanoseconds ?? -1 }
  }

  /// When it should be on screen, as the source says; never worked out.
  @inlinable @inline(__always) package var target: Timestamp? {
    get { Timestamp(nanoseconds: rawTarget) }
    set { rawTarget = newValue?.nanoseconds ?? -1 }
  }

  /// When it was on screen.
  @inlinable @inline(__always) package var presented: Timestamp? {
    get { Timestamp(nanoseconds: rawPresented) }
    set { rawPresented = newValue?.nanoseconds ?? -1 }
  }

  /// The refresh interval that holds for this frame.
  @inlinable @inline(__always) package var refreshInterval: TimeSpan? {
    get { rawInterval == Int64.min ? nil : TimeSpan(nanoseconds: rawInterval) }
    set { rawInterval = newValue?.nanoseconds ?? Int64.min }
  }

  /// The track that made the commit.
  package var track: TrackID? {
    get { rawTrack >= 0 ? TrackID(index: Int(rawTrack)) : nil }
    set { rawTrack = newValue.map { Int32(truncatingIfNeeded: $0.index) } ?? -1 }
  }

  /// The source's own verdict on the frame, kept beside ours.
  package var sourceLabel: StringID? {
    get { rawSourceLabel > 0 ? StringID(rawValue: rawSourceLabel) : nil }
    set { rawSourceLabel = newValue?.rawValue ?? 0 }
  }

  /// The instant that places the frame in time: begin, else commit end, else presented (M-5).
  package var place: Timestamp? { start ?? commitEnd ?? presented }
}

/// On what a surface is evaluated (M-2).
@usableFromInline package enum Basis: String, Sendable, CaseIterable {
  /// Target and presented times are known.
  case target
  /// Deadlines and commit ends are known.
  case deadline
  /// Only the times of the frames are known.
  case cadence
  /// The source lists the hitches, not the frames.
  case hitchList
  /// Only sums or ratios are known.
  case aggregate
  /// Nothing can be evaluated.
  case none
}

/// A stream of frames: a display, window, layer or update stream.
public struct Surface: Sendable {
  /// The surface's name.
  package let name: String
  /// On what its frames are evaluated.
  package internal(set) var basis: Basis
  /// How exact the source's presentation times are (M-2): 0 exact, 1 ms display-link style.
  package var presentationTolerance: TimeSpan
  /// Whether the times of frames lie on the refresh grid, so that gaps are rounded (M-3).
  package var timesLieOnRefreshGrid: Bool
  /// Whether the source numbers the surface's frames one by one, so that a jump says some are lost.
  package var numbersEveryFrame: Bool
  /// A Boolean value indicating whether the frames are what reached the screen, so that this surface
  /// is preferred as the primary one.
  package var isDisplayStream: Bool
  /// The frames, ascending by `Frame.place`.
  package internal(set) var frames: FrameColumns
  /// The hitches that the source lists itself, ascending by start; only for basis `hitchList`.
  package internal(set) var listedHitches: [ListedHitch]

  /// The surface with other frames, ascending by `Frame.place`, that are evaluated as its own are.
  package func replacing(_ frames: [Frame]) -> Surface {
    var copy = self
    copy.frames.frames = frames
    return copy
  }
}

/// A hitch that the source lists without the frames around it.
package struct ListedHitch: Hashable, Sendable {
  /// When it began.
  package let start: Timestamp
  /// How long it lasted, never negative.
  package let length: TimeSpan
  /// The refresh interval that held, or `nil` if the source does not say.
  package let refreshInterval: TimeSpan?
  /// The source's own verdict.
  package let sourceLabel: StringID?

  /// A hitch of `length` from `begin` on; negative lengths count as none.
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

/// The frames of a surface, in order.
package struct FrameColumns: Sendable {
  var frames: [Frame] = []

  /// How many frames there are.
  package var count: Int { frames.count }

  /// The frame at `index`, as a value.
  package subscript(index: Int) -> Frame { frames[index] }
}
