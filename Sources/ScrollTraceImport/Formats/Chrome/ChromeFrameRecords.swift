import ScrollTraceModel

/// The events about frames in file order, from which `ChromeFrameExtractor` derives frames.
struct ChromeFrameRecords {
  /// The content of a pipeline reporter's begin event.
  struct Reporter {
    /// The number of the BeginFrame it reports on.
    var sequence: Int64?
    var isPresented: Bool
    /// Whether the whole frame was presented, including the main thread's update.
    var isComplete: Bool
    var isDropped = false
    /// Whether the compositor wanted no update.
    var isRest = false
    /// Whether the page was scrolled or animated on the compositor.
    var isMoving: Bool { isScrolled || isAnimatedByCompositor }
    var isScrolled = false
    /// Whether the compositor is what scrolled it.
    var isScrolledByCompositor = false
    var isAnimatedByCompositor = false
    /// Whether the page's thread animated something.
    var isAnimated = false
  }

  struct Instant {
    var process: UInt64
    var track: TrackID
    var time: Timestamp
    var sequence: Int64?
  }

  private(set) var reporters: [Reporter] = []
  /// The instants named `BeginFrame`, whose time is the frame time.
  private(set) var beginFrames: [Instant] = []
  /// The frame times in the arguments of `Scheduler::BeginFrame`, with their numbers.
  private(set) var schedulerFrames: [Instant] = []
  /// The refresh intervals that `Scheduler::BeginFrame` announces, with the process.
  private(set) var refreshIntervals: [(process: UInt64, length: TimeSpan)] = []
  /// The animation frames, with the number of their BeginFrame.
  private(set) var animationFrames: [Instant] = []
  /// The main frames from `ProxyMain::BeginMainFrame`, with the number of their BeginFrame.
  private(set) var proxyMainFrames: [Instant] = []
  /// The starts of the main thread's frames, without a usable number.
  private(set) var mainThreadFrames: [Instant] = []
  /// The times at which a compositor drew.
  private(set) var drawFrames: [Instant] = []

  mutating func addComplete(_ known: ChromeKnownEvent) {
    switch known.meaning {
    case .schedulerBeginFrame: addSchedulerFrame(known)
    case .proxyMainBeginMainFrame:
      let number = known.arguments.member("begin_frame_id").flatMap(Self.sequence)
      proxyMainFrames.append(Self.instant(known, number))
    case .threadProxyBeginMainFrame: mainThreadFrames.append(Self.instant(known, nil))
    default: break
    }
  }

  mutating func addInstant(_ known: ChromeKnownEvent) {
    switch known.meaning {
    case .beginFrame:
      let number = known.arguments.member("frameSeqId")?.integer
      beginFrames.append(Self.instant(known, number))
    case .beginMainThreadFrame: mainThreadFrames.append(Self.instant(known, nil))
    case .drawFrame: drawFrames.append(Self.instant(known, nil))
    default: break
    }
  }

  /// Stores the start of asynchronous work and returns the index of a reporter, or -1 for other
  /// work.
  mutating func addAsyncBegin(_ known: ChromeKnownEvent) -> Int32 {
    switch known.meaning {
    case .animationFrame:
      let info = known.arguments.member("animation_frame_timing_info")
      let number = info?.member("begin_frame_id").flatMap(Self.sequence)
      animationFrames.append(Self.instant(known, number))
      return -1
    case .pipelineReporter:
      // Chrome before 2024 names it chrome_frame_reporter.
      let arguments = known.arguments
      let report = arguments.member("frame_reporter") ?? arguments.member("chrome_frame_reporter")
      var reporter = Reporter(isPresented: false, isComplete: false)
      report?.forEachMember { name, value in
        if name.hasBytes(of: "frame_sequence") {
          reporter.sequence = value.integer
        } else if name.hasBytes(of: "state") {
          reporter.isPresented = value.rawText?.hasPrefix("STATE_PRESENTED_") ?? false
          reporter.isComplete = value.isText("STATE_PRESENTED_ALL")
          reporter.isDropped = value.isText("STATE_DROPPED")
          reporter.isRest = value.isText("STATE_NO_UPDATE_DESIRED")
        } else if name.hasBytes(of: "scroll_state") {
          reporter.isScrolled = !value.isText("SCROLL_NONE")
          reporter.isScrolledByCompositor = value.isText("SCROLL_COMPOSITOR_THREAD")
        } else if name.hasBytes(of: "has_compositor_animation") {
          reporter.isAnimatedByCompositor = value.bytes.hasBytes(of: "true")
        } else if name.hasBytes(of: "has_main_animation") {
          reporter.isAnimated = value.bytes.hasBytes(of: "true")
        }
      }
      reporters.append(reporter)
      return Int32(truncatingIfNeeded: reporters.count - 1)
    default: return -1
    }
  }

