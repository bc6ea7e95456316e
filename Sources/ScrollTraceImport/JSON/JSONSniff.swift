enum JSONSniff {
  /// Returns whether the text is an object, or an array if allowed, that contains one of `marks`;
  /// each mark starts with a quote.
  static func sniff(
    _ prefix: Span<UInt8>, of marks: [StaticString], allowsArray: Bool = false
  ) -> Sniff {
    var index = 0
    if prefix.count >= 3, prefix[0] == 0xEF, prefix[1] == 0xBB, prefix[2] == 0xBF { index = 3 }
    while index < prefix.count, [0x20, 0x09, 0x0A, 0x0D].contains(prefix[index]) { index += 1 }
    guard index < prefix.count else { return .needMoreBytes }
    let isArray = allowsArray && prefix[index] == UInt8(ascii: "[")
    guard prefix[index] == UInt8(ascii: "{") || isArray else { return .no }
    return marks.contains { contains($0, prefix) } ? .yes : .needMoreBytes
  }

  /// Returns whether `bytes` contain `mark`, which starts with a quote.
  static func contains(_ mark: StaticString, _ bytes: Span<UInt8>) -> Bool {
    let count = mark.utf8CodeUnitCount
    guard bytes.count >= count else { return false }
    for start in 0...(bytes.count - count) where bytes[start] == UInt8(ascii: "\"") {
      var matched = 1
      while matched < count, bytes[start + matched] == mark.utf8Start[matched] { matched += 1 }
      if matched == count { return true }
    }
    return false
  }
}
