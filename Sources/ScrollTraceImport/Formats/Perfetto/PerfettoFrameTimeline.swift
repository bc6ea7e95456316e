import ScrollTraceModel

/// Derives frames from Android's frame timeline.
///
/// A surface is a process: all windows of an app are drawn by one commit and share its number. The
/// system's compositor has its own frames on its own surface.
///
/// Android records the deadline and the end of an app's work, but not the presentation; so frames
/// have a deadline and a commit end, but no presentation time.
struct PerfettoFrameTimeline {
  private struct Begin {
    var time: Timestamp
    var event: PerfettoFrameEvent
    var end: Timestamp?
  }

  private struct End {
    var time: Timestamp
    var cookie: Int64
    /// The number of earlier begins.
    var order: Int
  }

  private var begins: [Begin] = []
  private var ends: [End] = []

  var lastTime: Timestamp? { (begins.map(\.time) + ends.map(\.time)).max() }

  mutating func add(_ event: PerfettoFrameEvent, at time: Timestamp) {
    if event.kind == .end {
      ends.append(End(time: time, cookie: event.cookie, order: begins.count))
    } else {
      begins.append(Begin(time: time, event: event))
    }
  }

  /// Adds the frames to `builder`, and returns the process with most of them: the app on screen.
  ///
  /// - Parameter recorder: The process that tells of its frames itself, or `nil`.
  mutating func finish(
    _ processes: PerfettoProcesses, tracks: ChromeTracks, besides recorder: UInt64?,
    in builder: inout TraceBuilder
  ) -> UInt64? {
    guard !begins.isEmpty || !ends.isEmpty else { return nil }
    pair(countingLossesIn: &builder)
    let streams = streams().filter { UInt64($0.process) != recorder }
    let host = streams.filter { !$0.isDisplay }.max {
      ($0.frames.count, $1.process) < ($1.frames.count, $0.process)
    }
    let refresh = PerfettoRefresh(display: streams.first { $0.isDisplay }, app: host)
    if let interval = refresh?.usual {
      builder.addNotice(
        "the refresh interval is estimated from when frames were due to begin:"
          + " \(interval.nanoseconds / 1000) us")
    }
    var mainTracks = tracks.mainTracks
    if let host, mainTracks[UInt64(host.process)] != nil {
      // Without a thread, the frames of another app would seem to be the display's.
      for number in streams.filter({ !$0.isDisplay }).map({ UInt64($0.process) })
      where mainTracks[number] == nil {
        let process = builder.process(number)
        if let name = processes.name(number) { builder.setName(name, of: process) }
        mainTracks[number] = builder.track(number, of: process)
      }
    }
    for stream in streams {
      let name = processes.displayName(UInt64(stream.process))
      let surface = builder.surface(stream.isDisplay ? "\(name) (compositor)" : name)
      let track = stream.isDisplay ? nil : mainTracks[UInt64(stream.process)]
      let intervals = refresh?.intervals(of: stream.frames) ?? []
      if refresh != nil { builder[surface].derivesRefreshInterval = true }
      for (index, var frame) in stream.frames.enumerated() {
        frame.frame.refreshInterval = intervals.isEmpty ? nil : intervals[index]
        frame.frame.track = track
        frame.frame.sourceLabel = PerfettoJank.text(frame.jank).map { builder.string($0) }
        builder.updateFrame(frame.frame, of: surface)
      }
    }
    return host.map { UInt64($0.process) }
  }

  /// Pairs begins and ends in order of time, whatever their order in the file.
  private mutating func pair(countingLossesIn builder: inout TraceBuilder) {
    // Simultaneous events are in file order.
    let starts = begins.indices.sorted { (begins[$0].time, $0) < (begins[$1].time, $1) }
    let order = ends.indices.sorted { (ends[$0].time, $0) < (ends[$1].time, $1) }
    var open: [Int64: Int] = [:]
    var (next, unended) = (0, 0)
    for index in order {
      let end = ends[index]
      while next < starts.count {
        let begin = begins[starts[next]]
        guard begin.time < end.time || begin.time == end.time && starts[next] < end.order else {
          break
        }
        if open.updateValue(starts[next], forKey: begin.event.cookie) != nil { unended += 1 }
        next += 1
      }
      if let begin = open.removeValue(forKey: end.cookie) {
        begins[begin].end = end.time
      } else {
        builder.countLoss(.unmatchedEnd)
      }
    }
    unended += open.count + starts.count - next
    builder.addNotice("begins in the frame timeline whose end is missing", count: unended)
    begins = starts.map { begins[$0] }
    ends = []
  }

