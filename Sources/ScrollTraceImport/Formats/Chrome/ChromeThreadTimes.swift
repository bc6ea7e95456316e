import ScrollTraceModel

/// The CPU times of threads at the starts and ends of events: `tts` and `tdur`.
///
/// Most events are nested, and the enclosing events describe their thread well enough. Only
/// outermost and long events are read.
struct ChromeThreadTimes {
  /// The minimum duration in nanoseconds at which a nested event is read.
  private static let longLength: Int64 = 1_000_000

  private var thinning = ThreadTimeThinning()
  /// The end of each track's outermost event, by the track's index.
  private var covered: [Int64] = []
  private var invalidCount = 0

  @inline(__always)
  mutating func add(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, at time: Timestamp, length: Int64,
    on track: TrackID, to builder: inout TraceBuilder
  ) {
    while covered.count <= track.index { covered.append(Int64.min) }
    guard length >= 0, let end = time.nanoseconds.plus(length) else { return }
    let before = covered[track.index]
    guard time.nanoseconds >= before || end > before || length >= Self.longLength else { return }
    covered[track.index] = max(before, end)
    add(event, in: bytes, from: time, to: end, on: track, to: &builder)
  }

  private mutating func add(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, from time: Timestamp, to end: Int64,
    on track: TrackID, to builder: inout TraceBuilder
  ) {
    guard let start = Self.nanoseconds(event.threadTime, in: bytes) else {
      return invalidCount += 1
    }
    thinning.add(start, on: track, at: time, to: &builder)
    guard event.threadDuration.kind != .missing else { return }
    guard let length = Self.nanoseconds(event.threadDuration, in: bytes),
      let sum = start.plus(length)
    else { return invalidCount += 1 }
    thinning.add(sum, on: track, at: Timestamp(clamping: end), to: &builder)
  }

  mutating func add(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, at time: Timestamp,
    on track: TrackID, to builder: inout TraceBuilder
  ) {
    guard event.threadTime.kind != .missing else { return }
    guard let cpu = Self.nanoseconds(event.threadTime, in: bytes) else { return invalidCount += 1 }
    thinning.add(cpu, on: track, at: time, to: &builder)
  }

  mutating func finish(in builder: inout TraceBuilder) {
    thinning.finish(in: &builder)
    builder.addNotice("impossible CPU times of threads, omitted", count: invalidCount)
  }

  private static func nanoseconds(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> Int64? {
    let time = field.number(in: bytes).flatMap(JSONNumber.nanoseconds(fromMicroseconds:))
    return time.flatMap { $0 >= 0 ? $0 : nil }
  }
}
