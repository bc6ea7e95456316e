import ScrollTraceModel

/// Frames as Android's frame timeline: the host's expected and actual work as surface frames, and
/// the expected and actual presentation as display frames.
extension PerfettoWriter {
  /// The classification of a frame by the source's own times.
  private struct Verdict {
    /// 1 on time, 2 late, 4 dropped, 5 unknown.
    var present: UInt64 = 5
    /// A Boolean value indicating whether the commit met the deadline.
    var isInTime = true
    /// 1 none, 64 the app's deadline was missed, 256 unknown, 1024 dropped.
    var cause: UInt64 = 1
    /// 1 none, 2 partial, 3 full.
    var severity: UInt64 = 1

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

  /// Writes the frames of all surfaces.
  mutating func writeFrames() {
    let process = host.map { numbers.processes[$0.index] } ?? 1
    let keepsNumbers = hasOwnNumbers
    var token: Int64 = 0
    for surface in trace.surfaces {
      for index in 0..<surface.frames.count {
        let frame = surface.frames[index]
        token = keepsNumbers ? Int64(frame.id) : token + 1
        if !write(frame, of: surface, process, token) { writeInstant(frame, of: surface) }
        if frame.refreshInterval != nil { leftOut.add(.refreshInterval) }
        if frame.sourceLabel != nil { leftOut.add(.verdict) }
        guard !output.hasFailed else { return }
      }
      if !keepsNumbers { leftOut.add(.frameNumber, surface.frames.count) }
      for hitch in surface.listedHitches { write(hitch, of: surface) }
    }
    // Frames are of a process there.
    leftOut.add(.surface, trace.surfaces.count { $0.frames.count > 0 } - 1)
  }

  /// A Boolean value indicating whether the numbers of all frames are unique and valid as tokens.
  private var hasOwnNumbers: Bool {
    var seen: Set<UInt64> = []
    for surface in trace.surfaces {
      for index in 0..<surface.frames.count {
        let id = surface.frames[index].id
        guard 1..<(1 << 48) ~= id, seen.insert(id).inserted else { return false }
      }
    }
    return true
  }

  /// Writes a frame, or returns `false` if too little is known about it.
  private mutating func write(
    _ frame: Frame, of surface: Surface, _ process: Int64, _ token: Int64
  ) -> Bool {
    guard frame.outcome != .notRequested else { return false }
    let verdict = verdict(on: frame, of: surface)
    var cookie = token * 4
    var isShown = false
    // Expected: until the deadline, or until the target if only that is known.
    if let start = frame.start ?? frame.commitStart, let end = frame.deadline ?? frame.target {
      add(
        Field.Frame.expectedSurface,
        surfaceFrame(cookie, token, process, surface.name), from: start, to: end, cookie)
      isShown = true
    }
    cookie += 1
    let done = frame.commitEnd ?? frame.presented
    if let end = done ?? (frame.outcome == .dropped ? frame.place : nil) {
      var message = surfaceFrame(cookie, token, process, surface.name)
      verdict.add(toSurfaceFrame: &message)
      // Neither on time nor late: it cannot be represented as presented.
      if verdict.present == 5, frame.outcome == .presented, frame.sourceLabel == nil {
        leftOut.add(.verdict)
      }
      add(
        Field.Frame.actualSurface, message, from: frame.commitStart ?? frame.start ?? end, to: end,
        cookie)
      isShown = true
    }
    cookie += 1
    if let start = frame.start ?? frame.commitStart, let end = frame.target, frame.deadline != nil {
      add(
        Field.Frame.expectedDisplay, displayFrame(cookie, token, process), from: start, to: end,
        cookie)
    }
    cookie += 1
    if let end = frame.presented, frame.commitEnd != nil {
      var message = displayFrame(cookie, token, process)
      verdict.add(toDisplayFrame: &message)
      add(
        Field.Frame.actualDisplay, message, from: frame.start ?? frame.commitStart ?? end, to: end,
        cookie)
    }
    return isShown
  }

  private func verdict(on frame: Frame, of surface: Surface) -> Verdict {
    var verdict = Verdict()
    var late = TimeSpan.zero
    if frame.outcome == .dropped {
      (verdict.present, verdict.cause, verdict.severity) = (4, 1024, 3)
      return verdict
    }
    if let end = frame.commitEnd, let deadline = frame.deadline, end > deadline {
      verdict.isInTime = false
      verdict.cause = 64
      late = end - deadline
    }
    // The source's classification takes precedence over its times, unless these are the basis
    // (M-2).
    if let presented = frame.presented, let target = frame.target,
      !frame.wasOnTime || surface.basis == .target
    {
      let isLate = presented - target > surface.presentationTolerance
      verdict.present = isLate ? 2 : 1
      if isLate, verdict.isInTime { verdict.cause = 256 }
      if isLate { late = presented - target }
    } else if frame.wasOnTime {
      (verdict.present, verdict.cause) = (1, 1)
      late = .zero
    } else if frame.outcome == .presented, !verdict.isInTime {
      verdict.present = 2
    }
    if late > .zero {
      verdict.severity = late > (frame.refreshInterval ?? late) ? 3 : 2
    }
    return verdict
  }

  private func surfaceFrame(
    _ cookie: Int64, _ token: Int64, _ process: Int64, _ name: String
  ) -> ProtoMessage {
    var message = ProtoMessage()
    message.add(Field.Frame.cookie, cookie)
    message.add(Field.Frame.token, token)
    message.add(Field.SurfaceFrame.displayToken, token)
    message.add(Field.SurfaceFrame.process, process)
    message.add(Field.SurfaceFrame.layer, name)
    return message
  }

  private func displayFrame(_ cookie: Int64, _ token: Int64, _ process: Int64) -> ProtoMessage {
    var message = ProtoMessage()
    message.add(Field.Frame.cookie, cookie)
    message.add(Field.Frame.token, token)
    message.add(Field.DisplayFrame.process, process)
    return message
  }

  private mutating func add(
    _ field: UInt64, _ message: ProtoMessage, from start: Timestamp, to end: Timestamp,
    _ cookie: Int64
  ) {
    add(field, message, at: start)
    var last = ProtoMessage()
    last.add(Field.Frame.cookie, cookie)
    add(Field.Frame.end, last, at: max(start, end))
  }

  private mutating func add(_ field: UInt64, _ message: ProtoMessage, at time: Timestamp) {
    var event = ProtoMessage()
    event.add(field, message)
    var packet = ProtoMessage()
    packet.add(Field.Packet.timestamp, UInt64(time.nanoseconds))
    packet.add(Field.Packet.frame, event)
    add(packet)
  }
}
