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
    let sorted = gaps.map(\.nanoseconds).sorted(by: >)
    slowest1Percent = Self.rate(ofSlowest: 100, in: sorted)
    slowest01Percent = Self.rate(ofSlowest: 1_000, in: sorted)
    guard average != nil || slowest1Percent != nil else { return nil }
  }

  /// The rate at the mean of the longest one in `part` of the gaps, which are descending.
  private static func rate(ofSlowest part: Int, in gaps: [Int64]) -> Double? {
    let count = gaps.count / part
    guard count > 0 else { return nil }
    let sum = gaps.prefix(count).reduce(0) { $0 + Double($1) }
    return sum > 0 ? 1e9 * Double(count) / sum : nil
  }
}
