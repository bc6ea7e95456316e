extension String {
  /// The last component of a path, or the string itself if it has none.
  package var fileName: String {
    guard let last = utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return self }
    let path = utf8[...last]
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) }
    return String(self[(start ?? startIndex)..<path.endIndex])
  }
}
