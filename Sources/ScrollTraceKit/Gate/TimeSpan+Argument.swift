package import ScrollTraceAnalysis
package import ScrollTraceModel

extension TimeSpan {
  /// A length of time as people type it: `1.2s`, `300ms`, `16667us`, `5ns`; `nil` for all else.
  package init?(argument text: String) {
    let units = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)]
    guard let (unit, size) = units.first(where: { text.hasSuffix($0.0) }),
      let count = Self.product(text.dropLast(unit.count), times: Int64(size))
    else { return nil }
    self.init(nanoseconds: count)
  }

  /// The interval of a refresh rate: `60`, `59.94`, `60000/1001`; `nil` outside 1 ... 1000 Hz.
  package init?(refreshRate text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let micro = parts.first.flatMap({ Self.product($0, times: 1_000_000) }),
      let divisor = parts.count == 2 ? Int64(parts[1]) : 1, micro > 0, divisor > 0,
      divisor <= 1_000_000
    else { return nil }
    // 10^15 / (rate · 10^6) nanoseconds, rounded to the nearest.
    let scaled = (1_000_000_000_000_000 as Int64).multipliedReportingOverflow(by: divisor)
    guard !scaled.overflow else { return nil }
    let (whole, rest) = scaled.partialValue.quotientAndRemainder(dividingBy: micro)
    let interval = whole + (rest >= micro - rest ? 1 : 0)
    guard (1_000_000...1_000_000_000).contains(interval) else { return nil }
    self.init(nanoseconds: interval)
  }

  /// The decimal number `text`, not negative, times `factor`; digits beyond one unit are cut off.
  private static func product(_ text: some StringProtocol, times factor: Int64) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ isDigits($0) }),
      let whole = Int64(parts[0])
    else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
    guard !overflow else { return nil }
    var fraction: Int64 = 0
    var unit = factor
    for digit in parts.count == 2 ? Array(parts[1].utf8) : [] {
      unit /= 10
      fraction += unit * Int64(digit - UInt8(ascii: "0"))
    }
    let (sum, sumOverflow) = product.addingReportingOverflow(fraction)
    return sumOverflow ? nil : sum
  }

  private static func isDigits(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension Double {
  /// A decimal number as people type it; `nil` for all else, such as `0x40` and `inf`.
  package init?(argument text: String) {
    guard text.utf8.allSatisfy("0123456789.+-eE".utf8.contains) else { return nil }
    self.init(text)
  }
}

extension AnalysisOptions.NamedRange {
  /// A range of the recording as people type it, `NAME=FROM..TO`; `nil` for all else.
  package init?(argument text: String) {
    guard let equals = text.lastIndex(of: "=") else { return nil }
    let name = String(text[..<equals])
    let times = text[text.index(after: equals)...]
    guard !name.isEmpty, let dots = times.indices.first(where: { times[$0...].hasPrefix("..") }),
      let from = TimeSpan(argument: String(times[..<dots])),
      let to = TimeSpan(argument: String(times[dots...].dropFirst(2))), from < to
    else { return nil }
    self.init(name: name, from: from, to: to)
  }
}
