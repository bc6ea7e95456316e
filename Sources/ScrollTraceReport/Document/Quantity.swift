package import ScrollTraceAnalysis
package import ScrollTraceModel

/// Numbers for people: without locale, and never rounding a non-zero number to zero.
package enum Quantity {
  /// Returns a duration: `83.3 ms`, `4.17 ms`, `10.27 s`.
  package static func length(_ span: TimeSpan) -> String {
    let size = span.magnitude.nanoseconds
    switch size {
    case 0: return "0 ms"
    case 1..<1_000: return (span < .zero ? "> -" : "< ") + "0.001 ms"
    case 1_000..<100_000: return decimal(span.nanoseconds, per: 1_000_000, decimals: 3) + " ms"
    case 100_000..<10_000_000: return decimal(span.nanoseconds, per: 1_000_000, decimals: 2) + " ms"
    case 10_000_000..<1_000_000_000:
      return decimal(span.nanoseconds, per: 1_000_000, decimals: 1) + " ms"
    default: return decimal(span.nanoseconds, per: 1_000_000_000, decimals: 2) + " s"
    }
  }

  /// Returns a duration in two or three digits, for reading at a glance: `33 ms`, `8.3 ms`, `1.2 s`.
  package static func rounded(_ span: TimeSpan) -> String {
    switch span.magnitude.nanoseconds {
    case 0: "0 ms"
    case 1..<50_000: "< 0.1 ms"
    case 50_000..<9_950_000: trimmed(decimal(span.nanoseconds, per: 1_000_000, decimals: 1)) + " ms"
    case 9_950_000..<999_500_000: decimal(span.nanoseconds, per: 1_000_000, decimals: 0) + " ms"
    case 999_500_000..<9_950_000_000:
      trimmed(decimal(span.nanoseconds, per: 1_000_000_000, decimals: 1)) + " s"
    default: decimal(span.nanoseconds, per: 1_000_000_000, decimals: 0) + " s"
    }
  }

  static func trimmed(_ text: String) -> String {
    text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns a long duration: `3 min 12 s`, or as `length` below a minute.
  package static func duration(_ span: TimeSpan) -> String {
    let seconds = span.nanoseconds / 1_000_000_000
    guard seconds >= 60 else { return length(span) }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (hours > 0 ? "\(hours) h " : "") + "\(minutes) min \(seconds % 60) s"
  }

  /// Returns a duration in milliseconds with two decimals, such as a refresh interval: `16.67 ms`.
  package static func interval(_ span: TimeSpan) -> String {
    decimal(span.nanoseconds, per: 1_000_000, decimals: 2) + " ms"
  }

  /// Returns a time in seconds from the trace's start: `8.152 s`.
  package static func instant(_ span: TimeSpan) -> String {
    decimal(span.nanoseconds, per: 1_000_000_000, decimals: 3) + " s"
  }

  /// Returns the rate of a refresh interval: `60 Hz`, `59.9 Hz`.
  package static func rate(_ refreshInterval: TimeSpan) -> String {
    guard refreshInterval > .zero else { return "? Hz" }
    return trimmed(fixed(1e9 / Double(refreshInterval.nanoseconds), decimals: 1)) + " Hz"
  }

  /// Returns a ratio with enough decimals to show on which side of a limit it is.
  package static func ratio(_ ratio: HitchTimeRatio, in profile: RatingThresholds) -> String {
    Self.ratio(ratio.millisecondsPerSecond, in: profile)
  }

  /// Returns a ratio with as few decimals as show on which side of a limit it is: `32 ms/s`.
  static func rounded(_ ratio: HitchTimeRatio, in profile: RatingThresholds) -> String {
    Self.ratio(ratio.millisecondsPerSecond, in: profile, minimumDecimals: 0)
  }

  /// Returns a median of ratios in ms/s, in the same way.
  static func ratio(
    _ value: Double, in profile: RatingThresholds, minimumDecimals: Int = 2
  ) -> String {
    for decimals in minimumDecimals...6 {
      let text = fixed(value, decimals: decimals)
      if let shown = Double(text), profile.rating(of: shown) == profile.rating(of: value),
        shown > 0 || value == 0
      {
        return text + " ms/s"
      }
    }
    return "\(value) ms/s"
  }

  /// Returns a share: `77.5%`.
  package static func share(_ value: Double) -> String {
    if value > 0, value < 0.001 { return "< 0.1%" }
    if value < 1, value > 0.999 { return "> 99.9%" }
    return fixed(value * 100, decimals: 1) + "%"
  }

  /// Returns a share in whole percent, for reading at a glance: `79%`.
  package static func percent(_ value: Double) -> String {
    if value > 0, value < 0.005 { return "< 1%" }
    if value < 1, value > 0.995 { return "> 99%" }
    return fixed(value * 100, decimals: 0) + "%"
  }

  /// Returns a number of bytes: `812 bytes`, `1.2 MB`.
  package static func bytes(_ count: UInt64) -> String {
    switch count {
    case 0..<1_000: Quantity.count(count, "byte")
    case 1_000..<1_000_000: fixed(Double(count) / 1e3, decimals: 1) + " kB"
    case 1_000_000..<1_000_000_000: fixed(Double(count) / 1e6, decimals: 1) + " MB"
    default: fixed(Double(count) / 1e9, decimals: 1) + " GB"
    }
  }

  /// `1 frame`, `2 frames`.
  package static func count(
    _ count: some CustomStringConvertible & Equatable & ExpressibleByIntegerLiteral, _ one: String,
    _ many: String? = nil
  ) -> String {
    "\(count) " + (count == 1 ? one : many ?? one + "s")
  }

  /// Returns the end of a list without `hidden` further entries, or `nil` if it is complete:
  /// `and 3 more`, `and 1 more pair`.
  package static func more(_ hidden: Int, _ noun: String? = nil, isInJSON: Bool = false) -> String?
  {
    guard hidden > 0 else { return nil }
    return "and " + (noun.map { count(hidden, "more \($0)") } ?? "\(hidden) more")
      + (isInJSON ? "; --format json lists all" : "")
  }

  /// Returns `value` with a fixed number of decimals, or as Swift prints it if it is too large.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    let factor = decimals == 0 ? 1 : (0..<decimals).reduce(1) { result, _ in result * 10 }
    guard let scaled = Int64(exactly: (value * Double(factor)).rounded()) else {
      return "\(value)"
    }
    return decimal(scaled, per: Int64(factor), decimals: decimals)
  }

  /// Returns `count / unit` with a fixed number of decimals, halves rounded away from zero.
  package static func decimal(_ count: Int64, per unit: Int64, decimals: Int) -> String {
    let factor: UInt64 = (0..<decimals).reduce(1) { result, _ in result * 10 }
    let unit = UInt64(unit)
    let step = max(1, unit / factor)
    let scaled =
      count.magnitude / step + (count.magnitude % step >= (step + 1) / 2 && step > 1 ? 1 : 0)
    let digits = String(scaled % factor)
    let sign = count < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    return "\(sign)\(scaled / factor)." + String(repeating: "0", count: decimals - digits.count)
      + digits
  }
}

