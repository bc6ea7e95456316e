/// Numbers in the reasons of verdicts.
enum GateNumber {
  /// `value` with at most two places, or with all where it would look like `other` without being it.
  static func text(_ value: Double, besides other: Double? = nil, unit: String = "") -> String {
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
