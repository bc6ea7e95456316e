/// From when to when a recording can go, whatever a damaged time says.
///
/// A thread writes its events in the order of time: nothing was written later than the complete event
/// behind it in its chunk ended. Where the file says when the recording was finished, that is the end;
/// else the latest event that fits is, unless it is far from all others.
struct FXTTimeBounds {
  /// How much later than the latest event a time in another one may be.
  private static let slack: UInt64 = 1_000_000_000
  /// How long before the start of the recording a host's own times may lie: those of its launch.
  private static let slackBefore: UInt64 = 60_000_000_000

  /// Whether there is something whose bytes nothing vouches for.
  var isUnchecked = false
  private var firstTick = UInt64.max
  private var lastTick: UInt64 = 0
  private var firstTime = UInt64.max
  /// The latest and the second latest time of an event that fits those behind it.
  private var latest: (first: UInt64, second: UInt64) = (0, 0)

  /// Takes in a chunk of events that was begun at `tick`.
  mutating func add(_ scan: FXTChunkScan, begunAt tick: UInt64) {
    if !scan.isVerified { isUnchecked = true }
    if tick > 0 {
      firstTick = min(firstTick, tick)
      lastTick = max(lastTick, tick)
    }
    var limit = UInt64.max
    for event in scan.events.reversed() {
      if event.time <= limit {
        firstTime = min(firstTime, event.time)
        if event.time > latest.first {
          latest = (event.time, latest.first)
        } else {
          latest.second = max(latest.second, event.time)
        }
      }
      guard event.isComplete else { continue }
      let (sum, overflow) = event.time.addingReportingOverflow(Self.slack)
      limit = min(limit, overflow ? .max : sum)
    }
  }

  /// The plausible times of the recording of `session`, and what there is to say of its last event.
  func range(of session: FXTSession) -> (times: ClosedRange<Int64>, notice: String?)? {
    guard isUnchecked, latest.first > 0 else { return nil }
    var begin = session.openClock > 0 ? session.openClock : firstTick
    if session.openClock > firstTick { begin = firstTick }
    if session.chunksOverwritten > 0, session.openClock == 0 { begin = 0 }
    if begin == .max { begin = firstTime }
    let first = begin
    begin -= min(begin, Self.slackBefore)
    var end = max(latest.first, lastTick)
    var notice: String?
    if session.state == 1, session.closeClock >= max(lastTick, 1) {
      end = session.closeClock
    } else if latest.first > max(latest.second, lastTick) {
      let before = max(latest.second, lastTick)
      let (gap, length) = (latest.first - before, before - min(before, first))
      if gap > Self.slack, gap / 10 > max(length, Self.slack) {
        end = before
      } else if gap > Self.slack, gap > length {
        notice =
          "the last event lies \(gap / 1_000_000_000) s behind all others, without a checksum;"
          + " it may be damaged"
      }
    }
    let (sum, overflow) = end.addingReportingOverflow(Self.slack)
    let upper = overflow ? Int64.max : Int64(clamping: sum)
    let lower = Int64(clamping: begin)
    return lower <= upper ? (lower...upper, notice) : nil
  }
}