  private mutating func addSchedulerFrame(_ known: ChromeKnownEvent) {
    var time: Timestamp?
    var sequence: Int64?
    var refreshInterval: Int64 = 0
    known.arguments.member("args")?.forEachMember { name, value in
      if name.hasBytes(of: "interval_us") {
        refreshInterval = JSONNumber.nanoseconds(fromMicroseconds: value.bytes) ?? 0
      } else if name.hasBytes(of: "frame_time_us") {
        time = JSONNumber.nanoseconds(fromMicroseconds: value.bytes).flatMap(
          Timestamp.init(nanoseconds:))
      } else if name.hasBytes(of: "sequence_number") {
        sequence = value.integer
      }
    }
    if refreshInterval > 0 {
      refreshIntervals.append((known.thread.process, TimeSpan(nanoseconds: refreshInterval)))
    }
    if let time {
      var instant = Self.instant(known, sequence)
      instant.time = time
      schedulerFrames.append(instant)
    }
  }

  /// Returns the number in a `begin_frame_id`, which is an object or the number itself.
  private static func sequence(_ view: JSONView) -> Int64? {
    view.kind == .object ? view.member("sequence_number")?.integer : view.integer
  }

  private static func instant(_ known: ChromeKnownEvent, _ sequence: Int64?) -> Instant {
    Instant(
      process: known.thread.process, track: known.thread.track, time: known.time,
      sequence: sequence)
  }
}

/// Finds the ranges in which a page was scrolled, from its input events.
///
/// A scroll lasts from its begin to its last update. Wheel and touch events that belong to none are a scroll by the
/// page's own script, if the page changed. If there are no such events, the page's `scroll` events tell of its scrolls.
struct ChromeInteractions {
  /// Input events less than this apart belong to one interaction, if no scroll ended between them.
  static let joining = TimeSpan.milliseconds(500)
  /// A shorter scroll is a notch of a wheel or a key, and goes on after its last update.
  private static let notch = TimeSpan.milliseconds(100)

  /// A page that shows fewer pictures does not follow the finger.
  private static let minimumPictures = 3
  /// A compositor that wants no update at that many refreshes in a row has nothing to show.
  private static let minimumRest = 6

  /// What Chrome did at a refresh of the page.
  struct Refresh {
    let start: Timestamp
    let end: Timestamp
    /// Whether there was a picture, at the end.
    let isShown: Bool
    /// Whether the picture contains the whole update.
    let isComplete: Bool
    let isRest: Bool
    let isMoving: Bool
    /// Whether the compositor scrolled the page and animated nothing.
    let isHeld: Bool
    let isAnimated: Bool
    /// The end of the update that the page's thread made, or `nil` if it made none.
    let updateEnd: Timestamp?

    var hasUpdate: Bool { updateEnd != nil }
    /// The time of its picture, or `nil` if there was none.
    var shown: Timestamp? { isShown ? end : nil }
  }

  private enum Input: Comparable { case begin, update, other, end }

  private static let types: [(name: StaticString, input: Input)] = [
    ("GESTURE_SCROLL_BEGIN", .begin), ("GESTURE_SCROLL_UPDATE", .update),
    ("FIRST_GESTURE_SCROLL_UPDATE", .update), ("INERTIAL_GESTURE_SCROLL_UPDATE", .update),
    ("GESTURE_SCROLL_END", .end), ("MOUSE_WHEEL", .other), ("TOUCH_MOVED", .other),
  ]

  private var inputs: [(time: Timestamp, input: Input)] = []
  /// The times of the scroll events of each process's pages.
  private var events: [UInt64: [Timestamp]] = [:]

  /// Stores the time at which a page was told that it, or a part of it, had been scrolled.
  mutating func addScrollEvent(at time: Timestamp, of process: UInt64) {
    events[process, default: []].append(time)
  }

  /// Stores the start of asynchronous work, which can be a scroll input event.
  ///
  /// Its time is the time the system created the event.
  mutating func addInput(_ known: ChromeKnownEvent) {
    switch known.meaning {
    case .scrollBegin: inputs.append((known.time, .begin))
    case .scrollUpdate: inputs.append((known.time, .update))
    case .scrollEnd: inputs.append((known.time, .end))
    case .wheelOrTouch: inputs.append((known.time, .other))
    case .eventLatency:
      let latency = known.arguments.member("event_latency")
      let chrome = latency ?? known.arguments.member("chrome_event_latency")
      guard let type = chrome?.member("event_type"),
        let input = Self.types.first(where: { type.isText($0.name) })?.input
      else { return }
      inputs.append((known.time, input))
    default: break
    }
  }

