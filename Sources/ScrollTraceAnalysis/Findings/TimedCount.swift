import ScrollTraceModel

/// Things that happened outside any frame: how often, how long, and where the longest was.
struct TimedCount: Hashable {
  /// How often.
  var count = 0
  /// How long, all together.
  var total = TimeSpan.zero
  private var longest = TimeSpan(nanoseconds: -1)
  /// When the longest began.
  private(set) var worst: Timestamp?

  /// Adds something of `length` that began at `time`.
  mutating func add(_ length: TimeSpan, at time: Timestamp) {
    count += 1
    total += length
    keepLongest(length, time)
  }

  /// Adds what is of the same list.
  mutating func merge(_ other: TimedCount) {
    count += other.count
    total += other.total
    if let worst = other.worst { keepLongest(other.longest, worst) }
  }

  /// Keeps the longest, of equal ones the earliest.
  private mutating func keepLongest(_ length: TimeSpan, _ time: Timestamp) {
    guard length > longest || (length == longest && worst.map { time < $0 } ?? true) else { return }
    (longest, worst) = (length, time)
  }
}
