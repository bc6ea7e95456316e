import ScrollTraceModel

/// Round times on an axis.
struct TimeTicks: Sequence {
  /// A time and its label.
  struct Tick {
    let time: TimeSpan
    let label: String
  }

  private let start: TimeSpan
  private let end: TimeSpan
  private let step: TimeSpan

  /// The times on an axis from `start` on, at most `maximum` and one.
  init(from start: TimeSpan, length: TimeSpan, maximum: Int) {
    self.start = start
    end = start + Swift.max(.zero, length)
    let minimum = Swift.max(1, length.nanoseconds) / Int64(Swift.max(1, maximum))
    var unit: Int64 = 1_000
    while unit < minimum, unit < 1_000_000_000_000_000 { unit *= 10 }
    let steps = [unit / 5, unit / 2, unit].filter { $0 >= minimum }
    step = TimeSpan(nanoseconds: steps.first ?? unit)
  }

  func makeIterator() -> AnyIterator<Tick> {
    var next = (start.nanoseconds / step.nanoseconds) * step.nanoseconds
    if next < start.nanoseconds {
      next = next.addingReportingOverflow(step.nanoseconds).partialValue
    }
    return AnyIterator {
      guard next <= end.nanoseconds, next >= start.nanoseconds else { return nil }
      defer {
        let (sum, overflow) = next.addingReportingOverflow(step.nanoseconds)
        next = overflow ? .min : sum
      }
      return Tick(time: TimeSpan(nanoseconds: next), label: label(of: next))
    }
  }

  private func label(of time: Int64) -> String {
    if end.nanoseconds < 200_000_000 {
      let places = step.nanoseconds >= 1_000_000 ? 0 : step.nanoseconds >= 100_000 ? 1 : 3
      return Quantity.decimal(time, per: 1_000_000, places: places) + " ms"
    }
    let places = [1_000_000_000, 100_000_000, 10_000_000, 1_000_000].firstIndex {
      step.nanoseconds >= $0
    }
    return Quantity.decimal(time, per: 1_000_000_000, places: places ?? 4) + " s"
  }
}
