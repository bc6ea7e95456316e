import ScrollTraceAnalysis
import ScrollTraceModel

extension Quantity {
  /// A number that is compared, with its unit; `unknown` where it is not known.
  static func value(_ value: MetricValue?, in profile: RatingThresholds) -> String {
    switch value {
    case .time(let span): length(span)
    case .count(let count): number(count)
    case .share(let share): self.share(share)
    case .factor(let factor): fixed(factor, places: 2)
    case .millisecondsPerSecond(let ratio): self.ratio(ratio, in: profile)
    case .perSecond(let count): fixed(count, places: 2) + " /s"
    case nil: "unknown"
    }
  }

  /// A difference with its sign: `=` for none, `?` where it is not known. A difference of shares is
  /// in points, hundredths of the whole.
  static func difference(_ value: MetricValue?) -> String {
    guard let value else { return "?" }
    guard value.sign != 0 else { return "=" }
    let text =
      switch value {
      case .time(let span): length(span)
      case .count(let count): number(count)
      case .share(let share): fixed(share * 100, places: 1) + " points"
      case .factor(let factor): fixed(factor, places: 2)
      case .millisecondsPerSecond(let ratio): fixed(ratio, places: 2) + " ms/s"
      case .perSecond(let count): fixed(count, places: 2) + " /s"
      }
    return value.sign > 0 && text.first?.isNumber == true ? "+" + text : text
  }

  /// The difference as a part of the base: `-17 %`; empty where that says nothing.
  static func change(_ value: ComparedValue) -> String {
    guard let part = value.relativeDifference, value.difference?.sign != 0 else { return "" }
    guard part.magnitude < 10 else { return "x \(fixed(part + 1, places: 0))" }
    let text = fixed(part * 100, places: 0)
    return (part > 0 && text != "0" ? "+" : "") + text + " %"
  }

  private static func number(_ count: Double) -> String {
    fixed(count, places: count.rounded() == count ? 0 : 1)
  }
}
