/// The frequency of a counter whose ticks a table holds, found by the lengths in milliseconds that
/// the table holds too.
struct PresentMonTicks {
  /// How many ticks a second has.
  let frequency: UInt64

  /// The most rows of which the lengths are looked at.
  private static let mostPairs = 100_000

  /// The frequency at which the ticks of `chains` fit their lengths; `nil` where none does.
  init?(_ chains: [PresentMonChain]) {
    var pairs: [(ticks: Double, nanoseconds: Double)] = []
    for chain in chains {
      for (index, frame) in chain.frames.enumerated() where pairs.count < Self.mostPairs {
        Self.add(frame.present - frame.start, frame.busy, to: &pairs)
        guard index > 0 else { continue }
        let before = chain.frames[index - 1]
        Self.add(frame.start - before.start, before.frameTime, to: &pairs)
        Self.add(frame.present - before.present, frame.between, to: &pairs)
      }
    }
    let rates = pairs.map { $0.ticks / $0.nanoseconds }.sorted()
    guard !rates.isEmpty else { return nil }
    let middle = rates[rates.count / 2]
    let fitting = pairs.filter { abs($0.ticks / $0.nanoseconds / middle - 1) < 0.002 }
    guard fitting.count * 2 >= pairs.count else { return nil }
    let ticks = fitting.reduce(0) { $0 + $1.ticks }
    let nanoseconds = fitting.reduce(0) { $0 + $1.nanoseconds }
    let measured = (ticks / nanoseconds * 1e9).rounded()
    guard 1000...1e12 ~= measured else { return nil }
    // Lengths are rounded; nearly all machines have the one frequency.
    frequency = abs(measured / 1e7 - 1) < 1e-4 ? 10_000_000 : UInt64(measured)
  }

  /// The ticks as nanoseconds.
  func nanoseconds(_ ticks: PresentMonFrame.Time) -> PresentMonFrame.Time {
    guard let count = ticks.value, count >= 0 else { return .unknown }
    let product = UInt64(count).multipliedFullWidth(by: 1_000_000_000)
    guard product.high < frequency else { return .unknown }
    let quotient = frequency.dividingFullWidth(product).quotient
    return Int64(exactly: quotient).map(PresentMonFrame.Time.init) ?? .unknown
  }

  /// Adds a difference of ticks and the length it should be, where both are of some length.
  private static func add(
    _ ticks: PresentMonFrame.Time, _ length: PresentMonFrame.Time,
    to pairs: inout [(ticks: Double, nanoseconds: Double)]
  ) {
    guard let ticks = ticks.value, let length = length.value, ticks > 0, length >= 1_000_000
    else { return }
    pairs.append((Double(ticks), Double(length)))
  }
}
