import ScrollTraceModel

/// How many pictures a second there were in motion (M-10). Rests never enter a rate.
public struct FrameRates: Codable, Equatable, Sendable {
  /// The pictures per second of interaction, or `nil` if they are unknown.
  public let average: Double?
  /// The rate of the slowest 1% of frame spacings, or `nil` if there are fewer than 100.
  public let slowest1Percent: Double?
  /// The rate of the slowest 0.1% of frame spacings, or `nil` if there are fewer than 1 000.
  public let slowest01Percent: Double?

  package static let unknown = FrameRates()

  private init() { (average, slowest1Percent, slowest01Percent) = (nil, nil, nil) }

  init?(of gaps: [TimeSpan], pictures: Int?, in time: TimeSpan) {
    average = pictures.flatMap { time > .zero ? Double($0) / time.seconds : nil }
    var ranked = RankedValues(gaps)
    let longest = ranked.greatest(gaps.count / 100)
    slowest1Percent = Self.rate(at: longest)
    slowest01Percent = Self.rate(at: longest.prefix(gaps.count / 1_000))
    guard average != nil || slowest1Percent != nil else { return nil }
  }

  /// The rate at the mean of gaps, or `nil` without any.
  private static func rate(at gaps: some Collection<TimeSpan>) -> Double? {
    guard !gaps.isEmpty else { return nil }
    let sum = gaps.reduce(0) { $0 + Double($1.nanoseconds) }
    return sum > 0 ? 1e9 * Double(gaps.count) / sum : nil
  }
}
