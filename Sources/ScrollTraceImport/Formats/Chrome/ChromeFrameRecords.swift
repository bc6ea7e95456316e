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
        }
        return true
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
      return true
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

/// Finds the ranges in which a page was scrolled, from its scroll input events.
struct ChromeInteractions {
  /// Input events less than this apart belong to one interaction.
  static let joining = TimeSpan.milliseconds(500)

  private static let scrollingTypes: [StaticString] = [
    "MOUSE_WHEEL", "TOUCH_MOVED", "GESTURE_SCROLL_UPDATE", "FIRST_GESTURE_SCROLL_UPDATE",
    "INERTIAL_GESTURE_SCROLL_UPDATE",
  ]

  private var inputs: [Timestamp] = []

  /// Stores the start of asynchronous work, which can be a scroll input event.
  ///
  /// Its time is the time the system created the event.
  mutating func addInput(_ known: ChromeKnownEvent) {
    switch known.meaning {
    case .scrollInputLatency: inputs.append(known.time)
    case .eventLatency:
      let latency = known.arguments.member("event_latency")
      let chrome = latency ?? known.arguments.member("chrome_event_latency")
      guard let type = chrome?.member("event_type") else { return }
      if Self.scrollingTypes.contains(where: type.isText) { inputs.append(known.time) }
    default: break
    }
  }

  func finish(in builder: inout TraceBuilder) {
    var start: Timestamp?
    var last = Timestamp.zero
    for time in inputs.sorted() {
      if let first = start, time - last >= Self.joining {
        builder.addInteraction(Interaction(kind: "scroll", start: first, end: last))
        start = time
      }
      start = start ?? time
      last = time
    }
    if let start { builder.addInteraction(Interaction(kind: "scroll", start: start, end: last)) }
  }
}
