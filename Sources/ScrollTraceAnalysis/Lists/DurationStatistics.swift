public import ScrollTraceModel

/// The number and duration of similar occurrences.
public struct DurationStatistics: Codable, Equatable, Sendable {
  /// What occurred; empty if the property with the statistics says so.
  public package(set) var name: String
  /// The number of occurrences.
  public private(set) var count: Int
  /// The total duration; it saturates.
  public private(set) var total: TimeSpan
  private var longest = TimeSpan(nanoseconds: -1)
  /// The start of the longest occurrence, the earliest of equal ones, or `nil` if no start is known.
  package private(set) var worst: Timestamp?

  private enum CodingKeys: String, CodingKey { case name, count, total = "totalNs" }

  /// Creates statistics of `count` occurrences without known starts.
  package init(name: String = "", count: Int = 0, total: TimeSpan = .zero) {
    self.name = name
    self.count = count
    self.total = total
  }

  mutating func add(_ length: TimeSpan) {
    count += 1
    total += length
  }

  mutating func add(_ length: TimeSpan, at start: Timestamp) {
    add(length)
    updateLongest(length, start)
  }

  mutating func merge(_ other: DurationStatistics) {
    count += other.count
    total += other.total
    if let worst = other.worst { updateLongest(other.longest, worst) }
  }

  private mutating func updateLongest(_ length: TimeSpan, _ start: Timestamp) {
    guard length > longest || (length == longest && worst.map { start < $0 } ?? true) else {
      return
    }
    (longest, worst) = (length, start)
  }
}
