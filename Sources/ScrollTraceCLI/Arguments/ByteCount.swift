/// A number of bytes in a person's notation: `2M`, `512K`, `8 GiB` or `65536`.
package struct ByteCount: Equatable {
  package let bytes: Int

  /// Creates a number from digits and an optional K, M, G, KiB, MiB or GiB, or returns `nil` if
  /// `text` is anything else or 0.
  package init?(_ text: String) {
    let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    var digits = text.hasSuffix("iB") ? text.dropLast(2) : text[...]
    let factor = digits.last.flatMap { factors[$0] }
    guard factor != nil || digits.endIndex == text.endIndex else { return nil }
    if factor != nil { digits.removeLast() }
    if factor != nil, digits.last == " " { digits.removeLast() }
    guard let count = Int(digits), count > 0 else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: factor ?? 1)
    guard !overflow else { return nil }
    self.bytes = bytes
  }
}
