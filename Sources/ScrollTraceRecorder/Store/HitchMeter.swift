internal import CRecorderShims

/// The hitch time of a surface, as the recorder sees it while it records.
///
/// It is an estimate of what reports measure (M-2, M-3): the time by which pictures were late and, in
/// motion, the time without a new one. `TraceSampling` says in what it differs. Nothing here allocates or
/// takes a lock: any thread may note a frame, and frames of one surface that end at the same time may
/// count inexactly.
struct HitchMeter {
  /// The pictures at the times that the display reported, and at those that the commits allow.
  private let presented, committed: Pictures
  private let range: SharedTimes<Bound>

  private enum Bound: Int, CaseIterable {
    /// The start of the first frame.
    case first
    /// The time of the last picture.
    case last
  }

  init() {
    presented = Pictures()
    committed = Pictures()
    range = SharedTimes()
  }

  /// Forgets all pictures, for another surface.
  func forget() {
    presented.forget()
    committed.forget()
    range.forget()
  }

  /// Sets the accuracy of presentation times, and whether all times lie on the refresh grid.
  func setTolerance(_ tolerance: Int64?, isOnRefreshGrid: Bool) {
    if let tolerance, tolerance < 1 << 40 { presented.setTolerance(tolerance) }
    if isOnRefreshGrid { presented.setOnGrid() }
  }

  func addPresentation(_ timing: FrameTiming, at time: Int64, _ motion: MotionMeter) {
    add(presented, timing, due: timing.target?.nanoseconds, shown: time, isExact: true, motion)
  }

  /// Adds the end of a commit: its picture comes at the first refresh from its deadline on.
  func addCommit(_ timing: FrameTiming, at end: Int64?, _ motion: MotionMeter) {
    guard let deadline = timing.deadline?.nanoseconds, let end, Self.isPlausible(deadline, end)
    else {
      guard let start = timing.start?.nanoseconds else { return }
      return add(committed, timing, due: nil, shown: start, isExact: false, motion)
    }
    var late = max(0, end - deadline)
    if late > 0, let interval = timing.refreshInterval?.nanoseconds, interval > 0,
      interval < 1 << 40
    {
      late = (late + interval - 1) / interval * interval
    }
    add(committed, timing, due: deadline, shown: deadline + late, isExact: false, motion)
  }

  /// Adds a refresh at which nothing had to be presented.
  func addNothingRequested() {
    presented.skipRefresh()
    committed.skipRefresh()
  }

  /// Counts a committed frame that is never presented.
  func addDrop() { committed.missRefresh() }

  /// Adds a hitch that the system reported.
  func addHitch(at start: Int64, length: Int64, _ motion: MotionMeter) {
    guard length > 0, Self.isPlausible(start, length) else { return }
    presented.add(length, inside: motion.part(from: start, to: start + length))
    widen(from: start, to: start + length)
  }

  /// The hitch time of the recording in milliseconds per second of motion, or of the recording if it has
  /// no interactions.
  func hitchTimeRatio(_ motion: MotionMeter) -> Double {
    let pictures = presented.count * 4 >= committed.count * 3 ? presented : committed
    guard let last = range[.last] else { return 0 }
    var (late, whole) = (pictures.lateInMotion, motion.length(until: last))
    if whole > 0 {
      // A picture that was committed and has not come yet.
      if let shown = pictures.shown, let next = committed.shown {
        late += motion.part(from: shown + pictures.interval * 2, to: next)
      }
    } else {
      (late, whole) = (pictures.late, last - (range[.first] ?? last))
    }
    return whole > 0 ? Double(late) / Double(whole) * 1000 : late > 0 ? .infinity : 0
  }

  private func add(
    _ pictures: Pictures, _ timing: FrameTiming, due: Int64?, shown: Int64, isExact: Bool,
    _ motion: MotionMeter
  ) {
    let start = timing.start?.nanoseconds ?? due ?? shown
    guard Self.isPlausible(shown, start), Self.isPlausible(due ?? shown, start) else { return }
    widen(from: start, to: shown)
    pictures.add(
      start: start, due: due ?? shown, shown: shown, interval: timing.refreshInterval?.nanoseconds,
      isExact: isExact, motion)
  }

  private func widen(from start: Int64, to end: Int64) {
    if start < range[.first] ?? .max { range[.first] = start }
    if end > range[.last] ?? .min { range[.last] = end }
  }

  /// Returns whether sums and differences of both times cannot overflow.
  private static func isPlausible(_ one: Int64, _ other: Int64) -> Bool {
    one >= 0 && other >= 0 && one < 1 << 60 && other < 1 << 60
  }
}

/// The pictures of a surface by one kind of time, and their lateness.
private struct Pictures {
  private enum Word: Int, CaseIterable {
    case shown, due, lateness, interval, skipped, late, lateInMotion, count, way
    case gap, gapLate, gapLateInMotion, tolerance, grid
  }

