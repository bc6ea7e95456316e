extension Collection<String> {
  /// Returns the first texts, separated by commas, and how many more there are: `a, b and 3 more`.
  ///
  /// - Parameter limit: The maximum number of listed texts.
  package func listed(maximum limit: Int = 8, separator: String = ", ") -> String {
    let more = count - limit
    return prefix(limit).joined(separator: separator) + (more > 0 ? " and \(more) more" : "")
  }
}
