import ScrollTraceModel

/// A frame as events of Android's frame timeline: the host's expected and actual work as surface
/// frames, and the expected and actual presentation as display frames.
struct PerfettoTimelineFrame {
  private typealias Field = PerfettoField

  /// The events in order of writing.
  private(set) var events: [(time: Timestamp, message: ProtoMessage)] = []

  private let frame: Frame
  private let process: Int64
  private let token: Int64
  /// The number of the next pair of a start and an end.
  private var cookie: Int64

  /// Creates the events of `frame`, with the number of its process and its own number.
  init(_ frame: Frame, of surface: Surface, process: Int64, token: Int64) {
    self.frame = frame
    self.process = process
    self.token = token
    cookie = token * 4
    guard frame.outcome != .notRequested else { return }
    let verdict = Verdict(frame, surface)
    addExpectedWork(surface.name)
    addActualWork(surface.name, verdict)
    addExpectedPresentation()
    addActualPresentation(verdict)
  }

  /// Until the deadline, or until the target if only that is known.
  private mutating func addExpectedWork(_ layer: String) {
    defer { cookie += 1 }
    guard let start = frame.start ?? frame.commitStart, let end = frame.deadline ?? frame.target
    else { return }
    add(Field.Frame.expectedSurface, surfaceFrame(layer), from: start, to: end)
  }

  private mutating func addActualWork(_ layer: String, _ verdict: Verdict) {
    defer { cookie += 1 }
    let done = frame.commitEnd ?? frame.presented
    guard let end = done ?? (frame.outcome == .dropped ? frame.time : nil) else { return }
    var message = surfaceFrame(layer)
    verdict.add(toSurfaceFrame: &message)
    add(
      Field.Frame.actualSurface, message, from: frame.commitStart ?? frame.start ?? end, to: end)
  }

  private mutating func addExpectedPresentation() {
    defer { cookie += 1 }
    guard let start = frame.start ?? frame.commitStart, let end = frame.target,
      frame.deadline != nil
    else { return }
    add(Field.Frame.expectedDisplay, displayFrame, from: start, to: end)
  }

  private mutating func addActualPresentation(_ verdict: Verdict) {
    guard let end = frame.presented, frame.commitEnd != nil else { return }
    var message = displayFrame
    verdict.add(toDisplayFrame: &message)
    add(
      Field.Frame.actualDisplay, message, from: frame.start ?? frame.commitStart ?? end, to: end)
  }

  private func surfaceFrame(_ layer: String) -> ProtoMessage {
    var message = ProtoMessage()
    message.add(Field.Frame.cookie, cookie)
    message.add(Field.Frame.token, token)
    message.add(Field.SurfaceFrame.displayToken, token)
    message.add(Field.SurfaceFrame.process, process)
    message.add(Field.SurfaceFrame.layer, layer)
    return message
  }

  private var displayFrame: ProtoMessage {
    var message = ProtoMessage()
    message.add(Field.Frame.cookie, cookie)
    message.add(Field.Frame.token, token)
    message.add(Field.DisplayFrame.process, process)
    return message
  }

  private mutating func add(
    _ field: UInt64, _ message: ProtoMessage, from start: Timestamp, to end: Timestamp
  ) {
    var first = ProtoMessage()
    first.add(field, message)
    events.append((start, first))
    var last = ProtoMessage()
    last.add(Field.Frame.cookie, cookie)
    var event = ProtoMessage()
    event.add(Field.Frame.end, last)
    events.append((max(start, end), event))
  }
}

extension PerfettoTimelineFrame {
  /// The classification of a frame by the source's own times.
  private struct Verdict {
    /// 1 on time, 2 late, 4 dropped, 5 unknown.
    private var present: UInt64 = 5
    /// Whether the commit met the deadline.
    private var isInTime = true
    /// 1 none, 64 the app's deadline was missed, 256 unknown, 1024 dropped.
    private var cause: UInt64 = 1
    /// 1 none, 2 partial, 3 full.
    private var severity: UInt64 = 1

    init(_ frame: Frame, _ surface: Surface) {
      var late = TimeSpan.zero
      if frame.outcome == .dropped {
        (present, cause, severity) = (4, 1024, 3)
        return
      }
      if let end = frame.commitEnd, let deadline = frame.deadline, end > deadline {
        isInTime = false
        cause = 64
        late = end - deadline
      }
      // The source's classification takes precedence over its times, unless these are the basis
      // (M-2).
      if let presented = frame.presented, let target = frame.target,
        !frame.wasOnTime || surface.basis == .target
      {
        let isLate = presented - target > surface.presentationTolerance
        present = isLate ? 2 : 1
        if isLate, isInTime { cause = 256 }
        if isLate { late = presented - target }
      } else if frame.wasOnTime {
        (present, cause) = (1, 1)
        late = .zero
      } else if frame.outcome == .presented, !isInTime {
        present = 2
      }
      if late > .zero {
        severity = late > (frame.refreshInterval ?? late) ? 3 : 2
      }
    }

    func add(toSurfaceFrame message: inout ProtoMessage) {
      message.add(Field.SurfaceFrame.present, present)
      message.add(Field.SurfaceFrame.isInTime, isInTime)
      message.add(Field.SurfaceFrame.jank, cause)
      message.add(Field.SurfaceFrame.prediction, UInt64(1))
      message.add(Field.SurfaceFrame.severity, severity)
    }

    func add(toDisplayFrame message: inout ProtoMessage) {
      message.add(Field.DisplayFrame.present, present)
      message.add(Field.DisplayFrame.isInTime, present != 2)
      message.add(Field.DisplayFrame.jank, present == 2 ? 256 : UInt64(1))
      message.add(Field.DisplayFrame.prediction, UInt64(1))
      message.add(Field.DisplayFrame.severity, present == 2 ? severity : 1)
    }
  }
}
