/// The handle of a surface in `Trace.surfaces`.
public struct SurfaceID: Hashable, Comparable, Sendable {
  /// The position in `Trace.surfaces`.
  public let index: Int

  init(index: Int) {
    self.index = index
  }

  /// Whether `left` comes before `right`.
  public static func < (left: SurfaceID, right: SurfaceID) -> Bool { left.index < right.index }
}

/// What became of a frame.
public enum FrameOutcome: UInt8, Sendable {
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
public struct Frame: Hashable, Sendable {
  /// The source's number of the frame; counted per surface.
  public var id: UInt64
  /// The earliest instant at which the host could work on the frame.
  public var begin: Timestamp?
  /// When the host began its own work on it.
  public var commitStart: Timestamp?
  /// When the host was done with it.
  public var commitEnd: Timestamp?
  /// When the commit had to be done, as the source says; never worked out.
  public var deadline: Timestamp?
  /// When it should be on the glass, as the source says; never worked out.
  public var target: Timestamp?
  /// When it was on the glass.
  public var presented: Timestamp?
  /// The refresh interval that holds for this frame.
  public var interval: TimeSpan?
  /// What became of it.
  public var outcome: FrameOutcome
  /// The track that made the commit.
  public var track: TrackID?
  /// The source's own verdict on the frame, kept beside ours.
  public var sourceLabel: StringID?

  /// A frame of which nothing but its number is known.
  public init(id: UInt64) {
    self.id = id
    self.outcome = .unknown
  }

  /// The instant that places the frame in time: begin, else commit end, else presented (M-5).
  public var place: Timestamp? { begin ?? commitEnd ?? presented }
}

/// On what a surface is judged (M-2).
public enum Basis: String, Sendable, CaseIterable {
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
  /// Nothing can be judged.
  case none
}

/// A stream of frames: a display, window, layer or update stream.
public struct Surface: Sendable {
  /// The surface's name.
  public let name: String
  /// On what its frames are judged.
  public internal(set) var basis: Basis
  /// How exact the source's presentation times are (M-2): 0 exact, 1 ms display-link style.
  public var presentationTolerance: TimeSpan
  /// Whether the times of frames lie on the refresh grid, so that gaps are rounded (M-3).
  public var timesLieOnRefreshGrid: Bool
  /// Whether the source numbers the surface's frames one by one, so that a jump says some are lost.
  public var numbersEveryFrame: Bool
  /// The frames, ascending by `Frame.place`.
  public internal(set) var frames: FrameColumns
  /// The hitches that the source lists itself, ascending by begin; only for basis `hitchList`.
  public internal(set) var listedHitches: [ListedHitch]
}

/// A hitch that the source lists without the frames around it.
public struct ListedHitch: Hashable, Sendable {
  /// When it began.
  public let begin: Timestamp
  /// How long it lasted, never negative.
  public let length: TimeSpan
  /// The refresh interval that held; `nil` where the source does not say.
  public let interval: TimeSpan?
  /// The source's own verdict.
  public let sourceLabel: StringID?

  /// A hitch of `length` from `begin` on; negative lengths count as none.
  public init(
    begin: Timestamp, length: TimeSpan, interval: TimeSpan? = nil, sourceLabel: StringID? = nil
  ) {
    self.begin = begin
    self.length = max(.zero, length)
    self.interval = interval.flatMap { $0 > .zero ? $0 : nil }
    self.sourceLabel = sourceLabel
  }
}

/// Frames in columns; an instant that is unknown is stored as -1.
public struct FrameColumns: Sendable {
  var ids: [UInt64] = []
  var begins: [Int64] = []
  var commitStarts: [Int64] = []
  var commitEnds: [Int64] = []
  var deadlines: [Int64] = []
  var targets: [Int64] = []
  var presenteds: [Int64] = []
  var intervals: [Int64] = []
  var outcomes: [FrameOutcome] = []
  var tracks: [Int32] = []
  var sourceLabels: [UInt32] = []

  /// How many frames there are.
  public var count: Int { ids.count }

  /// The frame at `index`, as a value.
  public subscript(index: Int) -> Frame {
    var frame = Frame(id: ids[index])
    frame.begin = Timestamp(nanoseconds: begins[index])
    frame.commitStart = Timestamp(nanoseconds: commitStarts[index])
    frame.commitEnd = Timestamp(nanoseconds: commitEnds[index])
    frame.deadline = Timestamp(nanoseconds: deadlines[index])
    frame.target = Timestamp(nanoseconds: targets[index])
    frame.presented = Timestamp(nanoseconds: presenteds[index])
    frame.interval = intervals[index] > 0 ? TimeSpan(nanoseconds: intervals[index]) : nil
    frame.outcome = outcomes[index]
    frame.track = tracks[index] >= 0 ? TrackID(index: Int(tracks[index])) : nil
    frame.sourceLabel = sourceLabels[index] > 0 ? StringID(rawValue: sourceLabels[index]) : nil
    return frame
  }

  mutating func append(_ frame: Frame) {
    ids.append(frame.id)
    begins.append(frame.begin?.nanoseconds ?? -1)
    commitStarts.append(frame.commitStart?.nanoseconds ?? -1)
    commitEnds.append(frame.commitEnd?.nanoseconds ?? -1)
    deadlines.append(frame.deadline?.nanoseconds ?? -1)
    targets.append(frame.target?.nanoseconds ?? -1)
    presenteds.append(frame.presented?.nanoseconds ?? -1)
    intervals.append(frame.interval?.nanoseconds ?? 0)
    outcomes.append(frame.outcome)
    tracks.append(frame.track.map { Int32(truncatingIfNeeded: $0.index) } ?? -1)
    sourceLabels.append(frame.sourceLabel?.rawValue ?? 0)
  }
}
