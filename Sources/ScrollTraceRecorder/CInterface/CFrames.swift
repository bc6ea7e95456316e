// The functions have the header's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import CScrollTrace

@c @implementation
package func scrolltrace_frame_begin(
  _ recorder: OpaquePointer?, _ surface: OpaquePointer?, _ id: UInt64,
  _ tick: UnsafePointer<scrolltrace_tick>?
) -> scrolltrace_frame {
  let frame = withRecorder(recorder) {
    $0.beginFrame(FrameTiming(tick), surface: RecordedSurface(surface), id: id.identifier)
  }
  return frame.map { scrolltrace_frame($0) } ?? .notRecorded
}

@c @implementation
package func scrolltrace_phase_begin(
  _ frame: UnsafePointer<scrolltrace_frame>?, _ phase: scrolltrace_name
) -> scrolltrace_span {
  guard let frame = RecordedFrame(frame) else { return scrolltrace_span() }
  return scrolltrace_span(frame.beginPhase(RecordedName(phase)))
}

@c @implementation
package func scrolltrace_phase_first(
  _ frame: UnsafePointer<scrolltrace_frame>?, _ phase: scrolltrace_name
) -> scrolltrace_span {
  guard let frame = RecordedFrame(frame) else { return scrolltrace_span() }
  return scrolltrace_span(frame.beginPhase(RecordedName(phase), atFrameStart: true))
}

@c @implementation
package func scrolltrace_phase_next(
  _ frame: UnsafePointer<scrolltrace_frame>?, _ phase: UnsafeMutablePointer<scrolltrace_span>?,
  _ next: scrolltrace_name
) {
  guard let phase, let token = takeSpan(phase) else { return }
  guard let frame = RecordedFrame(frame) else { return token.end() }
  phase.pointee = scrolltrace_span(frame.switchPhase(token, to: RecordedName(next)))
}

@c @implementation
package func scrolltrace_frame_end(_ frame: UnsafeMutablePointer<scrolltrace_frame>?) {
  guard let ended = takeFrame(frame) else { return }
  ended.end()
}

@c @implementation
package func scrolltrace_frame_end_after(
  _ frame: UnsafeMutablePointer<scrolltrace_frame>?,
  _ phase: UnsafeMutablePointer<scrolltrace_span>?
) {
  let last = takeSpan(phase)
  guard let ended = takeFrame(frame) else {
    last?.end()
    return
  }
  if let last { ended.end(endingPhase: last) } else { ended.end() }
}

@c @implementation
package func scrolltrace_presented(
  _ recorder: OpaquePointer?, _ surface: OpaquePointer?, _ id: UInt64, _ time: Int64
) {
  guard let id = id.identifier, let time = time.ifKnown else { return }
  withRecorder(recorder) { $0.markPresented(id, at: time, surface: RecordedSurface(surface)) }
}

@c @implementation
package func scrolltrace_resolved(
  _ recorder: OpaquePointer?, _ surface: OpaquePointer?, _ id: UInt64,
  _ outcome: scrolltrace_name
) {
  guard let id = id.identifier, let outcome = RecordedName(ifGiven: outcome) else { return }
  withRecorder(recorder) {
    $0.setOutcome(RecordedOutcome(outcome), ofFrame: id, surface: RecordedSurface(surface))
  }
}

@c @implementation
package func scrolltrace_frame_record(
  _ recorder: OpaquePointer?, _ surface: OpaquePointer?, _ id: UInt64,
  _ tick: UnsafePointer<scrolltrace_tick>?, _ commitStart: Int64, _ commitEnd: Int64,
  _ presented: Int64
) {
  withRecorder(recorder) {
    $0.recordFrame(
      FrameTiming(tick), commitStart: commitStart.ifKnown, commitEnd: commitEnd.ifKnown,
      presented: presented.ifKnown, surface: RecordedSurface(surface), id: id.identifier)
  }
}

extension FrameTiming {
  @inline(__always)
  init(_ tick: UnsafePointer<scrolltrace_tick>?) {
    self.init()
    guard let tick else { return }
    start = tick.pointee.begin.ifKnown
    deadline = tick.pointee.deadline.ifKnown
    target = tick.pointee.target.ifKnown
    refreshInterval = tick.pointee.interval.ifKnown
  }
}

extension scrolltrace_frame {
  static var notRecorded: scrolltrace_frame {
    var frame = scrolltrace_frame()
    frame.id = .max
    return frame
  }

  @inline(__always)
  init(_ frame: RecordedFrame) {
    self = .notRecorded
    let commit = frame.token.words
    // The host must not report presentation times of a frame that is not in the trace.
    if commit.0 != 0 { id = frame.id }
    words.0 = UInt64(UInt(bitPattern: frame.recorder.handle))
    words.1 = UInt64(UInt(bitPattern: frame.surface.handle))
    (words.2, words.3, words.4, words.5) = commit
  }
}

extension RecordedFrame {
  /// The host's frame, or `nil` for NULL or a frame that is not recorded.
  @inline(__always)
  init?(_ given: UnsafePointer<scrolltrace_frame>?) {
    guard let words = given?.pointee.words, let id = given?.pointee.id,
      let recorder = UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: words.0)),
      let surface = UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: words.1))
    else { return nil }
    self.init(
      recorder: RecorderPointer(handle: recorder), surface: RecordedSurface(handle: surface),
      id: id, token: SpanToken(words: (words.2, words.3, words.4, words.5)))
  }
}

/// Clears the host's variable, so that ending the frame again has no effect.
@inline(__always)
private func takeFrame(_ frame: UnsafeMutablePointer<scrolltrace_frame>?) -> RecordedFrame? {
  guard let frame, let taken = RecordedFrame(UnsafePointer(frame)) else { return nil }
  frame.pointee.words.0 = 0
  return taken
}
