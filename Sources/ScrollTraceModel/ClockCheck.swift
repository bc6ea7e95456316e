/// The search for times of a surface that cannot be of one clock, or not in nanoseconds (M-2). They are
/// named and not judged.
struct ClockCheck {
  /// What is wrong, in words, or `nil`.
  private(set) var problem: String?
  /// Whether only the refresh interval is wrong.
  private var isOnlyInterval = false

  /// The number of frames of which one may have impossible times, and the fewest of which most can be called late
  /// by another clock.
  private static let minimum = 10
  /// The largest distance of a time from the frame's commit, if the source records that itself, and of most
  /// presentations from when they were due.
  private static let farthest = TimeSpan.milliseconds(1000)
  /// The largest range of times, four years: more is another unit, or damage.
  private static let longest = TimeSpan(nanoseconds: 1 << 57)
  /// The refresh intervals that are possible: 10 to 1000 Hz.
  private static let intervals = TimeSpan.milliseconds(1)...TimeSpan.milliseconds(100)

  /// Checks the times of a surface.
  ///
  /// - Parameters:
  ///   - frames: The frames of the surface.
  ///   - hitches: The hitches that the source lists.
  ///   - tolerance: The accuracy of presentation times.
  ///   - range: The range of the trace.
  ///   - stampsCommits: Whether commits have times of the recorder's own clock.
  init(
    _ frames: FrameColumns, _ hitches: [ListedHitch], tolerance: TimeSpan, range: TimeRange,
    stampsCommits: Bool
  ) {
    problem =
      Self.distantTimes(frames, hitches, range) ?? Self.impossiblePairs(frames, stampsCommits)
      ?? Self.distantPresentations(frames)
    // Usually there is nothing to find, and so many frames are not sorted for it.
    let isPlausible = frames.allSatisfy { $0.refreshInterval.map(Self.intervals.contains) ?? true }
    guard problem == nil, !isPlausible || tolerance > .zero else { return }
    let known = frames.compactMap(\.refreshInterval).sorted()
    if let wrong = Self.wrongInterval(known) { (problem, isOnlyInterval) = (wrong, true) }
    problem = problem ?? Self.wrongTolerance(tolerance, at: known)
  }

  /// Removes what is not judged, if anything is wrong: also the refresh interval, with which a gap
  /// between frames would still be a hitch.
  func clear(_ frames: inout FrameColumns) {
    guard problem != nil else { return }
    for index in frames.indices {
      var frame = frames[index]
      (frame.deadline, frame.refreshInterval) = (nil, nil)
      if !isOnlyInterval {
        (frame.start, frame.target, frame.presented) = (nil, nil, nil)
      }
      frames[index] = frame
    }
  }

  /// Names times that lie years apart.
  private static func distantTimes(
    _ frames: FrameColumns, _ hitches: [ListedHitch], _ range: TimeRange
  ) -> String? {
    guard !frames.isEmpty || !hitches.isEmpty else { return nil }
    var (first, last) = (range.start, range.end)
    for frame in frames {
      if let time = frame.deadline { (first, last) = (min(first, time), max(last, time)) }
      if let time = frame.target { (first, last) = (min(first, time), max(last, time)) }
    }
    let length = max(last - first, hitches.map(\.length).max() ?? .zero)
    guard length >= longest else { return nil }
    let years = length.nanoseconds / 31_557_600_000_000_000
    return "times lie \(years) years apart: they are on several clocks, or not in nanoseconds"
  }

  /// Two times of a frame that cannot be of one clock.
  private struct Pair {
    let text: (_ count: String, _ distance: String) -> String
    var distances: [TimeSpan] = []

    init(_ text: @escaping (_ count: String, _ distance: String) -> String) { self.text = text }
  }

