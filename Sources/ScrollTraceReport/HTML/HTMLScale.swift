/// The scale of loads: linear up to a break, and linear but compressed above it.
///
/// A frame that takes many refresh intervals does not flatten the others.
struct HTMLScale {
  /// A labeled line.
  struct Tick {
    let load: Double
    let y: Int
    let isDeadline: Bool
    let isBreak: Bool
  }

  /// The breakpoints, from zero to the highest load. Heights are linear between two of them.
  private(set) var knots: [(load: Double, y: Int)]
  /// The load at which the scale is compressed, or `nil` if it is not.
  private(set) var breakLoad: Double?
  private let isRelative: Bool
  private static let margin = 16

  /// Creates a scale of a given height that has room for `highest`.
  ///
  /// - Parameter isRelative: Whether 1 is the available time, rather than the longest length.
  init(highest: Double, height: Int, isRelative: Bool) {
    self.isRelative = isRelative
    guard isRelative, highest > 1 else {
      knots = [(0, height), (1, Self.margin)]
      return
    }
    let end = min(FrameGraph.top, max(2, highest.rounded(.up)))
    let room = height - Self.margin
    // A quarter of the height is above the break.
    let linear = highest > end ? room * 3 / 4 : room
    knots = (0...Int(end)).map { (Double($0), height - linear * $0 / Int(end)) }
    guard highest > end else { return }
    let limits: [Double] = [8, 16, 32, 64, 128, 1_024, 65_536, 1_000_000]
    let load = limits.first { $0 >= highest } ?? 1_000_000
    knots.append((load, Self.margin))
    breakLoad = end
  }

  /// The lines above the baseline.
  var ticks: [Tick] {
    knots.dropFirst().map { knot in
      Tick(
        load: knot.load, y: knot.y, isDeadline: isRelative && knot.load == 1,
        isBreak: knot.load == breakLoad)
    }
  }

  /// Returns the distance of `load` from the top. Late loads are at least slightly above the
  /// deadline.
  func y(of load: Double) -> Int {
    for (lower, upper) in zip(knots, knots.dropFirst()) where load <= upper.load {
      let part = (load - lower.load) / (upper.load - lower.load)
      let exact = Double(lower.y) + part * Double(upper.y - lower.y)
      let rounded = min(lower.y, max(upper.y, Int(exact.rounded())))
      return lower.load == 1 ? min(rounded, lower.y - 2) : rounded
    }
    return knots.last?.y ?? 0
  }
}
