/// A surface whose frames are being collected.
struct SurfaceDraft {
  let name: String
  var basis: Basis?
  var tolerance = TimeSpan.zero
  var liesOnGrid = false
  var numbersEveryFrame = false
  var isDisplayStream = false
  var life: TimeRange?
  var holes: [TimeRange] = []
  var frames: [Frame] = []
  var repeated = 0
  var listedHitches: [ListedHitch] = []
  /// The last frame of each number, if the frames are not numbered consecutively.
  private var indexes: [UInt64: Int]?
  /// The number of the last frame that was removed, or `nil`.
  private var lastForgotten: UInt64?

  init(name: String) { self.name = name }

  /// The position of the last frame with the number `id`, or `nil` if there is none.
  func index(of id: UInt64) -> Int? {
    if let indexes { return indexes[id] }
    guard let first = frames.first, id &- first.id < UInt64(frames.count) else { return nil }
    return Int(id &- first.id)
  }

  /// Removes all frames.
  mutating func removeFrames() {
    frames = []
    indexes = nil
  }

  /// Adds a frame at the end.
  mutating func append(_ frame: Frame) {
    if indexes == nil, let first = frames.first, frame.id &- first.id != UInt64(frames.count) {
      indexes = Dictionary(
        uniqueKeysWithValues: frames.enumerated().map { ($0.element.id, $0.offset) })
    }
    indexes?[frame.id] = frames.count
    // Room costs no memory until it is used, but each smaller array did.
    if frames.count == frames.capacity { frames.reserveCapacity(max(16, frames.count * 4)) }
    frames.append(frame)
  }

  /// Removes the frames before `time`, up to the first that is not.
  mutating func forget(before time: Timestamp, keepingLast count: Int) {
    let most = max(0, frames.count - count)
    let first = frames[..<most].firstIndex { $0.place.map { $0 >= time } ?? true } ?? most
    guard first > 0 else { return }
    lastForgotten = max(lastForgotten ?? 0, frames[first - 1].id)
    frames.removeFirst(first)
    guard indexes != nil else { return }
    indexes = Dictionary(
      frames.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { $1 })
  }

  /// Returns whether `update` contains only the outcome of a frame that has been removed.
  func isTooLate(_ update: Frame) -> Bool {
    guard let lastForgotten, update.id <= lastForgotten else { return false }
    return update.start == nil && update.commitEnd == nil
  }
}

extension TraceBuilder {
  /// The maximum number of surfaces. All others are combined into `overflowSurface`.
  ///
  /// Each surface is evaluated against all interactions, so their product must be limited.
  package static var maximumSurfaceCount: Int { 64 }

  /// The name of the surface for all those beyond the limit.
  package static var overflowSurface: String { "(too many surfaces)" }

  /// Returns the surface with a name, adding it if it is new.
  package mutating func surface(_ name: String) -> SurfaceID {
    if let id = surfaceIDs[name] { return id }
    if surfaces.count >= Self.maximumSurfaceCount, name != Self.overflowSurface {
      countLoss(.limitReached)
      let id = surface(Self.overflowSurface)
      surfaceIDs[name] = id
      return id
    }
    let id = SurfaceID(index: surfaces.count)
    surfaces.append(SurfaceDraft(name: name))
    surfaceIDs[name] = id
    return id
  }

  /// Sets the accuracy of a surface's presentation times (M-2), which are exact by default.
  package mutating func setPresentationTolerance(_ tolerance: TimeSpan, of surface: SurfaceID) {
    surfaces[surface.index].tolerance = max(.zero, tolerance)
  }

  /// Marks the times of a surface's frames as lying on the refresh grid (M-3).
  package mutating func setOnRefreshGrid(_ surface: SurfaceID) {
    surfaces[surface.index].liesOnGrid = true
  }

  /// Marks a surface's frames as numbered consecutively by the source.
  package mutating func setNumbersEveryFrame(_ surface: SurfaceID) {
    surfaces[surface.index].numbersEveryFrame = true
  }

