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
