import ScrollTraceAnalysis

/// Formats numbers in the reasons of verdicts: `31.88 ms/s`, `12 ms`, `97%`, `7`.
package enum GateNumber {
  private static let nanosecondsPerMillisecond = 1_000_000.0
  /// Times below one microsecond are shown in nanoseconds.
  private static let minimumNanosecondsInMilliseconds = 1_000.0

  /// Formats `value`, which is in the unit that reports give under the metric's name.
  ///
  /// - Parameters:
  ///   - other: A number from which `value` has to be distinguishable.
  ///   - unit: The raw value of a `Metric.Unit`; empty for none.
  package static func text(_ value: Double, besides other: Double? = nil, unit: String) -> String {
    switch Metric.Unit(rawValue: unit) {
    case .ns:
      if value != 0, value.magnitude < minimumNanosecondsInMilliseconds {
        return digits(value, besides: other) + " ns"
      }
      return digits(
        value / nanosecondsPerMillisecond, besides: other.map { $0 / nanosecondsPerMillisecond })
        + " ms"
    case .share: return digits(value * 100, besides: other.map { $0 * 100 }) + "%"
    case .count, .factor: return digits(value, besides: other)
    case .msPerS:
      return digits(value, besides: other, hasTwoDecimals: true) + " " + unit
    case .perS, nil:
      return digits(value, besides: other) + (unit.isEmpty ? "" : " " + unit)
    }
  }

  /// Formats a range with its unit once: `1.2 to 4.1 ms`.
  package static func text(_ range: ClosedRange<Double>, unit: String) -> String {
    joined(
      text(range.lowerBound, unit: unit), " to ", text(range.upperBound, unit: unit))
  }

  /// Formats a change: `8.89 → 3.33 ms/s`.
  static func change(from base: Double, to value: Double, unit: String) -> String {
    joined(
      text(base, besides: value, unit: unit), " → ", text(value, besides: base, unit: unit))
  }

  /// Joins two numbers, the first without its unit if that is the second's too.
  private static func joined(_ first: String, _ word: String, _ second: String) -> String {
    guard let space = second.lastIndex(of: " "), first.hasSuffix(second[space...]) else {
      return first + word + second
    }
    return first.dropLast(second[space...].count) + word + second
  }

  /// Formats a change for the worse as a part of `base`, rounded up to two digits: `+70%`. One that is far
  /// more, or one of zero, is the difference: `+3.20 ms/s`.
  static func increase(_ increase: Double, over base: Double, _ metric: Metric) -> String {
    let percent = increase / base.magnitude * 100
    let sign = metric.higherIsBetter && increase > 0 ? "-" : "+"
    guard percent < 200 else { return sign + text(increase, unit: metric.unit.rawValue) }
    let step = percent > 100 ? 10.0 : 1
    return sign
      + text((percent / step).rounded(.up) * step / 100, unit: Metric.Unit.share.rawValue)
  }

  /// Formats a probability: `p = 0.003`, `p < 0.001`.
  package static func probability(_ p: Double) -> String {
    guard p >= 0.0005, let thousandths = Int(exactly: (p * 1_000).rounded()) else {
      return "p < 0.001"
    }
    let rest = String(thousandths % 1_000)
    return "p = \(thousandths / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// `value` with at most two decimals, or with as many as distinguish it from `other` and from zero.
  ///
  /// - Parameter hasTwoDecimals: Whether to print both decimals, as reports do; of a whole number only beside
  ///   another number, since limits are printed as they were given.
  private static func digits(
    _ value: Double, besides other: Double?, hasTwoDecimals: Bool = false
  ) -> String {
    func isClear(_ count: Int) -> Bool {
      let text = rounded(value, count)
      return (value == 0 || text != "0")
        && (other.map { $0 == value || rounded($0, count) != text } ?? true)
    }
    guard isClear(2) else {
      return (3...9).first(where: isClear).map { rounded(value, $0) } ?? "\(value)"
    }
    let short = rounded(value, 2)
    guard hasTwoDecimals, short.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" }) else {
      return short
    }
    guard let point = short.firstIndex(of: ".") else { return other == nil ? short : short + ".00" }
    return short + (short.distance(from: point, to: short.endIndex) < 3 ? "0" : "")
  }

  /// `value` with at most `count` decimals, without zeros at the end.
  private static func rounded(_ value: Double, _ count: Int) -> String {
    let scale = (0..<count).reduce(Int64(1)) { scale, _ in scale * 10 }
    guard let parts = Int64(exactly: (value * Double(scale)).rounded()) else { return "\(value)" }
    let (whole, rest) = parts.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
    let digits = String(rest)
    var decimals = String(repeating: "0", count: count - digits.count) + digits
    while decimals.last == "0" { decimals.removeLast() }
    return (parts < 0 ? "-" : "") + "\(whole)" + (decimals.isEmpty ? "" : "." + decimals)
  }
}
