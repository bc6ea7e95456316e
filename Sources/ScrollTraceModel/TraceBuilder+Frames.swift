/// A surface while its frames are still being collected.
struct SurfaceDraft {
  let name: String
  var basis: Basis?
  var tolerance = TimeSpan.zero
  var liesOnGrid = false
  var numbersEveryFrame = false
  var isDisplayStream = false
  var frames: [Frame] = []
  var repeated = 0
  var listedHitches: [ListedHitch] = []
  /// The last frame of each number, where the frames are not numbered one by one.
  private var indexes: [UInt64: Int]?
  /// The number of the last frame that was forgotten.
  private var lastForgotten: UInt64?

  init(name: String) { self.name = name }

  /// The position of the last frame of the number `id`.
  func index(of id: UInt64) -> Int? {
    if let indexes { return indexes[id] }
    guard let first = frames.first, id &- first.id < UInt64(frames.count) else { return nil }
    return Int(id &- first.id)
  }

  /// Leaves out all frames.
  mutating func removeFrames() {
    frames = []
    indexes = nil
  }

  /// Adds a frame behind the others.
  mutating func append(_ frame: Frame) {
    if indexes == nil, let first = frames.first, frame.id &- first.id != UInt64(frames.count) {
      indexes = Dictionary(
        uniqueKeysWithValues: frames.enumerated().map { ($0.element.id, $0.offset) })
    }
    indexes?[frame.id] = frames.count
    if frames.count == frames.capacity { frames.grow(toCapacity: max(16, frames.count * 2)) }
    frames.append(frame)
  }

  /// Forgets the frames that lie before `time`, up to the first that does not.
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

  /// Whether `update` says no more than what became of a frame that has been forgotten.
  func isTooLate(_ update: Frame) -> Bool {
    guard let lastForgotten, update.id <= lastForgotten else { return false }
    return update.start == nil && update.commitEnd == nil
  }
}

extension TraceBuilder {
  /// The most surfaces of a trace; what else there is becomes one, called `overflowSurface`.
  ///
  /// Each surface is evaluated against all interactions, so they must not grow together.
  package static var maximumSurfaceCount: Int { 64 }

  /// The name of the surface that stands for all beyond the limit.
  package static var overflowSurface: String { "(too many surfaces)" }

  /// The surface called `name`, added where it is new.
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

  /// Says how exact a surface's presentation times are (M-2); exact where this is never said.
  package mutating func setPresentationTolerance(_ tolerance: TimeSpan, of surface: SurfaceID) {
    surfaces[surface.index].tolerance = max(.zero, tolerance)
  }

  /// Says that the times of a surface's frames lie on the refresh grid (M-3).
  package mutating func setOnRefreshGrid(_ surface: SurfaceID) {
    surfaces[surface.index].liesOnGrid = true
  }

  /// Says that the source numbers a surface's frames one by one.
  package mutating func setNumbersEveryFrame(_ surface: SurfaceID) {
    surfaces[surface.index].numbersEveryFrame = true
  }

  /// Says that a surface's frames are what reached the screen, whoever made them.
  package mutating func setDisplayStream(_ surface: SurfaceID) {
    surfaces[surface.index].isDisplayStream = true
  }

  /// Says on what a surface is to be evaluated; otherwise it follows from what its frames know.
  package mutating func setBasis(_ basis: Basis, of surface: SurfaceID) {
    surfaces[surface.index].basis = basis
  }

  /// Adds what one record says of the frame `update.id`, to what is known of that frame.
  ///
  /// The records of a frame may come in any order. A record that contradicts what is known of the
  /// number's frame starts another frame of the same number, and the repetition is noticed.
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

  /// Adds a frame of which nothing else is to come, also where its number was there before.
  package mutating func addFrame(_ frame: Frame, of surface: SurfaceID) {
    for time in [frame.start, frame.commitStart, frame.commitEnd, frame.presented] {
      if let time { extend(time.nanoseconds) }
    }
    if let start = frame.commitStart, let end = frame.commitEnd, end < start {
      return countLoss(.endBeforeBegin)
    }
    surfaces[surface.index].append(frame)
  }

  /// Adds a hitch that the source lists; the surface's basis becomes `hitchList`.
  package mutating func addListedHitch(_ hitch: ListedHitch, of surface: SurfaceID) {
    extend(hitch.start.nanoseconds)
    extend((hitch.start + hitch.length).nanoseconds)
    surfaces[surface.index].basis = .hitchList
    surfaces[surface.index].listedHitches.append(hitch)
  }

  /// How many frames of `surface` there are so far.
  package func frameCount(of surface: SurfaceID) -> Int { surfaces[surface.index].frames.count }
}

extension Frame {
  /// Takes over what `other` knows; `false`, and nothing taken, where the two contradict.
  mutating func merge(_ other: Frame) -> Bool {
    let sameOutcome = outcome == .unknown || other.outcome == .unknown || outcome == other.outcome
    guard
      Self.agree(rawBegin, other.rawBegin), Self.agree(rawCommitStart, other.rawCommitStart),
      Self.agree(rawCommitEnd, other.rawCommitEnd), Self.agree(rawDeadline, other.rawDeadline),
      Self.agree(rawTarget, other.rawTarget), Self.agree(rawPresented, other.rawPresented),
      sameOutcome
    else { return false }
    // What is unknown is less than all that is known.
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

  /// Whether two stored instants are the same, as far as both are known.
  private static func agree(_ mine: Int64, _ other: Int64) -> Bool {
    mine == other || mine < 0 || other < 0
  }
}