  private let words = SharedTimes<Word>()

  /// The time of the last picture, or `nil` if there is none.
  var shown: Int64? { words[.shown] }
  var late: Int64 { words[.late] ?? 0 }
  var lateInMotion: Int64 { words[.lateInMotion] ?? 0 }
  var count: Int64 { words[.count] ?? 0 }
  /// The last refresh interval, or 0 if none is known.
  var interval: Int64 { words[.interval] ?? 0 }

  func forget() { words.forget() }

  func setTolerance(_ tolerance: Int64) { words[.tolerance] = tolerance }

  func setOnGrid() { words[.grid] = 1 }

  func add(
    start: Int64, due: Int64, shown: Int64, interval given: Int64?, isExact: Bool,
    _ motion: MotionMeter
  ) {
    let before = interval
    if let given, given > 0, given < 1 << 40 {
      words[.interval] = given
      motion.addRefresh(given)
    }
    let interval = interval
    let last = words[.shown]
    let skipped = words[.skipped] ?? 0
    let tolerance = words[.tolerance] ?? 0
    var lateness = shown - due
    if lateness <= max(tolerance, interval / 20) { lateness = 0 }
    var hitch = lateness
    if let before = words[.lateness], before > 0, let lastDue = words[.due],
      due - lastDue <= interval + interval / 4
    {
      // Only what is new counts.
      hitch = max(0, lateness - before)
    }
    let gap = last.map { shown - $0 - skipped }
    if isExact, let gap, interval > 0 { hitch = min(hitch, max(0, gap - interval)) }
    var length = hitch
    if interval > 0, let head = motion.start, motion.owesFrame(begunAt: start, interval) {
      // The first picture of a motion comes as long after its start as a frame takes.
      let way = words[.way] ?? max(0, due - start)
      let wait = shown - max(last ?? .min, head + way) - skipped
      let isOver =
        isExact && tolerance == 0
        ? wait > max(interval, before) / 4 * 5 : wait > max(interval, before) / 2 * 3
      if isOver { length = max(length, wait - interval) }
    }
    if let gap, takesBack(gap, interval, isExact) { length = 0 }
    let lengthInMotion = motion.part(from: shown - length, to: shown)
    add(length == 0 ? 0 : hitch, inside: lengthInMotion)
    words[.gap] = gap
    words[.gapLate] = hitch
    words[.gapLateInMotion] = lengthInMotion
    if lateness == 0 { follow(way: shown - start, interval) }
    words[.shown] = max(last ?? .min, shown)
    words[.due] = due
    words[.lateness] = lateness
    words[.skipped] = 0
  }

  /// Returns whether a gap is the short one of two that together have missed no refresh, because times off
  /// the grid jitter, and takes back what the long one has added.
  private func takesBack(_ gap: Int64, _ interval: Int64, _ isExact: Bool) -> Bool {
    guard isExact, words[.grid] == nil, let before = words[.gap], before > interval,
      gap >= interval / 4, gap < interval, before + gap <= interval / 4 * 9
    else { return false }
    if let late = words[.gapLate], late > 0 { words.add(-late, to: .late) }
    if let late = words[.gapLateInMotion], late > 0 { words.add(-late, to: .lateInMotion) }
    return true
  }

  /// Moves the usual way from a frame's start to its picture towards that of a frame: to the median, if
  /// it is often enough, at most an eighth of a refresh at once.
  private func follow(way: Int64, _ interval: Int64) {
    guard let usual = words[.way] else { return words[.way] = way }
    words[.way] = usual + max(-interval / 8, min(interval / 8, way - usual))
  }

  /// Adds the hitch time of a picture.
  func add(_ late: Int64, inside lateInMotion: Int64) {
    words.add(1, to: .count)
    if late > 0 { words.add(late, to: .late) }
    if lateInMotion > 0 { words.add(lateInMotion, to: .lateInMotion) }
  }

  func skipRefresh() { words.add(interval, to: .skipped) }

  func missRefresh() { words.add(-interval, to: .skipped) }
}

/// The time in which at least one interaction is open, so that a frame is owed at each refresh.
struct MotionMeter {
  private enum Word: Int, CaseIterable { case start, end, openSince, length, longestRefresh }

  private let words = SharedTimes<Word>()
  /// The start of the last motion, or `nil` if there is none.
  var start: Int64? { words[.start] }

  func free() { words.free() }

  /// Adds a refresh interval: interactions that are less than the longest apart are one motion.
  func addRefresh(_ interval: Int64) {
    if interval > words[.longestRefresh] ?? 0 { words[.longestRefresh] = interval }
  }

