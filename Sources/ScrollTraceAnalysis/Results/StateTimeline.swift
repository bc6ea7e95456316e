import ScrollTraceModel

/// The values of a state over time (M-18).
struct StateTimeline {
  let key: String
  /// The changes, sorted by time.
  private let changes: [StateChange]

  /// For each change, the last change up to it that set a value.
  private let latest: [Int?]

  private init(key: String, changes: [StateChange]) {
    self.key = key
    self.changes = changes
    var held: Int?
    latest = changes.indices.map { index in
      if changes[index].value != nil { held = index }
      return held
    }
  }

  var changeCount: Int { changes.count }

  var times: [Timestamp] { changes.map(\.time) }

  var values: [String] { Set(changes.compactMap(\.value)).sorted() }

  /// The timelines of all states, sorted by key.
  static func all(of trace: Trace) -> [StateTimeline] {
    Dictionary(grouping: trace.states.filter { !Toolkit.isNamed(by: $0) }, by: \.key)
      .map { StateTimeline(key: $0.key, changes: $0.value) }
      .sorted { $0.key < $1.key }
  }

  /// The value that belongs to a frame, or `nil` without one.
  func value(of frame: Frame) -> String? {
    guard let start = frame.time else { return nil }
    return value(start: start, end: max(start, frame.commitEnd ?? frame.presented ?? start))
  }

  /// The value that was set before an end and not cleared before a start. The newest takes precedence.
  func value(start: Timestamp, end: Timestamp) -> String? {
    let last = changes.partitionPoint { $0.time > end } - 1
    guard last >= 0, let held = latest[last] else { return nil }
    guard held == last || changes[held + 1].time >= start else { return nil }
    return changes[held].value
  }

  /// The ranges of each value. The last one lasts until `end`.
  func ranges(until end: Timestamp) -> [String: TimeRangeSet] {
    var ranges: [String: [TimeRange]] = [:]
    for (index, change) in changes.enumerated() {
      guard let value = change.value else { continue }
      let next = index + 1 < changes.count ? changes[index + 1].time : end
      ranges[value, default: []].append(TimeRange(start: change.time, end: next))
    }
    return ranges.mapValues { TimeRangeSet(union: $0) }
  }
}
