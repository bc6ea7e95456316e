internal import ScrollTraceRecorder

/// The render server and the screen, which determine when each frame is presented, and count missed
/// refreshes.
///
/// A commit waits for the refresh after it, is rendered until the next one, and is presented then.
/// A frame that starts at refresh k should be committed by k + 1 and is presented at k + 2. If it
/// is committed after k + 1, it is presented one refresh after the refresh at which it was ready.
struct SimulatedDisplay {
  /// The number of commits that missed their deadline.
  private(set) var deadlineMisses = 0
  /// A presented frame.
  private struct Picture {
    var start: Nanoseconds
    var committed: Nanoseconds
    var target: Nanoseconds
    var shown: Nanoseconds
    var interval: Nanoseconds
    /// The time that the screen kept an old frame because of it.
    var hitch: Nanoseconds = 0
    /// Whether it was requested in motion.
    var isMoving: Bool
    /// Its index among the first pictures of motions, or `nil` if it is not one.
    var head: Int?

    var lateness: Nanoseconds { shown - target }
  }

  /// The first picture that can show a motion, whose lateness depends on the usual time to the screen.
  private struct Head {
    var wait: Nanoseconds
    var interval: Nanoseconds
    var minimum: Nanoseconds
    /// The time that the picture before was on screen beyond a refresh.
    var maximum: Nanoseconds

    func hitch(way: Nanoseconds) -> Nanoseconds {
      let gap = wait - way
      return 4 * gap > 5 * interval ? max(minimum, min(gap - interval, maximum)) : minimum
    }
  }

  private var sum: Nanoseconds = 0
  private var count = 0
  private var heads: [Head] = []
  /// The number of frames on time for each duration from start to screen.
  private var ways: [Nanoseconds: Int] = [:]
  /// The most recent pictures in order, as many as can be pending.
  private var recent: [Picture] = []
  /// The start of the current motion.
  private var movementStart: Nanoseconds?
  /// Whether a picture of the current motion was evaluated.
  private var hasPicture = false
  /// The picture that the next one of the motion is compared with, or `nil` before the first.
  private var previous: Picture?
  /// The last gap in the motion, and the hitch time counted for it.
  private var lastGap: (length: Nanoseconds, interval: Nanoseconds, hitch: Nanoseconds)?

  /// The number of frames that were presented late.
  var hitches: Int {
    let way = usualWay
    return count + heads.count(where: { $0.hitch(way: way) > 0 })
  }

  /// The time that the screen kept an old frame while a new one was due.
  var hitchTime: Nanoseconds {
    let way = usualWay
    return heads.reduce(sum) { $0 + $1.hitch(way: way) }
  }

  /// Returns the timing of the frame that the display requests at a refresh.
  ///
  /// The refresh interval is the one that ends at the target. If the rate changes, it is the time
  /// on screen between the previous frame and this one.
  static func tick(_ index: Int, of schedule: RefreshSchedule) -> FrameTiming {
    func time(_ index: Int) -> RecorderTime { .nanoseconds(schedule.time(of: index)) }
    return FrameTiming(
      start: time(index), deadline: time(index + 1), target: time(index + 2),
      refreshInterval: time(index + 2) - time(index + 1))
  }

  /// Ends the motion. No frame is due until one is committed.
  mutating func rest() { (movementStart, hasPicture, previous, lastGap) = (nil, false, nil, nil) }

  /// Starts or continues the motion. Frames that are being made belong to it (M-3); those that are
  /// committed are in flight, and late only by themselves.
  mutating func move(at time: Nanoseconds) {
    guard movementStart == nil else { return }
    movementStart = time
    for index in recent.indices where recent[index].start < time && time < recent[index].committed {
      var picture = recent[index]
      let before = picture.hitch
      let late = lateOfItself(picture, after: recent[..<index])
      if picture.head == nil { charge(-before, -1) }
      evaluate(
        &picture, after: recent[..<index], minimum: picture.isMoving ? before : 0, late: late)
      recent[index] = picture
    }
  }

