/// A number of bytes as a person writes it: `2M`, `512K`, `8 GiB` or `65536`.
struct ByteCount: Hashable {
  /// The bytes.
  let bytes: Int

  /// Reads digits, then nothing or one of K, M and G, by 1024, which may be written out as KiB, MiB and
  /// GiB; `nil` for all else and for 0.
  init?(_ text: String) {
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
