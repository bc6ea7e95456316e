package import ScrollTraceModel

/// The main-thread work of one frame (M-12) and the idle time after its commit (M-13).
package struct MainWork: Equatable, Sendable {
  /// The frame whose commit ends the row.
  package let frame: UInt64
  /// The end of the previous commit.
  package let start: Timestamp
  /// The end of the commit, which places the row on the time axis.
  package let time: Timestamp
  /// The main-thread work since the previous commit.
  package let busy: TimeSpan
  /// The total work of all background tracks since the previous commit.
  package let backgroundBusy: TimeSpan
  /// The available time, or `nil` if neither deadline nor refresh interval is known.
  package let available: TimeSpan?
  /// A Boolean value indicating whether the commit missed its deadline, or `nil` if it has none.
  package let missedDeadline: Bool?
  /// The time without main-thread work from the commit to the deadline or the next commit's start, and that in
  /// which the commit waited for the display; `nil` without a deadline.
  let idle: TimeSpan?
}

/// The main-thread work of all frames, sorted by time, in packed columns.
package struct MainWorkRows: NumberedCollection, Sendable {
  private var frames = PackedColumn<UInt64>()
  private var times = PackedColumn<Int64>()
  private var lengths = PackedColumn<Int64>()
  private var busyTimes = PackedColumn<Int64>()
  private var backgroundTimes = PackedColumn<Int64>()
  private var available = OptionalColumn()
  private var missed = OptionalColumn()
  private var idleTimes = OptionalColumn()
  private(set) var busy = TimeSpan.zero
  /// The sum of the idle times, or `nil` if no deadline is known.
  private(set) var idle: TimeSpan?

  init() {}

  package var count: Int { frames.count }

  package subscript(index: Int) -> MainWork {
    let time = Timestamp(clamping: times[index])
    return MainWork(
      frame: frames[index], start: time - TimeSpan(nanoseconds: lengths[index]), time: time,
      busy: TimeSpan(nanoseconds: busyTimes[index]),
      backgroundBusy: TimeSpan(nanoseconds: backgroundTimes[index]),
      available: available[index].map(TimeSpan.init(nanoseconds:)),
      missedDeadline: missed[index].map { $0 != 0 },
      idle: idleTimes[index].map(TimeSpan.init(nanoseconds:)))
  }

  func idle(in rows: Range<Int>) -> TimeSpan {
    rows.reduce(into: .zero) { sum, index in
      if let idle = idleTimes[index] { sum += TimeSpan(nanoseconds: idle) }
    }
  }

  /// Adds a row, which is not before any other.
  mutating func append(_ row: MainWork) {
    let count = self.count
    frames.append(row.frame)
    times.append(row.time.nanoseconds)
    lengths.append((row.time - row.start).nanoseconds)
    busyTimes.append(row.busy.nanoseconds)
    backgroundTimes.append(row.backgroundBusy.nanoseconds)
    available.append(row.available?.nanoseconds, after: count)
    missed.append(row.missedDeadline.map { $0 ? 1 : 0 }, after: count)
    idleTimes.append(row.idle?.nanoseconds, after: count)
    busy += row.busy
    if let own = row.idle { idle = (idle ?? .zero) + own }
  }

  /// Returns rows without any but the last, with the sums of all.
  func digest() -> MainWorkRows {
    var digest = MainWorkRows()
    if let last { digest.append(last) }
    (digest.busy, digest.idle) = (busy, idle)
    return digest
  }
}
