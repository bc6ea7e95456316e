internal import CRecorderShims
internal import ScrollTraceLayout

/// The hitch time of a surface, as the recorder sees it while it records.
///
/// It is an estimate of what reports measure (M-2, M-3): the time by which pictures were late and, in
/// motion, the time without a new one. Reports also know the frames that follow, the states and the
/// work, so that they differ in the last frames of a motion. Nothing here allocates or takes a lock: any
/// thread may note a frame, and frames of one surface that end at the same time may count inexactly.
struct HitchMeter {
  /// The pictures at the times that the display reported, and at those that the commits allow.
  private let presented, committed: Pictures
  /// The start of the first frame and the time of the last picture.
  private let range: SharedTimes

  init() {
    presented = Pictures()
    committed = Pictures()
    range = SharedTimes(count: 2)
  }

  /// Notes that a frame was presented.
  func notePresentation(_ tick: FrameTiming, at time: Int64, _ motion: MotionMeter) {
    note(presented, tick, due: tick.target, shown: time, isExact: true, motion)
  }

  /// Notes the end of a commit: its picture comes at the first refresh from its deadline on.
  func noteCommit(_ tick: FrameTiming, at end: Int64?, _ motion: MotionMeter) {
    guard let deadline = tick.deadline, let end, Self.isPlausible(deadline, end) else {
      guard let start = tick.start else { return }
      return note(committed, tick, due: nil, shown: start, isExact: false, motion)
    }
    var late = max(0, end - deadline)
    if late > 0, let interval = tick.refreshInterval, interval > 0, interval < 1 << 40 {
      late = (late + interval - 1) / interval * interval
    }
    note(committed, tick, due: deadline, shown: deadline + late, isExact: false, motion)
  }

  /// Notes that nothing had to be presented at a refresh.
  func noteNothingRequested() {
    presented.skipRefresh()
    committed.skipRefresh()
  }

  /// Notes that a frame whose commit was noted is never presented.
  func noteDrop() { committed.missRefresh() }

  /// Notes a hitch that the system reported.
  func noteHitch(at start: Int64, length: Int64, _ motion: MotionMeter) {
    guard length > 0, Self.isPlausible(start, length) else { return }
    presented.add(length, inside: motion.part(from: start, to: start + length))
    widen(from: start, to: start + length)
  }

  /// The hitch time of the recording in milliseconds per second of motion, or of the recording if it has
  /// no interactions.
  func hitchTimeRatio(_ motion: MotionMeter) -> Double {
    let pictures = presented.count * 4 >= committed.count * 3 ? presented : committed
    guard let last = range[1] else { return 0 }
    var (late, whole) = (pictures.lateInMotion, motion.length(until: last))
    if whole > 0 {
      // A picture that was committed and has not come yet.
      if let shown = pictures.shown, let next = committed.shown {
        late += motion.part(from: shown + pictures.interval * 2, to: next)
      }
    } else {
      (late, whole) = (pictures.late, last - (range[0] ?? last))
    }
    return whole > 0 ? Double(late) / Double(whole) * 1000 : late > 0 ? .infinity : 0
  }

  private func note(
    _ pictures: Pictures, _ tick: FrameTiming, due: Int64?, shown: Int64, isExact: Bool,
    _ motion: MotionMeter
  ) {
    let start = tick.start ?? due ?? shown
    guard Self.isPlausible(shown, start), Self.isPlausible(due ?? shown, start) else { return }
    widen(from: start, to: shown)
    pictures.note(
      start: start, due: due ?? shown, shown: shown, interval: tick.refreshInterval,
      isExact: isExact, motion)
  }

  private func widen(from start: Int64, to end: Int64) {
    if start < range[0] ?? .max { range[0] = start }
    if end > range[1] ?? .min { range[1] = end }
  }

  /// Returns whether sums and differences of both times cannot overflow.
  private static func isPlausible(_ one: Int64, _ other: Int64) -> Bool {
    one >= 0 && other >= 0 && one < 1 << 60 && other < 1 << 60
  }
}

