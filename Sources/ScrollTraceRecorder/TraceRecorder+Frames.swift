internal import Synchronization

extension TraceRecorder {
  /// Begins the commit of a frame on the calling thread.
  ///
  /// What the tick says is in the file at once, so that the frame a hang dies in is there.
  ///
  /// - Parameters:
  ///   - tick: What the display says about the frame.
  ///   - surface: The stream it belongs to; `nil` for the one called "display".
  ///   - id: Its number; `nil` to count, from 1.
  public func beginFrame(
    _ tick: FrameTick = FrameTick(), surface: Surface? = nil, id: UInt64? = nil
  ) -> RecordedFrame {
    let surface = surface ?? defaultSurface
    guard takesEvent() else {
      return RecordedFrame(recorder: self, surface: surface, id: id ?? 0, token: .off)
    }
    let id = id ?? surface.takeFrameID()
    let writer = writer
    writer.writeInstant(surface.name, .frame, details: TickDetails(frame: id, tick: tick))
    let token = writer.beginSpan(surface.name, SpanCategory.frame.name, item: id)
    return RecordedFrame(recorder: self, surface: surface, id: id, token: token)
  }

  /// Says when a frame was on the glass, from any thread.
  public func presented(_ frame: UInt64, at time: Nanoseconds, surface: Surface? = nil) {
    guard takesEvent() else { return }
    let name = (surface ?? defaultSurface).name
    writer.writeInstant(name, .frame, details: PresentedDetails(frame: frame, time: time))
  }

  /// Says what became of a frame, from any thread.
  public func resolved(_ frame: UInt64, as outcome: RecordedOutcome, surface: Surface? = nil) {
    guard takesEvent() else { return }
    let name = (surface ?? defaultSurface).name
    writer.writeInstant(
      name, .frame, details: CommitDetails(frame: frame, outcome: outcome.name))
  }
}

extension Surface {
  /// The number of the next frame.
  func takeFrameID() -> UInt64 {
    block.pointee.frameCount.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// What is known of a frame at its begin.
private struct TickDetails: EventDetails {
  var frame: UInt64
  var tick: FrameTick

  var keys: UInt64 {
    ArgumentKey.frame.bit | tick.begin.bit(.begin) | tick.deadline.bit(.deadline)
      | tick.target.bit(.target) | tick.interval.bit(.interval)
  }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.frame, frame)
    if let begin = tick.begin { record.argument(.begin, begin) }
    if let deadline = tick.deadline { record.argument(.deadline, deadline) }
    if let target = tick.target { record.argument(.target, target) }
    if let interval = tick.interval { record.argument(.interval, interval) }
  }
}

/// When a frame was on the glass.
private struct PresentedDetails: EventDetails {
  var frame: UInt64
  var time: Nanoseconds

  var keys: UInt64 { ArgumentKey.frame.bit | ArgumentKey.presented.bit }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.frame, frame)
    record.argument(.presented, time)
  }
}