  /// Marks a surface's frames as those that reached the screen, whichever process made them.
  package mutating func setDisplayStream(_ surface: SurfaceID) {
    surfaces[surface.index].isDisplayStream = true
  }

  /// Sets the time from the first sign of a surface to the last.
  package mutating func setLife(_ life: TimeRange, of surface: SurfaceID) {
    surfaces[surface.index].life = life
  }

  /// Sets the basis on which a surface is evaluated. By default, it follows from its frames.
  package mutating func setBasis(_ basis: Basis, of surface: SurfaceID) {
    surfaces[surface.index].basis = basis
  }

  /// Adds the content of a record to the frame `update.id`.
  ///
  /// The records of a frame may be in any order. A record that contradicts the known frame with
  /// that number starts another frame of the same number, and the repetition is reported.
  package mutating func updateFrame(_ update: Frame, of surface: SurfaceID) {
    if let begin = update.start { extend(begin.nanoseconds) }
    if let start = update.commitStart { extend(start.nanoseconds) }
    if let end = update.commitEnd { extend(end.nanoseconds) }
    if let presented = update.presented { extend(presented.nanoseconds) }
    if let start = update.commitStart, let end = update.commitEnd, end < start {
      return countLoss(.endBeforeBegin)
    }
    let draft = surface.index
    if let index = surfaces[draft].index(of: update.id) {
      if surfaces[draft].frames[index].merge(update) { return }
      surfaces[draft].repeated += 1
    } else if surfaces[draft].isTooLate(update) {
      return
    }
    surfaces[draft].append(update)
  }

  /// Adds a complete frame, even if its number exists.
  package mutating func addFrame(_ frame: Frame, of surface: SurfaceID) {
    for time in [frame.start, frame.commitStart, frame.commitEnd, frame.presented] {
      if let time { extend(time.nanoseconds) }
    }
    if let start = frame.commitStart, let end = frame.commitEnd, end < start {
      return countLoss(.endBeforeBegin)
    }
    surfaces[surface.index].append(frame)
  }

  /// Adds a hitch that the source lists. The surface's basis becomes `hitchList`.
  package mutating func addListedHitch(_ hitch: ListedHitch, of surface: SurfaceID) {
    extend(hitch.start.nanoseconds)
    extend((hitch.start + hitch.length).nanoseconds)
    surfaces[surface.index].basis = .hitchList
    surfaces[surface.index].listedHitches.append(hitch)
  }

  /// The number of frames of `surface` so far.
  package func frameCount(of surface: SurfaceID) -> Int { surfaces[surface.index].frames.count }
}

extension Frame {
  /// Merges the known values of `other`, or returns `false` without a change if the two contradict.
  mutating func merge(_ other: Frame) -> Bool {
    let sameOutcome = outcome == .unknown || other.outcome == .unknown || outcome == other.outcome
    guard
      Self.agree(rawBegin, other.rawBegin), Self.agree(rawCommitStart, other.rawCommitStart),
      Self.agree(rawCommitEnd, other.rawCommitEnd), Self.agree(rawDeadline, other.rawDeadline),
      Self.agree(rawTarget, other.rawTarget), Self.agree(rawPresented, other.rawPresented),
      sameOutcome
    else { return false }
    // An unknown value is less than all known ones.
    rawBegin = max(rawBegin, other.rawBegin)
    rawCommitStart = max(rawCommitStart, other.rawCommitStart)
    rawCommitEnd = max(rawCommitEnd, other.rawCommitEnd)
    rawDeadline = max(rawDeadline, other.rawDeadline)
    rawTarget = max(rawTarget, other.rawTarget)
    rawPresented = max(rawPresented, other.rawPresented)
    refreshInterval = refreshInterval ?? other.refreshInterval
    outcome = outcome == .unknown ? other.outcome : outcome
    wasOnTime = wasOnTime || other.wasOnTime
    track = track ?? other.track
    sourceLabel = sourceLabel ?? other.sourceLabel
    return true
  }

  /// Returns whether two stored times are equal or one is unknown.
  private static func agree(_ mine: Int64, _ other: Int64) -> Bool {
    mine == other || mine < 0 || other < 0
  }
}