  /// Presents the frame that started at refresh `index` and was committed at `end`, and returns its
  /// presentation time.
  mutating func present(
    _ index: Int, of schedule: RefreshSchedule, committedAt end: Nanoseconds, isMoving: Bool
  ) -> Nanoseconds {
    let due = index + 1
    let ready = max(due, schedule.index(atOrAfter: end))
    if ready > due { deadlineMisses += 1 }
    var picture = Picture(
      start: schedule.time(of: index), committed: end, target: schedule.time(of: index + 2),
      shown: schedule.time(of: ready + 1),
      interval: schedule.time(of: index + 2) - schedule.time(of: index + 1), isMoving: isMoving)
    if picture.lateness == 0 { ways[picture.shown - picture.start, default: 0] += 1 }
    let late = lateOfItself(picture, after: recent[...])
    if isMoving, movementStart != nil {
      evaluate(&picture, after: recent[...], minimum: 0, late: late)
    } else {
      picture.hitch = late
      charge(late, 1)
    }
    if recent.count >= 16 { recent.removeFirst(8) }
    recent.append(picture)
    return picture.shown
  }

  // MARK: - The account

  /// The median time of frames on time from start to screen.
  private var usualWay: Nanoseconds {
    let total = ways.values.reduce(0, +)
    guard total > 0 else { return 0 }
    let sorted = ways.sorted { $0.key < $1.key }
    func way(at rank: Int) -> Nanoseconds {
      var rest = rank
      for entry in sorted {
        if rest < entry.value { return entry.key }
        rest -= entry.value
      }
      return 0
    }
    return (way(at: (total - 1) / 2) + way(at: total / 2)) / 2
  }

  /// The additional lateness of a picture, limited to the time that the screen waited (M-2).
  private func lateOfItself(_ picture: Picture, after before: ArraySlice<Picture>) -> Nanoseconds {
    guard picture.lateness > 0, let last = before.last else { return picture.lateness }
    let isNext = 4 * (picture.target - last.target) <= 5 * picture.interval
    let new = max(0, picture.lateness - (isNext ? last.lateness : 0))
    return min(new, max(0, picture.shown - last.shown - picture.interval))
  }

  /// Evaluates the next picture of the motion. `minimum` is the hitch time counted in another motion.
  private mutating func evaluate(
    _ picture: inout Picture, after before: ArraySlice<Picture>, minimum: Nanoseconds,
    late: Nanoseconds
  ) {
    guard let start = movementStart else { return }
    if !hasPicture {
      hasPicture = true
      if picture.head == nil {
        picture.hitch = 0
        picture.head = heads.count
        heads.append(
          Head(
            wait: picture.shown - start, interval: picture.interval, minimum: max(minimum, late),
            maximum: max(0, picture.shown - (before.last?.shown ?? start) - picture.interval)))
      }
      previous = picture
      return
    }
    guard let previous else { return }
    let gap = picture.shown - previous.shown
    let isLong = 4 * gap > 5 * max(picture.interval, previous.interval)
    let waited = max(0, gap - picture.interval)
    let hitch = isLong ? waited : min(late, waited)
    if let last = lastGap, last.length > last.interval, last.interval <= 4 * gap,
      gap < last.interval, 4 * (last.length + gap) <= 9 * last.interval
    {
      // The short gap compensates for the long one before it, so no refresh was missed.
      charge(-last.hitch, -1)
    }
    picture.hitch = max(minimum, hitch)
    if let head = picture.head {
      // A frame of two motions counts the longer of its hitches.
      heads[head].minimum = max(heads[head].minimum, picture.hitch)
    } else {
      charge(picture.hitch, 1)
    }
    lastGap = (gap, picture.interval, picture.hitch)
    self.previous = picture
  }

  private mutating func charge(_ hitch: Nanoseconds, _ number: Int) {
    sum += hitch
    if hitch != 0 { count += number }
  }
}
