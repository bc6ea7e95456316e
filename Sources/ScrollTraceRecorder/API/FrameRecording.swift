internal import ScrollTraceLayout

extension TraceRecorder {
  /// Begins the commit of a frame on the calling thread.
  ///
  /// The timing is written immediately, so the trace contains the frame even if the process dies
  /// during the commit.
  ///
  /// - Parameters:
  ///   - timing: The display's timing of the frame.
  ///   - surface: The surface, or `nil` for the one called "display".
  ///   - id: The frame's number, or `nil` to count from 1. Number either all frames of a surface or
  ///     none.
  public func beginFrame(
    _ timing: FrameTiming = FrameTiming(), surface: RecordedSurface? = nil, id: UInt64? = nil
  ) -> RecordedFrame {
    let surface = surface ?? pointer.defaultSurface
    guard pointer.shouldRecordEvent() else {
      return RecordedFrame(recorder: pointer, surface: surface, id: id ?? 0, token: .off)
    }
    let id = id ?? surface.takeFrameID()
    guard let writer = pointer.enter() else {
      return RecordedFrame(recorder: pointer, surface: surface, id: id, token: .off)
    }
    let token = writer.beginFrame(surface.name, id, timing)
    pointer.leave(writer)
    surface.block.pointee.timings?.keep(id, timing)
    return RecordedFrame(recorder: pointer, surface: surface, id: id, token: token)
  }

  /// Records when a frame was presented. Any thread may call this method.
  ///
  /// - Parameters:
  ///   - frame: The frame's number.
  ///   - time: The presentation time on the recorder's clock.
  ///   - surface: The surface, or `nil` for the one called "display".
  public func markPresented(
    _ frame: UInt64, at time: RecorderTime, surface: RecordedSurface? = nil
  ) {
    pointer.markPresented(frame, at: time.nanoseconds, surface: surface ?? pointer.defaultSurface)
  }

  /// Records the outcome of a frame. Any thread may call this method.
  package func setOutcome(
    _ outcome: RecordedOutcome, ofFrame frame: UInt64, surface: RecordedSurface? = nil
  ) {
    guard let writer = pointer.enterToRecord() else { return }
    let surface = surface ?? pointer.defaultSurface
    writer.writeInstant(
      surface.name, .frame, details: CommitDetails(frame: frame, outcome: outcome.name))
    pointer.leave(writer)
    pointer.measureOutcome(outcome, surface)
  }

  /// Records a frame after the fact, with times on the recorder's clock.
  ///
  /// Use this method if the host learns about its frames later than it makes them. It does not
  /// record the commit as a span; record the work with `recordSpan`.
  ///
  /// - Parameters:
  ///   - timing: The display's timing of the frame.
  ///   - commitStart: The start of the commit, or `nil` if unknown.
  ///   - commitEnd: The end of the commit, or `nil` if unknown.
  ///   - presented: The presentation time, or `nil` if unknown.
  ///   - outcome: The outcome of the frame, or `nil` if unknown.
  ///   - surface: The surface, or `nil` for the one called "display".
  ///   - id: The frame's number, or `nil` to count from 1. Number either all frames of a surface or
  ///     none.
  public func recordFrame(
    _ timing: FrameTiming, commitStart: RecorderTime? = nil, commitEnd: RecorderTime? = nil,
    presented: RecorderTime? = nil, outcome: RecordedOutcome? = nil,
    surface: RecordedSurface? = nil, id: UInt64? = nil
  ) {
    guard pointer.shouldRecordEvent() else { return }
    let surface = surface ?? pointer.defaultSurface
    let id = id ?? surface.takeFrameID()
    guard let writer = pointer.enter() else { return }
    writer.writeInstant(
      surface.name, .frame,
      details: WholeFrameDetails(
        timing: FrameTimingDetails(frame: id, timing: timing), start: commitStart, end: commitEnd,
        presented: presented, outcome: outcome?.name))
    pointer.leave(writer)
    surface.block.pointee.timings?.keep(id, timing)
    pointer.measureCommit(timing, at: commitEnd?.nanoseconds, outcome, surface)
    if let presented { pointer.measurePresentation(of: id, at: presented.nanoseconds, surface) }
  }
}

