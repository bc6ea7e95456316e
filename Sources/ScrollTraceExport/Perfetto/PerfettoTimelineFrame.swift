import ScrollTraceModel

/// A frame as events of Android's frame timeline: the host's expected and actual work as surface
/// frames, and the expected and actual presentation as display frames.
struct PerfettoTimelineFrame: ~Copyable {
  private typealias Field = PerfettoField

  private let frame: Frame
  private let verdict: Verdict
  private let layer: String
  private let process: Int64
  private let token: Int64
  /// The number of the next pair of a start and an end.
  private var cookie: Int64
  /// The event that is being written, whose memory all share.
  private var event = ProtoMessage()

  /// Creates the events of `frame`, with the number of its process and its own number.
  init(_ frame: Frame, of surface: Surface, process: Int64, token: Int64) {
    self.frame = frame
    verdict = Verdict(frame, surface)
    layer = surface.name
    self.process = process
    self.token = token
    cookie = token * 4
  }

  /// Calls `write` with the events and their times.
  mutating func writeEvents(_ write: (Timestamp, UnsafeRawBufferPointer) -> Void) {
    guard frame.outcome != .notRequested else { return }
    let start = frame.start ?? frame.commitStart
    // Until the deadline, or until the target if only that is known.
    if let start, let end = frame.deadline ?? frame.target {
      add(Field.Frame.expectedSurface, from: start, to: end, write)
    }
    cookie += 1
    let done = frame.commitEnd ?? frame.presented
    if let end = done ?? (frame.outcome == .dropped ? frame.time : nil) {
      let start = frame.commitStart ?? frame.start ?? end
      add(Field.Frame.actualSurface, verdict, from: start, to: end, write)
    }
    cookie += 1
    if let start, let end = frame.target, frame.deadline != nil {
      add(Field.Frame.expectedDisplay, from: start, to: end, write)
    }
    cookie += 1
    if let end = frame.presented, frame.commitEnd != nil {
      add(Field.Frame.actualDisplay, verdict, from: start ?? end, to: end, write)
    }
  }

  private mutating func add(
    _ field: UInt64, _ verdict: Verdict? = nil, from start: Timestamp, to end: Timestamp,
    _ write: (Timestamp, UnsafeRawBufferPointer) -> Void
  ) {
    let (cookie, token, process, layer) = (cookie, token, process, layer)
    event.removeAll()
    event.add(field) { message in
      message.add(Field.Frame.cookie, cookie)
      message.add(Field.Frame.token, token)
      if field == Field.Frame.expectedDisplay || field == Field.Frame.actualDisplay {
        message.add(Field.DisplayFrame.process, process)
        verdict?.add(toDisplayFrame: &message)
      } else {
        message.add(Field.SurfaceFrame.displayToken, token)
        message.add(Field.SurfaceFrame.process, process)
        message.add(Field.SurfaceFrame.layer, layer)
        verdict?.add(toSurfaceFrame: &message)
      }
    }
    write(start, event.bytes)
    event.removeAll()
    event.add(Field.Frame.end) { $0.add(Field.Frame.cookie, cookie) }
    write(max(start, end), event.bytes)
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
