internal import ScrollTraceLayout
internal import Synchronization

extension TraceRecorder {
  /// Begins the commit of a frame on the calling thread.
  ///
  /// What the tick says is in the file at once, so that the frame a hang dies in is there.
  ///
  /// - Parameters:
  ///   - tick: What the display says about the frame.
  ///   - surface: The stream it belongs to; `nil` for the one called "display".
  ///   - id: Its number; `nil` to count, from 1. Number all frames of a surface or none of them.
  public func beginFrame(
    _ tick: FrameTiming = FrameTiming(), surface: RecordedSurface? = nil, id: UInt64? = nil
  ) -> RecordedFrame {
    let surface = surface ?? defaultSurface
    guard shouldRecordEvent() else {
      return RecordedFrame(recorder: self, surface: surface, id: id ?? 0, commit: .off)
    }
    let id = id ?? surface.takeFrameID()
    let token = writer.beginFrame(surface.name, id, tick)
    surface.block.pointee.ticks?.keep(id, tick)
    return RecordedFrame(recorder: self, surface: surface, id: id, commit: token)
  }

  /// Says when a frame was on screen, from any thread.
  ///
  /// - Parameters:
  ///   - frame: The frame's number.
  ///   - time: When.
  ///   - surface: The stream it belongs to; `nil` for the one called "display".
  public func markPresented(_ frame: UInt64, at time: Int64, surface: RecordedSurface? = nil) {
    guard shouldRecordEvent() else { return }
    let surface = surface ?? defaultSurface
    writer.writeInstant(
      surface.name, .frame, details: PresentedDetails(frame: frame, time: time))
    if let target = surface.block.pointee.ticks?.target(of: frame) {
      noteHitch(since: target, until: time)
    }
  }

  /// Says what became of a frame, from any thread.
  public func setOutcome(
    _ outcome: RecordedOutcome, ofFrame frame: UInt64, surface: RecordedSurface? = nil
  ) {
    guard shouldRecordEvent() else { return }
    let name = (surface ?? defaultSurface).name
    writer.writeInstant(
      name, .frame, details: CommitDetails(frame: frame, outcome: outcome.name))
  }

  /// Records a frame after the fact, with times of the recorder's clock.
  ///
  /// It is for hosts that learn about their frames later than they make them. The commit becomes no
  /// span; record the work itself with `recordSpan`.
  ///
  /// - Parameters:
  ///   - tick: What the display said about the frame.
  ///   - commit: When the commit began and ended; `nil` is unknown.
  ///   - presented: When the frame was on screen.
  ///   - outcome: What became of it.
  ///   - surface: The stream it belongs to; `nil` for the one called "display".
  ///   - id: Its number; `nil` to count, from 1. Number all frames of a surface or none of them.
  public func recordFrame(
    _ tick: FrameTiming, commit: (start: Int64?, end: Int64?) = (nil, nil),
    presented: Int64? = nil, outcome: RecordedOutcome? = nil, surface: RecordedSurface? = nil,
    id: UInt64? = nil
  ) {
    guard shouldRecordEvent() else { return }
    let surface = surface ?? defaultSurface
    let id = id ?? surface.takeFrameID()
    writer.writeInstant(
      surface.name, .frame,
      details: WholeFrameDetails(
        tick: FrameTimingDetails(frame: id, tick: tick), start: commit.start, end: commit.end,
        presented: presented, outcome: outcome?.name))
    surface.block.pointee.ticks?.keep(id, tick)
    if let presented, let target = tick.target { noteHitch(since: target, until: presented) }
    if let end = commit.end, let deadline = tick.deadline { noteHitch(since: deadline, until: end) }
  }
}

extension RecordedSurface {
  /// The number of the next frame.
  func takeFrameID() -> UInt64 {
    block.pointee.frameCount.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// What is known of a frame at its start.
struct FrameTimingDetails: EventDetails {
  var frame: UInt64
  var tick: FrameTiming

  @inline(__always)
  var keys: UInt64 {
    ArgumentKey.frame.bit | tick.start.bit(.begin) | tick.deadline.bit(.deadline)
      | tick.target.bit(.target) | tick.refreshInterval.bit(.interval)
  }

  var words: Int { 10 }

  @inline(__always)
  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.frame, frame)
    if let start = tick.start { record.argument(.begin, start) }
    if let deadline = tick.deadline { record.argument(.deadline, deadline) }
    if let target = tick.target { record.argument(.target, target) }
    if let interval = tick.refreshInterval { record.argument(.interval, interval) }
  }
}

/// When a frame was on screen.
private struct PresentedDetails: EventDetails {
  var frame: UInt64
  var time: Int64

  var keys: UInt64 { ArgumentKey.frame.bit | ArgumentKey.presented.bit }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.frame, frame)
    record.argument(.presented, time)
  }
}

/// All that is known of a frame.
private struct WholeFrameDetails: EventDetails {
  var tick: FrameTimingDetails
  var start: Int64?
  var end: Int64?
  var presented: Int64?
  var outcome: RecordedName?

  var keys: UInt64 {
    tick.keys | start.bit(.commitStart) | end.bit(.commitEnd) | presented.bit(.presented)
      | outcome.bit(.outcome)
  }
  var texts: (first: RecordedName?, second: RecordedName?) { (outcome, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    tick.add(to: &record, first: first, second: second)
    if let start { record.argument(.commitStart, start) }
    if let end { record.argument(.commitEnd, end) }
    if let presented { record.argument(.presented, presented) }
    if outcome != nil { record.argument(.outcome, first) }
  }
}

extension TraceRecorder {
  /// Records a hitch that the system reports by itself, where the frames around it are not known.
  ///
  /// A surface holds either frames or such hitches.
  ///
  /// - Parameters:
  ///   - start: When the old frame should have given way.
  ///   - length: How long it stayed.
  ///   - refreshInterval: The refresh interval, or `nil` if unknown.
  ///   - label: The system's own word for it.
  ///   - surface: The surface; `nil` for the one called "display".
  public func recordHitch(
    at start: Int64, length: Int64, refreshInterval: Int64? = nil,
    label: RecordedName? = nil, surface: RecordedSurface? = nil
  ) {
    guard shouldRecordEvent() else { return }
    let writer = writer
    let name = (surface ?? defaultSurface).name
    guard let reference = writer.reference(category: SpanCategory.hitch.name, name: name) else {
      return
    }
    writer.writeEvent(
      .instant, reference, at: UInt64(max(0, start)),
      details: HitchDetails(length: length, interval: refreshInterval, label: label))
    noteHitch(of: length, until: start)
  }
}

/// What is known of a listed hitch.
private struct HitchDetails: EventDetails {
  var length: Int64
  var interval: Int64?
  var label: RecordedName?

  var keys: UInt64 {
    ArgumentKey.duration.bit | interval.bit(.interval) | label.bit(.label)
  }
  var texts: (first: RecordedName?, second: RecordedName?) { (label, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.duration, max(0, length))
    if let interval { record.argument(.interval, interval) }
    if label != nil { record.argument(.label, first) }
  }
}