  /// Adds the start of an interaction while none is open.
  func begin(at time: Int64) {
    guard time >= 0, time < 1 << 60 else { return }
    let longest = words[.longestRefresh] ?? 1
    let isNew = words[.end].map { time - $0 >= longest } ?? true
    words[.openSince] = time
    if isNew { words[.start] = time }
    words[.end] = nil
  }

  /// Adds the end of the last open interaction.
  func end(at time: Int64) {
    guard let since = words[.openSince], time >= since else { return }
    words.add(time - since, to: .length)
    words[.end] = time
    words[.openSince] = nil
  }

  /// Returns how much of a range of time is in the last motion.
  func part(from first: Int64, to last: Int64) -> Int64 {
    guard let start = words[.start] else { return 0 }
    return max(0, min(last, words[.end] ?? .max) - max(first, start))
  }

  /// Returns whether the gap before a picture counts: its frame began in the motion or right after it.
  func owesFrame(begunAt time: Int64, _ interval: Int64) -> Bool {
    guard words[.start] != nil else { return false }
    guard let end = words[.end] else { return true }
    return time - end <= interval + interval / 2
  }

  /// Returns the time of all motions, up to `last` if one is still open.
  func length(until last: Int64) -> Int64 {
    let open = words[.openSince].map { max(0, last - $0) } ?? 0
    return (words[.length] ?? 0) + open
  }
}

/// Times that any thread may read and change, in memory of their own.
struct SharedTimes<Word: RawRepresentable<Int> & CaseIterable> {
  private let start: UnsafeMutableRawPointer

  private static var none: Int64 { .min }

  private let count = Word.allCases.count

  /// Creates unknown times.
  init() {
    start = .allocate(byteCount: count * 8, alignment: 8)
    forget()
  }

  func forget() { for index in 0..<count { Word(rawValue: index).map { self[$0] = nil } } }

  func free() { start.deallocate() }

  subscript(_ word: Word) -> Int64? {
    get {
      let time = Int64(bitPattern: scrolltrace_load(start + word.rawValue * 8))
      return time == Self.none ? nil : time
    }
    nonmutating set {
      scrolltrace_store(start + word.rawValue * 8, UInt64(bitPattern: newValue ?? Self.none))
    }
  }

  /// Adds to a time, which is zero if unknown.
  func add(_ length: Int64, to word: Word) {
    if self[word] == nil { self[word] = 0 }
    _ = scrolltrace_add(start + word.rawValue * 8, UInt64(bitPattern: length))
  }
}

/// What a recorder measures of frames while it records them, for dumps and for the choice of traces.
extension RecorderPointer {
  @inlinable
  var measuresFrames: Bool { control.pointee.measuresFrames }

  /// Measures the end of a frame's commit, which is now.
  @usableFromInline @inline(never)
  func measureCommit(of frame: RecordedFrame, outcome: RecordedOutcome?) {
    // A frame may end while recording is off, or in a forked child, where no lock may be taken.
    guard control.mode == RecorderMode.on, frame.token.writer != nil,
      let timing = frame.surface.block.pointee.timings?.timing(of: frame.id)
    else { return }
    measureCommit(timing, at: now(), outcome, frame.surface)
  }

  /// Measures the end of a commit, or that its frame ended without one.
  func measureCommit(
    _ timing: FrameTiming, at end: Int64?, _ outcome: RecordedOutcome?, _ surface: RecordedSurface
  ) {
    if let deadline = timing.deadline?.nanoseconds, let end {
      requestDump(since: deadline, until: end)
    }
    guard let meter = surface.block.pointee.meter, let motion = control.pointee.motion else {
      return
    }
    if let outcome, outcome.isNotRequested {
      meter.addNothingRequested()
    } else if outcome?.isDropped != true {
      meter.addCommit(timing, at: end, motion)
    }
  }

  func measurePresentation(of frame: UInt64, at time: Int64, _ surface: RecordedSurface) {
    guard let timings = surface.block.pointee.timings else { return }
    let timing = timings.timing(of: frame) ?? FrameTiming()
    if let target = timing.target?.nanoseconds { requestDump(since: target, until: time) }
    if let meter = surface.block.pointee.meter, let motion = control.pointee.motion {
      meter.addPresentation(timing, at: time, motion)
    }
  }

  /// Measures an outcome that is reported after the commit.
  func measureOutcome(_ outcome: RecordedOutcome, _ surface: RecordedSurface) {
    guard let meter = surface.block.pointee.meter else { return }
    if outcome.isNotRequested { meter.addNothingRequested() }
    if outcome.isDropped { meter.addDrop() }
  }

  func measureHitch(at start: Int64, length: Int64, _ surface: RecordedSurface) {
    requestDump(of: length, until: start)
    if let meter = surface.block.pointee.meter, let motion = control.pointee.motion {
      meter.addHitch(at: start, length: length, motion)
    }
  }
}