  // MARK: - Frames

  struct Stream {
    var process: UInt32
    var isDisplay: Bool
    var frames: [Draft] = []
  }

  /// A frame, and its problems according to Android.
  struct Draft {
    var frame: Frame
    var jank: UInt64 = 0
    /// The time the frame was due to start.
    var expected: Timestamp?
    /// Whether some window was presented on time, and whether some was not.
    var wasOnTime = false
    var wasLate = false
    /// Whether some window was never presented, and whether that of some is unknown.
    var wasDropped = false
    var hasUnknown = false
  }

  private struct StreamKey: Hashable {
    var process: UInt32
    var isDisplay: Bool
  }

  private struct FrameKey: Hashable {
    var stream: Int
    var token: Int64
  }

  /// Returns the frames in order of time, by process; those of the display come first.
  private func streams() -> [Stream] {
    var streams: [Stream] = []
    var positions: [StreamKey: Int] = [:]
    var frames: [FrameKey: Int] = [:]
    for begin in begins {
      let event = begin.event
      let key = StreamKey(process: event.process, isDisplay: event.kind.isDisplay)
      let position = streams.position(
        of: key, in: &positions,
        adding: Stream(process: event.process, isDisplay: event.kind.isDisplay))
      let index = streams[position].frames.position(
        of: FrameKey(stream: position, token: event.token), in: &frames,
        adding: Draft(frame: Frame(id: UInt64(bitPattern: event.token))))
      Self.add(begin, to: &streams[position].frames[index])
    }
    for index in streams.indices {
      for frame in streams[index].frames.indices { streams[index].frames[frame].settle() }
    }
    return streams.sorted {
      ($0.isDisplay ? 0 : 1, $0.process) < ($1.isDisplay ? 0 : 1, $1.process)
    }
  }

  /// Adds the data of one window to a frame: the first expectation applies to all windows, and the
  /// frame ends with the last one.
  private static func add(_ start: Begin, to draft: inout Draft) {
    let event = start.event
    if event.kind.isExpected {
      draft.expected = draft.expected ?? start.time
      draft.frame.deadline = draft.frame.deadline ?? start.end
      return
    }
    draft.frame.commitStart = min(draft.frame.commitStart ?? start.time, start.time)
    draft.jank |= event.jank
    if event.presentation == .dropped {
      // Its end is the time it was discarded.
      draft.wasDropped = true
      return
    }
    if let end = start.end { draft.frame.commitEnd = max(draft.frame.commitEnd ?? end, end) }
    switch event.presentation {
    case .onTime, .early: draft.wasOnTime = true
    case .late: draft.wasLate = true
    default: draft.hasUnknown = true
    }
  }
}

extension PerfettoFrameTimeline.Draft {
  /// Sets the frame's outcome and times, after all of it is known: it was dropped only if all of
  /// its windows were.
  fileprivate mutating func settle() {
    if wasOnTime || wasLate {
      frame.outcome = .presented
    } else if wasDropped, !hasUnknown {
      frame.outcome = .dropped
    }
    frame.wasOnTime = wasOnTime && !wasLate
    if let expected {
      // A commit can start before it was due.
      frame.start = min(expected, frame.commitStart ?? expected)
    } else if frame.commitEnd == nil {
      frame.start = frame.commitStart
    }
  }
}

/// One event of Android's frame timeline: the start of an expected or actual frame, or an end.
struct PerfettoFrameEvent {
  enum Kind: UInt8 {
    case expectedDisplay = 1
    case actualDisplay = 2
    case expectedSurface = 3
    case actualSurface = 4
    case end = 5

