import ScrollTraceModel

/// The possible times of a recording, whatever a damaged time is.
///
/// A thread writes its events in order of time: none was written later than the end of the next
/// complete event in its chunk. The recording's end is the stored end, if there is one; otherwise
/// it is the latest plausible event, unless it is far from all others.
struct FXTTimeBounds {
  /// The maximum time by which the time in another event can exceed the latest event.
  private static let slack: UInt64 = 1_000_000_000
  /// The maximum time by which a host's own times can precede the recording's start, such as those
  /// of its launch.
  static let slackBefore: UInt64 = 60_000_000_000

  /// Whether some bytes are not covered by a checksum.
  var isUnchecked = false
  private var firstTick = UInt64.max
  private var lastTick: UInt64 = 0
  private var firstTime = UInt64.max
  /// The latest and the second latest time of an event consistent with the events after it.
  private var latest: (first: UInt64, second: UInt64) = (0, 0)

  /// Adds a chunk of events that was started at `tick`.
  mutating func add(
    _ scan: FXTChunkScan, of bytes: UnsafeRawBufferPointer, begunAt tick: UInt64
  ) {
    if tick > 0 {
      firstTick = min(firstTick, tick)
      lastTick = max(lastTick, tick)
    }
    if scan.isVerified {
      // All of its times are true, however far one is from the others.
      firstTime = min(firstTime, scan.times.earliest)
      latest.second = max(latest.second, scan.times.latest)
      latest.first = max(latest.first, scan.times.latest)
    } else {
      isUnchecked = true
      addUnchecked(scan.writeTimes(in: bytes))
    }
  }

  private mutating func addUnchecked(_ events: [(time: UInt64, isComplete: Bool)]) {
    var limit = UInt64.max
    for event in events.reversed() {
      if event.time <= limit {
        firstTime = min(firstTime, event.time)
        if event.time > latest.first {
          latest = (event.time, latest.first)
        } else {
          latest.second = max(latest.second, event.time)
        }
      }
      guard event.isComplete else { continue }
      limit = min(limit, event.time.saturatingAdd(Self.slack))
    }
  }

  /// Returns the plausible times of the recording of `session`, and a notice about its last event.
  func range(of session: FXTSession) -> (times: ClosedRange<Int64>, notice: String?)? {
    guard isUnchecked, latest.first > 0 else { return nil }
    var begin = session.openClock > 0 ? session.openClock : firstTick
    if session.openClock > firstTick { begin = firstTick }
    if session.chunksOverwritten > 0, session.openClock == 0 { begin = 0 }
    if begin == .max { begin = firstTime }
    let first = begin
    begin -= min(begin, Self.slackBefore)
    // The recorder lived until then, whatever the events say.
    let known = max(lastTick, session.lastAlive.map { UInt64(clamping: $0.nanoseconds) } ?? 0)
    var end = max(latest.first, known)
    var notice: String?
    if session.state == 1, session.closeClock >= max(lastTick, 1) {
      end = session.closeClock
    } else if latest.first > max(latest.second, known) {
      let before = max(latest.second, known)
      let (gap, length) = (latest.first - before, before - min(before, first))
      if gap > Self.slack, gap / 10 > max(length, Self.slack) {
        end = before
      } else if gap > Self.slack, gap > length {
        notice =
          "the last event lies \(gap / 1_000_000_000) s after all others, without a checksum;"
          + " it may be damaged"
      }
    }
    let upper = Int64(clamping: end.saturatingAdd(Self.slack))
    let lower = Int64(clamping: begin)
    return lower <= upper ? (lower...upper, notice) : nil
  }
}
