internal import CRecorderShims
internal import ScrollTraceLayout

/// The frames of a thread whose stacks are sampled.
extension UnsafeMutablePointer<ThreadWriter> {
  /// The longest time between two refreshes, in nanoseconds.
  private static var longestInterval: UInt64 { 1_000_000_000 }

  /// Lets the thread be sampled from the start of a frame.
  @inline(never)
  func beginSampledFrame(_ surface: RecordedName, at begin: UInt64, _ timing: FrameTiming) {
    guard let sampler = pointee.sampler else { return }
    guard let thread = pointee.sampledThread ?? scrolltrace_sample_thread(sampler) else { return }
    pointee.sampledThread = thread
    // Without a deadline, a frame is late when it should be on screen, or after a refresh at 60 Hz.
    let interval = UInt64(clamping: timing.refreshInterval?.nanoseconds ?? 0)
    let length = interval > 0 ? interval : 16_666_667
    let due = (timing.deadline ?? timing.target)?.nanoseconds
    let deadline = due.map { UInt64(clamping: $0) } ?? begin &+ length
    let known = interval <= Self.longestInterval ? interval : 0
    scrolltrace_sampled_frame_begins(thread, surface.start, begin, deadline, known)
  }

  /// Samples the thread no longer, unless another frame is open.
  @inline(never)
  func endSampledFrame(_ frame: SpanToken, at end: UInt64) {
    guard let thread = pointee.sampledThread, frame.writer == UnsafeMutableRawPointer(self) else {
      return
    }
    scrolltrace_sampled_frame_ends(thread, frame.begin, end)
  }

  /// Says whether the thread works between two frames, not waiting for its next event.
  func setSampledWork(_ works: Bool) {
    if let thread = pointee.sampledThread { scrolltrace_set_sampled_work(thread, works) }
  }

  /// Forgets the calling thread, which ends.
  func forgetSampledThread() {
    guard let sampler = pointee.sampler, let thread = pointee.sampledThread else { return }
    pointee.sampledThread = nil
    scrolltrace_forget_sampled_thread(sampler, thread)
  }

  func writeSamples(_ payload: UnsafeRawBufferPointer) {
    let name = RecordingLayout.BlobName.samples
    let length = name.utf8CodeUnitCount
    let words = 1 + FXT.words(forBytes: length) + FXT.words(forBytes: payload.count)
    guard reserve(words: words) else { return }
    var record = RecordBuilder(at: pointee.cursor)
    record.append(UnsafeRawBufferPointer(start: name.utf8Start, count: length))
    record.append(payload)
    commit(
      record,
      header: FXTWord.blob(
        words: words, nameLength: length, payloadLength: payload.count, type: FXT.perfettoBlob))
  }
}