  /// Returns the starts of the refreshes, given by time, at which a scrolled page rested under the finger: two or more
  /// in a row at which neither the compositor nor the page's thread wanted a picture, and no input waited for one. A
  /// page whose thread had time for an update, and changed nothing, rested too.
  func rests(in refreshes: [Refresh]) -> [Timestamp] {
    var busy: Set<Timestamp> = []
    for (index, refresh) in refreshes.enumerated() {
      let next = index + 1 < refreshes.count ? refreshes[index + 1].start : refresh.end
      let isLong = refresh.updateEnd.map { $0 > next } ?? false
      if !refresh.isRest || refresh.isAnimated || isLong { busy.insert(refresh.start) }
    }
    let times = inputs.filter { $0.input != .end }.map(\.time).sorted()
    var found: [Timestamp] = []
    for run in refreshes.split(whereSeparator: { busy.contains($0.start) }) {
      guard let held = run.firstIndex(where: \.isHeld) else { continue }
      let last = run.startIndex > 0 ? refreshes[run.startIndex - 1].start : .zero
      let next = times.partitionPoint { $0 > last }
      let quiet = run[held...].prefix { $0.isHeld || !$0.isMoving }
      // At the first one, an animation may have just ended. What comes during a refresh is shown at the next one.
      let rests = (max(run.startIndex, held - 1)..<quiet.endIndex).prefix {
        $0 == run.startIndex || next == times.count || refreshes[$0 - 1].start <= times[next]
      }
      let starts = Set(rests.map { refreshes[$0].start })
      if starts.count > 1 { found += starts.sorted() }
    }
    return found
  }

  /// Adds the interactions of the page of a process with these refreshes, which are given by time.
  func finish(_ refreshes: [Refresh], of page: UInt64?, in builder: inout TraceBuilder) {
    guard !inputs.isEmpty else {
      for range in ChromeScrolls(refreshes, events: page.flatMap { events[$0] } ?? []).ranges {
        builder.addInteraction(Interaction(kind: "scroll", start: range.start, end: range.end))
      }
      return
    }
    let scrolls = scrolls()
    let others = Self.joined(inputs.filter { $0.input == .other }.map(\.time)).filter { range in
      let isOfScroll = scrolls.contains {
        $0.start - Self.joining < range.end && range.start < $0.end + Self.joining
      }
      return !isOfScroll && !Self.isRest(range, refreshes)
    }
    let all = (scrolls + others).sorted { $0.start < $1.start }
    for (index, range) in all.enumerated() {
      let next = index + 1 < all.count ? all[index + 1].start : nil
      builder.addInteraction(
        Interaction(
          kind: "scroll", start: range.start, end: Self.end(of: range, before: next, refreshes)))
    }
  }

  /// The scrolls, from their begins, or else their first updates, to their last updates.
  private func scrolls() -> [TimeRange] {
    var (found, open): ([TimeRange], TimeRange?) = ([], nil)
    for (time, input) in inputs.sorted(by: { ($0.time, $0.input) < ($1.time, $1.input) }) {
      if let range = open, time - range.end >= Self.joining || input == .begin && time > range.end {
        found.append(range)
        open = nil
      }
      switch input {
      case .begin: open = open ?? TimeRange(start: time, end: time)
      case .update: open = TimeRange(start: open?.start ?? time, end: time)
      case .other: open = open.map { TimeRange(start: $0.start, end: time) }
      case .end:
        if let range = open { found.append(range) }
        open = nil
      }
    }
    return found + [open].compactMap { $0 }
  }

  private static func joined(_ times: [Timestamp]) -> [TimeRange] {
    times.sorted().reduce(into: [TimeRange]()) { ranges, time in
      if let last = ranges.last, time - last.end < joining {
        ranges[ranges.count - 1] = TimeRange(start: last.start, end: time)
      } else {
        ranges.append(TimeRange(start: time, end: time))
      }
    }
  }

  /// Returns whether the page showed nothing new, or only now and then, in a range.
  private static func isRest(_ range: TimeRange, _ refreshes: [Refresh]) -> Bool {
    guard !refreshes.isEmpty else { return false }
    let inside = refreshes[refreshes.partitionPoint { $0.start >= range.start }...]
      .prefix { $0.start <= range.end }
    let pictures = inside.count { $0.shown != nil }
    return pictures < minimumPictures || pictures < inside.count { $0.isRest }
  }

  /// Returns the end of a scroll: where the end of the page was reached, that of the last picture; of a notch, the
  /// end of its animation, but at least the next picture.
  private static func end(
    of range: TimeRange, before next: Timestamp?, _ refreshes: [Refresh]
  ) -> Timestamp {
    let longest = range.end + joining
    let limit = min(next ?? longest, longest)
    let near = refreshes[refreshes.partitionPoint { $0.start + joining >= range.start }...]
      .prefix { $0.start < limit }
    guard range.length < notch else {
      let inside = near.prefix { $0.start <= range.end }
      let rest = inside.reversed().prefix { $0.isRest && $0.isMoving }
      guard rest.count >= minimumRest,
        let picture = inside.dropLast(rest.count).compactMap(\.shown).max()
      else { return range.end }
      return min(range.end, max(range.start, picture))
    }
    guard
      let picture = near.filter({ $0.shown ?? range.end > range.end })
        .min(by: { $0.shown ?? limit < $1.shown ?? limit })
    else { return range.end }
    let rests = near.count { $0.isRest && $0.start > range.end && $0.start < picture.start }
    guard rests < minimumRest else { return range.end }
    let moving = near.last { $0.isMoving && $0.shown != nil }?.shown
    return min(limit, max(range.end, picture.shown ?? range.end, moving ?? range.end))
  }
}
