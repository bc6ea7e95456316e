import ScrollTraceModel

/// The values that one state held over time (M-18).
struct StateTimeline {
  /// The state's name.
  let key: String
  /// The changes, ascending by time.
  private let changes: [StateChange]

  /// One timeline for each key, ascending by key.
  static func all(of trace: Trace) -> [StateTimeline] {
    Dictionary(grouping: trace.states, by: \.key)
      .map { StateTimeline(key: $0.key, changes: $0.value) }
      .sorted { $0.key < $1.key }
  }

  /// The value that belongs to a frame: set before its end and not cleared before its begin; the
  /// newest wins.
  func value(begin: Timestamp, end: Timestamp) -> String? {
    let before = changes[..<changes.partitionPoint { $0.time > end }]
    guard let last = before.last else { return nil }
    if let value = last.value { return value }
    guard let held = before.lastIndex(where: { $0.value != nil }), before[held + 1].time >= begin
    else { return nil }
    return before[held].value
  }

  /// The stretches in which each value held; the last one lasts until `end`.
  func stretches(until end: Timestamp) -> [String: TimeRangeSet] {
    var ranges: [String: [TimeRange]] = [:]
    for (index, change) in changes.enumerated() {
      guard let value = change.value else { continue }
      let next = index + 1 < changes.count ? changes[index + 1].time : end
      ranges[value, default: []].append(TimeRange(begin: change.time, end: next))
    }
    return ranges.mapValues { TimeRangeSet(union: $0) }
  }
}
