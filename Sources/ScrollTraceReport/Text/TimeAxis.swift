import ScrollTraceModel

/// A range of time on a row of cells.
struct TimeAxis {
  /// From the left edge to the right one.
  let range: TimeRange
  /// How many cells there are.
  let cells: Int

  /// How many cells lie to the left of `time`, with a fraction; kept inside the row.
  func position(of time: Timestamp) -> Double {
    let part =
      Double((time - range.start).nanoseconds) / Double(max(1, range.length.nanoseconds))
    return min(1, max(0, part)) * Double(cells)
  }

  /// The cell that holds `time`.
  func cell(of time: Timestamp) -> Int { min(cells - 1, Int(position(of: time))) }

  /// Round times counted from `origin`, so far apart that `room` cells lie between two.
  func ticks(from origin: Timestamp, room: Int) -> [(cell: Int, label: String)] {
    let step = step(room: room)
    let first = (range.start - origin).nanoseconds
    // Rounded up to the next multiple.
    var (tick, overflow) = (first - first % step).addingReportingOverflow(
      first > 0 && first % step != 0 ? step : 0)
    var found: [(cell: Int, label: String)] = []
    while !overflow, tick <= (range.end - origin).nanoseconds {
      let time = origin + TimeSpan(nanoseconds: tick)
      if time >= range.start, time <= range.end {
        found.append((cell(of: time), Self.label(tick, step: step)))
      }
      (tick, overflow) = tick.addingReportingOverflow(step)
    }
    return found
  }

  /// The least of 1, 2, 5, 10 ... nanoseconds that takes `room` cells.
  private func step(room: Int) -> Int64 {
    let minimum = Double(range.length.nanoseconds) / Double(max(1, cells)) * Double(room)
    var power: Int64 = 1
    while power < 1_000_000_000_000_000_000 {
      for factor in [1, 2, 5] as [Int64] where Double(power * factor) >= minimum {
        return power * factor
      }
      power *= 10
    }
    // Not more than two of them lie on any axis.
    return Int64.max / 2
  }

  private static func label(_ time: Int64, step: Int64) -> String {
    if step >= 1_000_000_000 {
      return Quantity.decimal(time, per: 1_000_000_000, places: 0) + " s"
    }
    guard step >= 1_000 else { return "\(time) ns" }
    let places = [1_000_000, 100_000, 10_000].firstIndex { step % $0 == 0 } ?? 3
    return Quantity.decimal(time, per: 1_000_000, places: places) + " ms"
  }
}