/// The pictures of a surface by one kind of time, and their lateness.
private struct Pictures {
  private enum Word {
    static let shown = 0
    static let due = 1
    static let lateness = 2
    static let interval = 3
    static let skipped = 4
    static let late = 5
    static let lateInMotion = 6
    static let count = 7
    static let all = 8
  }

  private let words = SharedTimes(count: Word.all)

  /// The time of the last picture, or `nil` if there is none.
  var shown: Int64? { words[Word.shown] }
  /// The hitch time of all frames.
  var late: Int64 { words[Word.late] ?? 0 }
  /// The hitch time in motion.
  var lateInMotion: Int64 { words[Word.lateInMotion] ?? 0 }
  /// The number of pictures.
  var count: Int64 { words[Word.count] ?? 0 }
  /// The last refresh interval, or 0 if none is known.
  var interval: Int64 { words[Word.interval] ?? 0 }

  func note(
    start: Int64, due: Int64, shown: Int64, interval given: Int64?, isExact: Bool,
    _ motion: MotionMeter
  ) {
    if let given, given > 0, given < 1 << 40 { words[Word.interval] = given }
    let interval = interval
    let last = words[Word.shown]
    let skipped = words[Word.skipped] ?? 0
    var lateness = shown - due
    // The tolerance of display links, which is more than that of exact sources.
    if lateness <= max(1_000_000, interval / 20) { lateness = 0 }
    var hitch = lateness
    if let before = words[Word.lateness], before > 0, let lastDue = words[Word.due],
      due - lastDue <= interval + interval / 4
    {
      // Only what is new counts.
      hitch = max(0, lateness - before)
    }
    if isExact, let last, interval > 0 {
      hitch = min(hitch, max(0, shown - last - skipped - interval))
    }
    var length = hitch
    if interval > 0, let head = motion.start, motion.owesFrame(begunAt: start, interval) {
      // The first picture of a motion comes as long after its start as a frame takes.
      let since = max(last ?? .min, head + max(0, due - start))
      let gap = shown - since - skipped
      if gap > interval + interval / 2 { length = max(length, gap - interval) }
    }
    add(hitch, inside: motion.part(from: shown - length, to: shown))
    words[Word.shown] = max(last ?? .min, shown)
    words[Word.due] = due
    words[Word.lateness] = lateness
    words[Word.skipped] = 0
  }

  /// Adds the hitch time of a picture.
  func add(_ late: Int64, inside lateInMotion: Int64) {
    words.add(1, to: Word.count)
    if late > 0 { words.add(late, to: Word.late) }
    if lateInMotion > 0 { words.add(lateInMotion, to: Word.lateInMotion) }
  }

  func skipRefresh() { words.add(interval, to: Word.skipped) }

  func missRefresh() { words.add(-interval, to: Word.skipped) }
}

/// The time in which at least one interaction is open, so that a frame is owed at each refresh.
struct MotionMeter {
  private enum Word {
    static let start = 0
    static let end = 1
    static let openSince = 2
    static let length = 3
    static let all = 4
  }

  private let words = SharedTimes(count: Word.all)
  /// The longest time between two interactions of one motion: frames of the first are still on their way.
  private static var pause: Int64 { 100_000_000 }

  /// The start of the last motion, or `nil` if there is none.
  var start: Int64? { words[Word.start] }

  /// Notes the start of an interaction while none is open.
  func begin(at time: Int64) {
    guard time >= 0, time < 1 << 60 else { return }
    let isNew = words[Word.end].map { time - $0 > Self.pause } ?? true
    words[Word.openSince] = time
    if isNew { words[Word.start] = time }
    words[Word.end] = nil
  }

  /// Notes the end of the last open interaction.
  func end(at time: Int64) {
    guard let since = words[Word.openSince], time >= since else { return }
    words.add(time - since, to: Word.length)
    words[Word.end] = time
    words[Word.openSince] = nil
  }

  /// Returns how much of a range of time is in the last motion.
  func part(from first: Int64, to last: Int64) -> Int64 {
    guard let start = words[Word.start] else { return 0 }
    return max(0, min(last, words[Word.end] ?? .max) - max(first, start))
  }

