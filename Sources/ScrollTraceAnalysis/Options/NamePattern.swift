/// A pattern with `*` for any number of characters and `?` for one.
///
/// Matching backtracks only to the last `*`, so that no pattern takes exponential time.
package struct NamePattern {
  private let pattern: [Character]

  package init(_ text: String) {
    pattern = Array(text)
  }

  /// Returns whether the pattern matches the whole name.
  package func matches(_ name: some StringProtocol) -> Bool {
    let name = Array(name)
    var (inName, inPattern) = (0, 0)
    var star: (inName: Int, inPattern: Int)?
    while inName < name.count {
      if inPattern < pattern.count, pattern[inPattern] == "*" {
        star = (inName, inPattern + 1)
        inPattern += 1
      } else if inPattern < pattern.count,
        pattern[inPattern] == "?" || pattern[inPattern] == name[inName]
      {
        inName += 1
        inPattern += 1
      } else if let last = star {
        star = (last.inName + 1, last.inPattern)
        (inName, inPattern) = (last.inName + 1, last.inPattern)
      } else {
        return false
      }
    }
    return pattern[inPattern...].allSatisfy { $0 == "*" }
  }
}
