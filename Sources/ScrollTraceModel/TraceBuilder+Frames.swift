/// A surface while its frames are still being collected.
struct SurfaceDraft {
  let name: String
  var basis: Basis?
  var tolerance = TimeSpan.zero
  var liesOnGrid = false
  var numbersEveryFrame = false
  var frames: [Frame] = []
  var indexes: [UInt64: Int] = [:]
  var repeated = 0
  var listedHitches: [ListedHitch] = []
}

extension TraceBuilder {
  /// The most surfaces of a trace; what else there is becomes one, called `overflowSurface`.
  ///
  /// Each surface is judged against all interactions, so they must not grow together.
  public static var maximumSurfaceCount: Int { 64 }

  /// The name of the surface that stands for all beyond the limit.
  public static var overflowSurface: String { "(too many surfaces)" }

  /// The surface called `name`, added where it is new.
  public mutating func surface(_ name: String) -> SurfaceID {
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
  public mutating func setPresentationTolerance(_ tolerance: TimeSpan, of surface: SurfaceID) {
    surfaces[surface.index].tolerance = max(.zero, tolerance)
  }

  /// Says that the times of a surface's frames lie on the refresh grid (M-3).
  public mutating func setOnRefreshGrid(_ surface: SurfaceID) {
    surfaces[surface.index].liesOnGrid = true
  }

  /// Says that the source numbers a surface's frames one by one.
  public mutating func setNumbersEveryFrame(_ surface: SurfaceID) {
    surfaces[surface.index].numbersEveryFrame = true
  }

  /// Says on what a surface is to be judged; otherwise it follows from what its frames know.
  public mutating func setBasis(_ basis: Basis, of surface: SurfaceID) {
    surfaces[surface.index].basis = basis
  }

  /// Adds what one record says of the frame `update.id`, to what is known of that frame.
  ///
  /// The records of a frame may come in any order. A record that contradicts what is known of the
  /// number's frame starts another frame of the same number, and the repetition is noticed.
  public mutating func updateFrame(_ update: Frame, of surface: SurfaceID) {
    for time in [update.begin, update.commitStart, update.commitEnd, update.presented] {
      if let time { extend(time.nanoseconds) }
    }
    if let start = update.commitStart, let end = update.commitEnd, end < start {
      return countLoss(.endBeforeBegin)
    }
    let draft = surface.index
    if let index = surfaces[draft].indexes[update.id] {
      if surfaces[draft].frames[index].merge(update) { return }
      surfaces[draft].repeated += 1
    }
    surfaces[draft].indexes[update.id] = surfaces[draft].frames.count
    surfaces[draft].frames.append(update)
  }

  /// Adds a hitch that the source lists; the surface's basis becomes `hitchList`.
  public mutating func addListedHitch(_ hitch: ListedHitch, of surface: SurfaceID) {
    extend(hitch.begin.nanoseconds)
    extend((hitch.begin + hitch.length).nanoseconds)
    surfaces[surface.index].basis = .hitchList
    surfaces[surface.index].listedHitches.append(hitch)
  }

  /// How many frames of `surface` there are so far.
  public func frameCount(of surface: SurfaceID) -> Int { surfaces[surface.index].frames.count }
}

extension Frame {
  /// Takes over what `other` knows; `false`, and nothing taken, where the two contradict.
  mutating func merge(_ other: Frame) -> Bool {
    func agrees<Value: Equatable>(_ mine: Value?, _ theirs: Value?) -> Bool {
      mine == nil || theirs == nil || mine == theirs
    }
    let sameOutcome = outcome == .unknown || other.outcome == .unknown || outcome == other.outcome
    guard
      agrees(begin, other.begin), agrees(commitStart, other.commitStart),
      agrees(commitEnd, other.commitEnd), agrees(deadline, other.deadline),
      agrees(target, other.target), agrees(presented, other.presented), sameOutcome
    else { return false }
    begin = begin ?? other.begin
    commitStart = commitStart ?? other.commitStart
    commitEnd = commitEnd ?? other.commitEnd
    deadline = deadline ?? other.deadline
    target = target ?? other.target
    presented = presented ?? other.presented
    interval = interval ?? other.interval
    outcome = outcome == .unknown ? other.outcome : outcome
    track = track ?? other.track
    sourceLabel = sourceLabel ?? other.sourceLabel
    return true
  }
}
