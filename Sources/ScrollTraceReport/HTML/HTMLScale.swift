/// How high loads are drawn: linear up to a break, and above it linear again, but compressed.
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
    let isBreak: Bool
  }

  /// From no load to the highest there is place for; between two of them heights are even.
  private(set) var knots: [ScaleBreakpoint]
  /// The load at which the linear part ends, or `nil` if it does not.
  private(set) var breakLoad: Double?
  private let isRelative: Bool
  private static let margin = 16

  /// A scale of so many steps in height that has room for `highest`.
  ///
  /// - Parameter isRelative: Whether 1 is the time there was, and not the longest length.
  init(highest: Double, height: Int, isRelative: Bool) {
    self.isRelative = isRelative
    guard isRelative else {
      knots = [
        ScaleBreakpoint(load: 0, place: height), ScaleBreakpoint(load: 1, place: Self.margin),
      ]
      return
    }
    guard highest > 1 else {
      knots = [
        ScaleBreakpoint(load: 0, place: height), ScaleBreakpoint(load: 1, place: height / 4),
      ]
      return
    }
    let end = min(FrameGraph.top, max(2, highest.rounded(.up)))
    let room = height - Self.margin
    // A quarter of the height is for what lies above the break.
    let linear = highest > end ? room * 3 / 4 : room
    knots = (0...Int(end)).map { load in
      ScaleBreakpoint(load: Double(load), place: height - linear * load / Int(end))
    }
    guard highest > end else { return }
    let limits: [Double] = [8, 16, 32, 64, 128, 1_024, 65_536, 1_000_000]
    knots.append(
      ScaleBreakpoint(
        load: limits.first { $0 >= highest } ?? 1_000_000, place: Self.margin))
    breakLoad = end
  }

  /// What readers need to know of the scale; `nil` if it is linear to its end.
  var note: String? {
    guard let breakLoad, let last = knots.last else { return nil }
    return "The vertical axis is linear up to \(Quantity.fixed(breakLoad, places: 0))x; above the"
      + " double line it is compressed, up to \(Quantity.fixed(last.load, places: 0))x."
  }

  /// The lines above the ground.
  var ticks: [Tick] {
    knots.dropFirst().map { knot in
      Tick(
        load: knot.load, place: knot.place,
        label: isRelative ? "\(Quantity.fixed(knot.load, places: 0))x" : "the longest",
        isDeadline: isRelative && knot.load == 1,
        isBreak: knot.load == breakLoad)
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
