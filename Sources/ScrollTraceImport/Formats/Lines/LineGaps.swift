import ScrollTraceModel

/// The lines that could not be read and may have been frames.
struct LostLines {
  private(set) var frames: UInt64 = 0
  /// The number of those that name a frame, or nothing that is known.
  private(set) var all: UInt64 = 0

  /// Counts a line as far as it could be read: the rest of it may be missing.
  mutating func add(_ row: borrowing LineRow) {
    let others =
      LineKey.kinds & ~LineKey.frame.bit | LineKey.threadTime.bit | LineKey.threadState.bit
    // Of a row of values that could not be read to its end, the kind is known by its own column.
    let kind = row.text(.kind).flatMap(LineKey.init(name:))
    if kind ?? .frame == .frame, kind != nil || row.has(.frame) {
      frames &+= 1
    } else if kind != nil || row.present & others != 0 {
      return
    }
    all &+= 1
  }
}

/// The search for the times of which a surface's frames are missing (M-3).
///
/// Where a line was lost, a jump in the numbers of the frames around it is a hole. Frames without numbers have
/// one if the line names a frame. Elsewhere a host may leave out numbers: no hole is there.
struct LineGaps {
  private struct Known {
    let time: Timestamp
    /// The frame's number, or `nil` if its line has none.
    let number: UInt64?
  }

  /// The number of frames before and after a lost line, in the order of the lines, among which its number
  /// belongs: frames that are in progress together may end in another order.
  private static let reach = 4

  /// The lines lost before the last frame.
  private var seen: LostLines
  /// The frames around the latest lost lines, or the last ones.
  private var frames: [Known] = []
  /// The number of those before the latest lost line, or `nil` if none was lost near them.
  private var countBefore: Int?

  /// Creates the search for a surface whose first frame follows `lost`.
  init(after lost: LostLines) { seen = lost }

  /// Adds a surface's next frame, before which `lost` were lost in all.
  mutating func add(
    _ frame: Frame, isNumbered: Bool, of surface: SurfaceID, lost: LostLines,
    to builder: inout TraceBuilder
  ) {
    guard let time = frame.time else { return }
    let known = Known(time: time, number: isNumbered ? frame.id : nil)
    if seen.all != lost.all {
      if seen.frames != lost.frames { addHole(before: known, of: surface, to: &builder) }
      if countBefore == nil { keepLastFrames() }
      countBefore = frames.count
      seen = lost
    }
    frames.append(known)
    if let countBefore {
      if frames.count - countBefore >= Self.reach { settle(surface, in: &builder) }
    } else if frames.count >= 4 * Self.reach {
      keepLastFrames()
    }
  }

  private mutating func keepLastFrames() {
    frames.removeFirst(max(0, frames.count - Self.reach))
  }

  /// Adds what is missing at the end of the lines.
  ///
  /// - Parameter isEndLost: Whether lines that name a frame were lost after the last frame.
  mutating func finish(_ surface: SurfaceID, isEndLost: Bool, in builder: inout TraceBuilder) {
    settle(surface, in: &builder)
    if isEndLost, let last = frames.map(\.time).max() {
      builder.addHole(from: last, framesOf: surface)
    }
  }

  /// Adds a hole between two frames that do not both have numbers. What was lost before the first one may have
  /// been shown before the recording began.
  private func addHole(
    before next: Known, of surface: SurfaceID, to builder: inout TraceBuilder
  ) {
    guard let last = frames.last else { return }
    guard last.number == nil || next.number == nil else { return }
    builder.addHole(
      from: min(last.time, next.time), to: max(last.time, next.time), framesOf: surface)
  }

  /// Adds a hole for each jump in the numbers of the frames around lost lines.
  private mutating func settle(_ surface: SurfaceID, in builder: inout TraceBuilder) {
    guard countBefore != nil else { return }
    var last: (number: UInt64, time: Timestamp)?
    // A later line may only say more of an earlier frame.
    for frame in frames.sorted(by: { ($0.time, $0.number ?? 0) < ($1.time, $1.number ?? 0) }) {
      guard let number = frame.number else { continue }
      if let last {
        guard number > last.number else { continue }
        if number - last.number > 1 {
          builder.addHole(from: last.time, to: frame.time, framesOf: surface)
        }
      }
      last = (number, frame.time)
    }
    keepLastFrames()
    countBefore = nil
  }
}
