import ScrollTraceModel

/// A range of time on a row of cells.
struct TimeAxis {
  /// A round time and its label.
  struct Tick {
    let time: Timestamp
    let label: String
  }

  /// From the left edge to the right one.
  let range: TimeRange
  var cells = 1

  /// The share of the axis to the left of `time`, from 0 to 1.
  func share(of time: Timestamp) -> Double {
    let part =
      Double((time - range.start).nanoseconds) / Double(max(1, range.length.nanoseconds))
    return min(1, max(0, part))
  }

  /// How many cells lie to the left of `time`, with a fraction; kept inside the row.
  func position(of time: Timestamp) -> Double { share(of: time) * Double(cells) }

  func cell(of time: Timestamp) -> Int { min(cells - 1, Int(position(of: time))) }

  /// The largest value of the points that reach into each cell, or `minimum` where none does.
  func maxima<Value: Comparable>(
    of points: [FrameSeries.Point], minimum: Value, _ value: (FrameSeries.Point) -> Value
  ) -> [Value] {
    var maxima = Array(repeating: minimum, count: cells)
    for point in points {
      let last = cell(of: point.range.end)
      for index in min(last, cell(of: point.range.start) + 1)...last {
        maxima[index] = max(maxima[index], value(point))
      }
    }
    return maxima
  }

  /// Round times counted from `origin`, so far apart that `room` cells lie between two.
  ///
  /// The script of a page repeats this for the part that is in view.
  func ticks(from origin: Timestamp, room: Int) -> [Tick] {
    let step = step(room: room)
    let (first, last) = (
      (range.start - origin).nanoseconds, (range.end - origin).nanoseconds
    )
    // A label has as many decimals as the step.
    let unit: Int64 =
      max(first.magnitude, last.magnitude) < 1_000_000_000 ? 1_000_000 : 1_000_000_000
    var (part, decimals) = (unit, 0)
    while step % part != 0 { (part, decimals) = (part / 10, decimals + 1) }
    // Rounded up to the next multiple.
    var (tick, overflow) = (first - first % step).addingReportingOverflow(
      first > 0 && first % step != 0 ? step : 0)
    var found: [Tick] = []
    while !overflow, tick <= last {
      let label = Quantity.decimal(tick, per: unit, decimals: decimals)
      found.append(
        Tick(
          time: origin + TimeSpan(nanoseconds: tick),
          label: label + (unit == 1_000_000 ? " ms" : " s")))
      (tick, overflow) = tick.addingReportingOverflow(step)
    }
    return found
  }

  /// The minimum of 1, 2, 5, 10 ... nanoseconds that takes `room` cells.
  private func step(room: Int) -> Int64 {
    let minimum = Double(range.length.nanoseconds) / Double(max(1, cells)) * Double(room)
    var power: Int64 = 1
    while power < 1_000_000_000_000_000_000 {
      for factor in [1, 2, 5] as [Int64] where Double(power * factor) >= minimum {
        return power * factor
      }
      power *= 10
    }
    return [power, power * 2].first { Double($0) >= minimum } ?? power * 5
  }
}