    var isExpected: Bool { self == .expectedDisplay || self == .expectedSurface }
    var isDisplay: Bool { self == .expectedDisplay || self == .actualDisplay }
  }

  enum Presentation: UInt8 {
    case unspecified
    case onTime
    case late
    case early
    case dropped
    case unknown
  }

  let kind: Kind
  /// The key shared by a begin and its end.
  private(set) var cookie: Int64 = 0
  private(set) var token: Int64 = 0
  private(set) var process: UInt32 = 0
  private(set) var jank: UInt64 = 0
  private(set) var presentation = Presentation.unspecified
  /// Whether a field has an undefined value.
  private(set) var hasInvalidValue = false

  /// Creates the event in `bytes`, or returns `nil` if it is damaged or lacks its identity.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var found: (kind: Kind, bytes: UnsafeRawBufferPointer)?
    var fields = WireFields(bytes)
    while fields.next() {
      guard fields.isBytes, fields.number <= 5,
        let kind = Kind(rawValue: UInt8(truncatingIfNeeded: fields.number))
      else { continue }
      found = (kind, fields.bytes)
    }
    guard !fields.isDamaged, let found else { return nil }
    kind = found.kind
    guard read(found.bytes) else { return nil }
  }

  /// Reads the fields; returns `false` if a required one is missing.
  private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isSurface = !kind.isDisplay
    // Display frames have no surface frame number, so the following fields have lower numbers.
    let processField: UInt32 = isSurface ? 4 : 3
    let presentationField: UInt32 = isSurface ? 6 : 4
    let jankField: UInt32 = isSurface ? 9 : 7
    let predictionField: UInt32 = isSurface ? 10 : 8
    var seen: UInt32 = 0
    var fields = WireFields(bytes)
    while fields.next() {
      guard !fields.isBytes else { continue }
      if fields.number <= 4 { seen |= 1 << fields.number }
      if fields.number == 1 { cookie = fields.signed }
      guard kind != .end else { continue }
      if fields.number == 2 { token = fields.signed }
      if fields.number == processField { process = UInt32(truncatingIfNeeded: fields.value) }
      guard !kind.isExpected else { continue }
      if fields.number == presentationField {
        if let known = UInt8(exactly: fields.value).flatMap(Presentation.init(rawValue:)) {
          presentation = known
        } else {
          hasInvalidValue = true
        }
      }
      if fields.number == jankField { jank |= fields.value }
      if fields.number == predictionField, fields.value > 3 { hasInvalidValue = true }
    }
    guard !fields.isDamaged else { return false }
    let needed: UInt32 = kind == .end ? 0b10 : isSurface ? 0b11110 : 0b1110
    return seen & needed == needed
  }
}

/// Android's names of a frame's problems.
enum PerfettoJank {
  /// The bits in the order of Android's tools, with their names.
  private static let words: [(bit: UInt64, word: String)] = [
    (2, "SurfaceFlinger Scheduling"),
    (4, "Prediction Error"),
    (8, "Display HAL"),
    (16, "SurfaceFlinger CPU Deadline Missed"),
    (32, "SurfaceFlinger GPU Deadline Missed"),
    (64, "App Deadline Missed"),
    (4096, "App Resynced Jitter"),
    (128, "Buffer Stuffing"),
    (256, "Unknown Jank"),
    (512, "SurfaceFlinger Stuffing"),
    (1024, "Dropped Frame"),
    (2048, "Non Animating"),
    (8192, "Display not ON"),
    (16384, "ModeChange in progress"),
    (32768, "PowerModeChange in progress"),
  ]

  static let none: UInt64 = 1
  static let appDeadlineMissed: UInt64 = 64

  /// Returns the names for `bits`, or `nil` if the source does not state them.
  static func text(_ bits: UInt64) -> String? {
    let found = words.filter { bits & $0.bit != 0 }.map(\.word)
    if !found.isEmpty { return found.joined(separator: ", ") }
    return bits & none != 0 ? "None" : nil
  }
}
