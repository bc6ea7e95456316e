/// Numbers in the reasons of verdicts.
package enum GateNumber {
  /// What is shorter is told in nanoseconds.
  static let leastMilliseconds = 0.001

  /// `value` in nanoseconds where milliseconds would not show it; `nil` else.
  package static func nanoseconds(_ value: Double, unit: String) -> String? {
    guard unit == BudgetMetric.Unit.time.rawValue, value != 0, value.magnitude < leastMilliseconds,
      let count = Int64(exactly: (value * 1_000_000).rounded()), count != 0
    else { return nil }
    return "\(count) ns"
  }

  /// `value` with at most two places, or with all where it would look like `other` without being it.
  static func text(_ value: Double, besides other: Double? = nil, unit: String = "") -> String {
    if let short = nanoseconds(value, unit: unit) { return short }
    let short = rounded(value)
    let isSame = other.map { $0 != value && rounded($0) == short } ?? (value != 0 && short == "0")
    return (isSame ? "\(value)" : short) + (unit.isEmpty ? "" : " " + unit)
  }

  private static func rounded(_ value: Double) -> String {
    guard let hundredths = Int64(exactly: (value * 100).rounded()) else { return "\(value)" }
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    let places =
      rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    return (hundredths < 0 ? "-" : "") + "\(whole)\(places)"
  }
}
