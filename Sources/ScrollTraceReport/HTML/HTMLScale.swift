/// How high loads are drawn: evenly up to the deadline, then by multiples of it.
///
/// One frame of many deadlines' length does not press the others flat.
struct HTMLScale {
  /// A load and how far from the top it is drawn.
  struct ScaleBreakpoint {
    let load: Double
    let place: Int
  }

  /// A line with its name.
  struct Tick {
    let load: Double
    let place: Int
    let label: String
    let isDeadline: Bool
  }

  /// From no load to the highest there is place for; between two of them heights are even.
  let knots: [ScaleBreakpoint]
  private let isRelative: Bool

  /// A scale of so many steps in height that has room for `highest`.
  ///
  /// - Parameter isRelative: Whether 1 is the time there was, and not the longest length.
  init(highest: Double, height: Int, isRelative: Bool) {
    self.isRelative = isRelative
    guard isRelative else {
      knots = [ScaleBreakpoint(load: 0, place: height), ScaleBreakpoint(load: 1, place: 16)]
      return
    }
    let multiples: [Double] = [2, 3, 4, 6, 8, 16, 32, 64, 128, 1_024, 65_536, 1_000_000]
    let count = (multiples.firstIndex { $0 >= highest } ?? multiples.count - 1) + 1
    let deadline = highest > 1 ? height - height * 2 / 5 : height / 4
    var knots = [
      ScaleBreakpoint(load: 0, place: height), ScaleBreakpoint(load: 1, place: deadline),
    ]
    if highest > 1 {
      for (index, load) in multiples.prefix(count).enumerated() {
        knots.append(
          ScaleBreakpoint(load: load, place: deadline - (deadline - 16) * (index + 1) / count))
      }
    }
    self.knots = knots
  }

  /// The lines above the ground.
  var ticks: [Tick] {
    knots.dropFirst().map { knot in
      Tick(
        load: knot.load, place: knot.place,
        label: isRelative ? "\(Quantity.fixed(knot.load, places: 0))x" : "the longest",
        isDeadline: isRelative && knot.load == 1)
    }
  }

  /// How far from the top `load` is drawn; what is late at least a little above the deadline.
  func place(of load: Double) -> Int {
    for (lower, upper) in zip(knots, knots.dropFirst()) where load <= upper.load {
      let part = (load - lower.load) / (upper.load - lower.load)
      let place = Double(lower.place) + part * Double(upper.place - lower.place)
      let rounded = min(lower.place, max(upper.place, Int(place.rounded())))
      return lower.load == 1 ? min(rounded, lower.place - 2) : rounded
    }
    return knots.last?.place ?? 0
  }
}
