extension String {
  /// The last component of a path, or the string itself if it has none.
  package var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