extension RecorderPointer {
  func markPresented(_ frame: UInt64, at time: Int64, surface: RecordedSurface) {
    guard let writer = enterToRecord() else { return }
    writer.writeInstant(surface.name, .frame, details: PresentedDetails(frame: frame, time: time))
    if !writer.pointee.hasCheckedPresentation { writer.checkPresentation(at: time, surface.name) }
    leave(writer)
    measurePresentation(of: frame, at: time, surface)
  }
}

struct FrameTimingDetails: EventDetails {
  var frame: UInt64
  var timing: FrameTiming

  @inline(__always)
  var keys: UInt64 {
    Vocabulary.Key.frame.bit | timing.start.bit(.begin) | timing.deadline.bit(.deadline)
      | timing.target.bit(.target) | timing.refreshInterval.bit(.interval)
  }

  var words: Int { 10 }

  @inline(__always)
  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.frame, frame)
    if let start = timing.start { record.argument(.begin, start.nanoseconds) }
    if let deadline = timing.deadline { record.argument(.deadline, deadline.nanoseconds) }
    if let target = timing.target { record.argument(.target, target.nanoseconds) }
    if let interval = timing.refreshInterval { record.argument(.interval, interval.nanoseconds) }
  }
}

private struct PresentedDetails: EventDetails {
  var frame: UInt64
  var time: Int64

  var keys: UInt64 { Vocabulary.Key.frame.bit | Vocabulary.Key.presented.bit }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.frame, frame)
    record.argument(.presented, time)
  }
}

private struct WholeFrameDetails: EventDetails {
  var timing: FrameTimingDetails
  var start: RecorderTime?
  var end: RecorderTime?
  var presented: RecorderTime?
  var outcome: RecordedName?

  var keys: UInt64 {
    timing.keys | start.bit(.commitStart) | end.bit(.commitEnd) | presented.bit(.presented)
      | outcome.bit(.outcome)
  }
  var texts: (first: RecordedName?, second: RecordedName?) { (outcome, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    timing.add(to: &record, first: first, second: second)
    if let start { record.argument(.commitStart, start.nanoseconds) }
    if let end { record.argument(.commitEnd, end.nanoseconds) }
    if let presented { record.argument(.presented, presented.nanoseconds) }
    if outcome != nil { record.argument(.outcome, first) }
  }
}

extension TraceRecorder {
  /// Records a hitch that the system reported.
  ///
  /// Use this method if the individual frames are unknown. A surface has either frames or reported
  /// hitches.
  ///
  /// - Parameters:
  ///   - start: The time at which the previous frame should have been replaced.
  ///   - duration: The lateness.
  ///   - refreshInterval: The refresh interval, or `nil` if unknown.
  ///   - label: The system's name for the hitch.
  ///   - surface: The surface, or `nil` for the one called "display".
  public func recordHitch(
    at start: RecorderTime, duration: RecorderTime, refreshInterval: RecorderTime? = nil,
    label: RecordedName? = nil, surface: RecordedSurface? = nil
  ) {
    guard let writer = pointer.enterToRecord() else { return }
    let surface = surface ?? pointer.defaultSurface
    if let reference = writer.reference(category: SpanCategory.hitch.name, name: surface.name) {
      writer.writeEvent(
        .instant, reference, at: UInt64(max(0, start.nanoseconds)),
        details: HitchDetails(duration: duration, interval: refreshInterval, label: label))
    }
    pointer.leave(writer)
    pointer.measureHitch(at: start.nanoseconds, length: duration.nanoseconds, surface)
  }
}

private struct HitchDetails: EventDetails {
  var duration: RecorderTime
  var interval: RecorderTime?
  var label: RecordedName?

  var keys: UInt64 { Vocabulary.Key.duration.bit | interval.bit(.interval) | label.bit(.label) }
  var texts: (first: RecordedName?, second: RecordedName?) { (label, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(.duration, max(0, duration.nanoseconds))
    if let interval { record.argument(.interval, interval.nanoseconds) }
    if label != nil { record.argument(.label, first) }
  }
}
