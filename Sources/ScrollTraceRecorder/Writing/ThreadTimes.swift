internal import CRecorderShims
internal import ScrollTraceLayout

/// What the system has counted for a thread since it began, as arguments of a frame's records.
///
/// They are read right after the time of the record, the time on a core first. A reading can cost the
/// thread its core, which must not lengthen the commit.
struct ThreadTimes {
  private var counts: scrolltrace_thread_times

  static var unknown: ThreadTimes {
    ThreadTimes(
      counts: scrolltrace_thread_times(
        cpu: -1, ready: -1, preemptions: -1, waits: -1, faults: -1, disk_faults: -1))
  }

  /// What is known of the calling thread now.
  @inline(never)
  static func now() -> ThreadTimes {
    var times = unknown
    scrolltrace_read_thread_times(&times.counts)
    return times
  }

  /// Whether readings are cheap enough to be made unless the host says otherwise.
  static var isCheap: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// The keys of all that this system may say.
  static var systemKeys: UInt64 {
    #if os(Linux)
      Vocabulary.Key.cpu.bit | Vocabulary.Key.ready.bit | Vocabulary.Key.preemptions.bit
        | Vocabulary.Key.waits.bit | Vocabulary.Key.faults.bit | Vocabulary.Key.diskFaults.bit
    #else
      Vocabulary.Key.cpu.bit
    #endif
  }

  var keys: UInt64 {
    bit(counts.cpu, .cpu) | bit(counts.ready, .ready) | bit(counts.preemptions, .preemptions)
      | bit(counts.waits, .waits) | bit(counts.faults, .faults)
      | bit(counts.disk_faults, .diskFaults)
  }

  @inline(never)
  func add(to record: inout RecordBuilder) {
    if counts.cpu >= 0 { record.argument(.cpu, counts.cpu) }
    if counts.ready >= 0 { record.argument(.ready, counts.ready) }
    if counts.preemptions >= 0 { record.argument(.preemptions, counts.preemptions) }
    if counts.waits >= 0 { record.argument(.waits, counts.waits) }
    if counts.faults >= 0 { record.argument(.faults, counts.faults) }
    if counts.disk_faults >= 0 { record.argument(.diskFaults, counts.disk_faults) }
  }

  @inline(__always)
  private func bit(_ count: Int64, _ key: Vocabulary.Key) -> UInt64 { count < 0 ? 0 : key.bit }
}

extension Vocabulary.Key {
  /// Whether the argument is one of a thread's counts.
  var isThreadTime: Bool { rawValue >= Vocabulary.Key.cpu.rawValue }
}

/// The arguments of a frame's record and its thread's counts.
struct TimedDetails<Details: EventDetails>: EventDetails {
  var details: Details
  var times: ThreadTimes

  var keys: UInt64 { details.keys | times.keys }
  var texts: (first: RecordedName?, second: RecordedName?) { details.texts }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    details.add(to: &record, first: first, second: second)
    times.add(to: &record)
  }
}

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