  /// Names the most frequent pair if more than one in ten frames have any.
  private static func impossiblePairs(
    _ frames: FrameColumns, _ stampsCommits: Bool
  ) -> String? {
    var pairs = [
      Pair { "\($0) frames committed \($1) before they began" },
      Pair { "\($0) frames had a deadline \($1) before they began" },
      Pair { "\($0) frames had a target \($1) before they began" },
    ]
    for name in ["begin", "deadline", "target", "presentation"] {
      pairs.append(Pair { "the \(name) of \($0) frames is \($1) from their commit" })
    }
    var (count, commitBefore): (Int, Timestamp?) = (0, nil)
    for frame in frames {
      var isImpossible = false
      func addEarly(_ time: Timestamp?, to pair: Int) {
        guard let begin = frame.start, let time, time < begin else { return }
        pairs[pair].distances.append(begin - time)
        isImpossible = true
      }
      addEarly(frame.commitEnd, to: 0)
      addEarly(frame.deadline, to: 1)
      addEarly(frame.target, to: 2)
      if stampsCommits, let start = frame.commitStart {
        func addDistant(_ time: Timestamp?, to pair: Int) {
          guard let time else { return }
          // A host that hung begins late on what was due before, but no sooner than the frame before it.
          let isEarly = commitBefore.map { time < $0 } ?? false
          let distance = isEarly ? start - time : time - max(start, frame.commitEnd ?? start)
          guard distance > farthest else { return }
          pairs[pair].distances.append(distance)
          isImpossible = true
        }
        addDistant(frame.start, to: 3)
        addDistant(frame.deadline, to: 4)
        addDistant(frame.target, to: 5)
        addDistant(frame.presented, to: 6)
        commitBefore = max(commitBefore ?? start, start)
      }
      count += isImpossible ? 1 : 0
    }
    guard count * minimum > frames.count else { return nil }
    let maximum = pairs.map(\.distances.count).max()
    guard let pair = pairs.first(where: { $0.distances.count == maximum }) else { return nil }
    let distances = pair.distances.sorted()
    let text = pair.text(
      "\(distances.count) of \(frames.count)", distances[distances.count / 2].roughText)
    return text + advice
  }

  private static let advice =
    ": the display's times are on another clock, CLOCK_MONOTONIC? Record with the display's clock"
    + " (options.clock)"

  /// Names presentations that are seconds after they were due, in more than half of the frames: fewer can be
  /// those of a hang. Presentations before the start are only invalid.
  private static func distantPresentations(_ frames: FrameColumns) -> String? {
    distant(frames) { frame in
      (frame.target ?? frame.commitEnd).flatMap { due in frame.presented.map { $0 - due } }
    }.map { "the presentation of \($0) after they were due" + advice }
  }

  /// Says that most frames were due seconds from their commits, or returns `nil`. Where they were presented when they
  /// were due, they can be judged, but not found among the work.
  static func distantTargets(_ frames: FrameColumns) -> String? {
    distant(frames) { frame in
      frame.commitEnd.flatMap { end in frame.target.map { ($0 - end).magnitude } }
    }.map { "the target of \($0) from their commits" + advice }
  }

  /// Counts the frames with a distance of seconds, with its median, or returns `nil` unless they are most of enough:
  /// `60 of 60 frames is 5000 s`.
  private static func distant(
    _ frames: FrameColumns, by distance: (Frame) -> TimeSpan?
  ) -> String? {
    var (known, distances): (Int, [TimeSpan]) = (0, [])
    for frame in frames {
      guard let distance = distance(frame) else { continue }
      known += 1
      if distance > farthest { distances.append(distance) }
    }
    guard known >= minimum, distances.count > known / 2 else { return nil }
    distances.sort()
    return "\(distances.count) of \(known) frames is \(distances[distances.count / 2].roughText)"
  }

  /// Names intervals, which are sorted, that no display has.
  private static func wrongInterval(_ known: [TimeSpan]) -> String? {
    let wrong = known.filter { !intervals.contains($0) }
    guard wrong.count * minimum > known.count else { return nil }
    return "the refresh interval of \(wrong.count) of \(known.count) frames is"
      + " \(wrong[wrong.count / 2].roughText): intervals are 1 to 100 ms, in nanoseconds"
  }

  /// Names a tolerance that tells no refresh from the next.
  private static func wrongTolerance(_ tolerance: TimeSpan, at known: [TimeSpan]) -> String? {
    guard !known.isEmpty else { return nil }
    let usual = known[known.count / 2]
    guard tolerance >= TimeSpan(nanoseconds: (usual.nanoseconds + 1) / 2) else { return nil }
    return "times of presentation are accurate to \(tolerance.roughText) only, and a refresh takes"
      + " \(usual.roughText): the tolerance is in nanoseconds"
  }
}

extension TimeSpan {
  /// The length with three digits or a few more.
  fileprivate var roughText: String {
    let units: [(name: String, length: Int64)] = [
      ("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000),
    ]
    for (name, length) in units where nanoseconds.magnitude >= length.magnitude * 10 {
      return "\(nanoseconds / length) \(name)"
    }
    for (name, length) in units where nanoseconds.magnitude >= length.magnitude {
      let tenths = nanoseconds / (length / 10)
      return "\(tenths / 10).\(tenths % 10) \(name)"
    }
    return "\(nanoseconds) ns"
  }
}
