/// A surface whose frames are being collected.
struct SurfaceDraft {
  /// What the source states of the surface, without frames.
  var stated: Surface
  var basis: Basis?
  private(set) var frames = FrameColumns()
  /// The number of frames with the number of another one.
  private var repeated = 0
  /// The number of those that begin before the others had ended.
  private var overlapping = 0
  /// The last time of the frames before the first that was repeated, or `nil` if none was.
  private var lastBeforeRepeats: Timestamp?
  /// The last frame of each number, if the frames are not numbered consecutively.
  private var indexes: [UInt64: Int]?
  /// The number of the last frame that was removed, or `nil`.
  private var lastForgotten: UInt64?

  init(name: String) { stated = Surface(name: name) }

  // MARK: - Collecting

  /// Adds the content of a record to the frame `update.id`. A record that contradicts it starts
  /// another frame of the same number.
  ///
  /// - Parameter growth: The expected final number of frames, as a multiple of the current number.
  mutating func update(_ update: Frame, growth: Double = 1) {
    if let index = index(of: update.id) {
      if frames.merge(update, at: index) { return }
      countRepeated(update)
    } else if isTooLate(update) {
      return
    }
    append(update, growth: growth)
  }

  /// Counts a frame whose number another one has.
  private mutating func countRepeated(_ frame: Frame) {
    repeated += 1
    let last = lastBeforeRepeats ?? frames.lazy.compactMap(\.time).max() ?? .zero
    lastBeforeRepeats = last
    if let time = frame.time, time < last { overlapping += 1 }
  }

  mutating func append(_ frame: Frame, growth: Double = 1) {
    if indexes == nil, !frames.isEmpty, frame.id &- frames.firstID != UInt64(frames.count) {
      indexFrames()
    }
    indexes?[frame.id] = frames.count
    // The ratio comes from a file, most of which may be unused.
    let share = growth.isFinite ? min(max(growth, 1), 16) * 1.125 : 1
    frames.append(frame, expectedCount: Int(Double(frames.count) * share))
  }

  /// The position of the last frame with the number `id`, or `nil` if there is none.
  private func index(of id: UInt64) -> Int? {
    if let indexes { return indexes[id] }
    guard id &- frames.firstID < UInt64(frames.count) else { return nil }
    return Int(id &- frames.firstID)
  }

  /// Returns whether `update` contains only the outcome of a frame that has been removed.
  private func isTooLate(_ update: Frame) -> Bool {
    guard let lastForgotten, update.id <= lastForgotten else { return false }
    return update.start == nil && update.commitEnd == nil
  }

  // MARK: - Removing

  mutating func keepFrames(_ isKept: (Frame) -> Bool) {
    guard frames.keep(isKept) else { return }
    indexes = nil
    if let first = frames.first,
      frames.indices.contains(where: { frames[$0].id &- first.id != UInt64($0) })
    {
      indexFrames()
    }
  }

  /// Stores the index of the last frame of each number.
  private mutating func indexFrames() {
    indexes = Dictionary(
      frames.lazy.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { $1 })
  }

  /// Removes the frames that started before `start`, and those of which only the end is known, if
  /// the start of the surface's other frames is known; and the hitches that started before.
  mutating func cut(before start: Timestamp) {
    let knowsStart = frames.contains { $0.earliest != nil }
    let last = frames.compactMap(\.earliest).max()
    keepFrames { frame in
      guard let earliest = frame.earliest else {
        return !knowsStart && (frame.presented ?? start) >= start
      }
      if earliest >= start { return true }
      return earliest == last && frame.commitEnd == nil && frame.presented == nil
    }
    stated.listedHitches.removeAll { $0.start < start }
  }

  /// Removes the frames before `time`, up to the first that is not.
  mutating func forget(before time: Timestamp, keepingLast count: Int) {
    let maximum = max(0, frames.count - count)
    let first = frames[..<maximum].firstIndex { $0.time.map { $0 >= time } ?? true } ?? maximum
    guard first > 0 else { return }
    lastForgotten = max(lastForgotten ?? 0, frames[first - 1].id)
    frames = FrameColumns(frames.dropFirst(first))
    if indexes != nil { indexFrames() }
  }

  // MARK: - Finishing

  /// Returns the finished surface, and what its reader should know. No frames remain.
  ///
  /// - Parameters:
  ///   - range: The range of the trace.
  ///   - holes: The times of which nothing is known.
  ///   - stampsCommits: Whether commits have times of the recorder's own clock.
  ///   - holdsSeveralRecordings: Whether the source is several recordings in one.
  mutating func finish(
    in range: TimeRange, holes: [TimeRange], stampsCommits: Bool, holdsSeveralRecordings: Bool
  ) -> (surface: Surface, notices: [Notice]) {
    var notices: [Notice] = []
    var surface = stated
    let check = ClockCheck(
      frames, surface.listedHitches, tolerance: surface.presentationTolerance, range: range,
      stampsCommits: stampsCommits)
    check.clear(&frames)
    let several = severalRecordings(isKnown: holdsSeveralRecordings)
    if several != nil {
      // Without them nothing of the frames can be judged.
      for index in frames.indices {
        frames[index].deadline = nil
        frames[index].refreshInterval = nil
      }
    }
    let problem = several ?? check.problem
    if let problem {
      notices.append(.source("\"\(surface.name)\" is not measurable: \(problem)"))
    } else if let doubt = ClockCheck.distantTargets(frames) {
      notices.append(.source("\"\(surface.name)\": \(doubt)"))
    }
    let early = removeInvalidPresentations()
    if early > 0 { notices.append(.presentedBeforeStart(surface: surface.name, count: early)) }
    if repeated > 0 {
      notices.append(.repeatedFrameNumbers(surface: surface.name, count: repeated))
    }
    var sorted = frames
    frames.removeAll()
    sorted.sort()
    sorted.settle()
    surface.basis = problem == nil ? basis ?? Basis(of: sorted) : .none
    surface.holes = holes
    surface.frames = sorted
    surface.problem = problem
    surface.listedHitches = problem == nil ? surface.listedHitches.stablySorted { $0.start } : []
    return (surface, notices)
  }

  /// Says that the frames are of several recordings, which are never judged as one (M-24), or returns
  /// `nil` if they are of one.
  private func severalRecordings(isKnown: Bool) -> String? {
    let advice = "analyze each recording by itself"
    if isKnown { return "the file holds several recordings; \(advice)" }
    // A host can number a few frames twice.
    guard overlapping > frames.count / 10 else { return nil }
    return "\(overlapping) of \(frames.count) frames have the numbers of others of the same time:"
      + " the file holds several recordings; \(advice)"
  }

  /// Removes presentation times before the frame's start, which are invalid, and returns their
  /// number. If more than one in ten of a surface's presentation times is invalid, all are removed
  /// (M-2).
  private mutating func removeInvalidPresentations() -> Int {
    func isInvalid(_ frame: Frame) -> Bool {
      guard let begin = frame.start, let presented = frame.presented else { return false }
      return presented < begin
    }
    let known = frames.count { $0.presented != nil }
    let invalid = frames.count(where: isInvalid)
    guard invalid > 0 else { return 0 }
    let believesNone = invalid * 10 > known
    for index in frames.indices where believesNone || isInvalid(frames[index]) {
      frames[index].presented = nil
    }
    return invalid
  }
}

extension Frame {
  /// The first time in the frame's own records, or `nil` if they contain only its end.
  fileprivate var earliest: Timestamp? { commitStart ?? start ?? deadline ?? target }
}