  /// Returns whether the gap before a picture counts: its frame began in the motion or right after it.
  func owesFrame(begunAt time: Int64, _ interval: Int64) -> Bool {
    guard words[Word.start] != nil else { return false }
    guard let end = words[Word.end] else { return true }
    return time - end <= interval + interval / 2
  }

  /// Returns the time of all motions, up to `last` if one is still open.
  func length(until last: Int64) -> Int64 {
    let open = words[Word.openSince].map { max(0, last - $0) } ?? 0
    return (words[Word.length] ?? 0) + open
  }
}

/// Times that any thread may read and change. They are never freed.
private struct SharedTimes {
  private let start: UnsafeMutableRawPointer

  private static var none: Int64 { .min }

  /// Creates `count` unknown times.
  init(count: Int) {
    start = .allocate(byteCount: count * 8, alignment: 8)
    for index in 0..<count { self[index] = nil }
  }

  subscript(_ index: Int) -> Int64? {
    get {
      let time = Int64(bitPattern: scrolltrace_load(start + index * 8))
      return time == Self.none ? nil : time
    }
    nonmutating set {
      scrolltrace_store(start + index * 8, UInt64(bitPattern: newValue ?? Self.none))
    }
  }

  /// Adds to a time, which is zero if unknown.
  func add(_ length: Int64, to index: Int) {
    if self[index] == nil { self[index] = 0 }
    _ = scrolltrace_add(start + index * 8, UInt64(bitPattern: length))
  }
}

/// What a recorder notes of frames while it records them, for dumps and for the choice of traces.
extension TraceRecorder {
  /// A Boolean value indicating whether anything is noted.
  @inlinable
  var notesFrames: Bool { control.pointee.notesFrames }

  /// Notes the end of a frame's commit, which is now.
  @usableFromInline @inline(never)
  func noteCommit(of frame: RecordedFrame, outcome: RecordedOutcome?) {
    // A frame may end while recording is off, or in a forked child, where no lock may be taken.
    guard control.mode == RecorderMode.on, frame.token.writer != nil,
      let tick = frame.surface.block.pointee.ticks?.timing(of: frame.id)
    else { return }
    noteCommit(tick, at: now(), outcome, frame.surface)
  }

  /// Notes the end of a commit, or that its frame ended without one.
  func noteCommit(
    _ tick: FrameTiming, at end: Int64?, _ outcome: RecordedOutcome?, _ surface: RecordedSurface
  ) {
    if let deadline = tick.deadline, let end { noteHitch(since: deadline, until: end) }
    guard let meter = surface.block.pointee.meter, let motion = control.pointee.motion else {
      return
    }
    if let outcome, outcome.isNotRequested {
      meter.noteNothingRequested()
    } else if outcome?.isDropped != true {
      meter.noteCommit(tick, at: end, motion)
    }
  }

  /// Notes that a frame was presented.
  func notePresentation(of frame: UInt64, at time: Int64, _ surface: RecordedSurface) {
    guard let ticks = surface.block.pointee.ticks else { return }
    let tick = ticks.timing(of: frame) ?? FrameTiming()
    if let target = tick.target { noteHitch(since: target, until: time) }
    if let meter = surface.block.pointee.meter, let motion = control.pointee.motion {
      meter.notePresentation(tick, at: time, motion)
    }
  }

  /// Notes an outcome that is reported after the commit.
  func noteOutcome(_ outcome: RecordedOutcome, _ surface: RecordedSurface) {
    guard let meter = surface.block.pointee.meter else { return }
    if outcome.isNotRequested { meter.noteNothingRequested() }
    if outcome.isDropped { meter.noteDrop() }
  }

  /// Notes a hitch that the system reported.
  func noteHitch(at start: Int64, length: Int64, _ surface: RecordedSurface) {
    noteHitch(of: length, until: start)
    if let meter = surface.block.pointee.meter, let motion = control.pointee.motion {
      meter.noteHitch(at: start, length: length, motion)
    }
  }
}
