// The standard library searches strings for strings only from iOS 16 and macOS 13 on.
extension StringProtocol {
  /// Returns the range of the first occurrence of `text`, byte by byte, or `nil` if there is none.
  @inlinable package func firstOccurrence(of text: some StringProtocol) -> Range<Index>? {
    let (all, wanted) = (utf8, Array(text.utf8))
    var start = all.startIndex
    var left = all.count
    while left >= wanted.count {
      let rest = all[start...]
      if rest.starts(with: wanted) { return start..<all.index(start, offsetBy: wanted.count) }
      guard left > 0 else { break }
      start = all.index(after: start)
      left -= 1
    }
    return nil
  }

  @inlinable package func includes(_ text: some StringProtocol) -> Bool {
    firstOccurrence(of: text) != nil
  }

  /// Returns the string with `text`, which must not be empty, replaced by `other` everywhere.
  @inlinable package func replacingAll(_ text: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while !text.isEmpty, let found = rest.firstOccurrence(of: text) {
      result += rest[..<found.lowerBound]
      result += other
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}
