import ScrollTraceModel

/// Instants at each display, in the order of the displays' appearance.
struct XctraceDisplays {
  /// The share of gaps that must be equal for a display to have one refresh rate.
  private static let steadyShare = 0.9
  /// The fewest gaps that tell a rate.
  private static let fewestGaps = 8

  private(set) var names: [StringID] = []
  private var positions: [StringID: Int] = [:]
  private var times: [[Int64]] = []

  /// Adds an instant at the display `name`.
  mutating func add(_ time: Timestamp, of name: StringID) {
    // Nearly all rows of a table are of one display.
    let known = names.first == name ? 0 : positions[name]
    if let known { return times[known].append(time.nanoseconds) }
    positions[name] = names.count
    names.append(name)
    times.append([time.nanoseconds])
  }

  /// The instants at a display, ascending, each once.
  func timestamps(of name: StringID) -> [Int64] {
    guard let position = positions[name] else { return [] }
    var unique: [Int64] = []
    for time in times[position].sorted() where unique.last != time { unique.append(time) }
    return unique
  }

  /// The distance of the instants, where nearly all have the same; `nil` otherwise.
  ///
  /// A display whose rate varies has no interval that holds for a hitch: the shortest one is only
  /// what it can do at best.
  func steadyInterval(of name: StringID) -> TimeSpan? {
    let timestamps = timestamps(of: name)
    let gaps = zip(timestamps.dropFirst(), timestamps).map { $0 - $1 }.sorted()
    guard gaps.count >= Self.fewestGaps else { return nil }
    let middle = gaps[gaps.count / 2]
    let same = gaps.count { abs($0 - middle) <= middle / 20 }
    guard Double(same) >= Double(gaps.count) * Self.steadyShare else { return nil }
    return TimeSpan(nanoseconds: middle)
  }
}