extension StyledText {
  /// The end of a list without `hidden` further entries, or `nil` if it is complete.
  static func more(_ hidden: Int, _ noun: String? = nil) -> StyledText? {
    Quantity.more(hidden, noun).map { StyledText($0, .faint) }
  }
}

extension Quantity {
  /// Returns a compared value with its unit, or `unknown`.
  static func value(_ value: MetricValue?, in profile: RatingThresholds) -> String {
    switch value {
    case .time(let span): length(span)
    case .count(let count): fixed(count, decimals: count.rounded() == count ? 0 : 1)
    case .share(let share): self.share(share)
    case .factor(let factor): fixed(factor, decimals: 2)
    case .millisecondsPerSecond(let ratio): self.ratio(ratio, in: profile)
    case .perSecond(let count): fixed(count, decimals: 2) + " /s"
    case nil: "unknown"
    }
  }

  /// Returns a difference with its sign: `=` for none, `?` if unknown. Differences of shares are in
  /// percentage points.
  static func difference(_ value: MetricValue?) -> String {
    guard let value else { return "?" }
    guard value.sign != 0 else { return "=" }
    let text =
      switch value {
      case .share(let share): fixed(share * 100, decimals: 1) + " points"
      case .millisecondsPerSecond(let ratio): fixed(ratio, decimals: 2) + " ms/s"
      case .time, .count, .factor, .perSecond: self.value(value, in: .scroll)
      }
    return value.sign > 0 && text.first?.isNumber == true ? "+" + text : text
  }

  /// Returns a relative difference: `-17%`, or an empty string if it is not meaningful.
  static func change(_ value: ComparedValue) -> String {
    guard let part = value.relativeDifference, value.difference?.sign != 0 else { return "" }
    guard part.magnitude < 10 else { return "\(fixed(part + 1, decimals: 0))×" }
    let text = fixed(part * 100, decimals: 0)
    return (part > 0 && text != "0" ? "+" : "") + text + "%"
  }
}
