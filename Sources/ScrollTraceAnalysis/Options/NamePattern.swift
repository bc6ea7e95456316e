/// A pattern with `*` for any number of characters and `?` for one.
///
/// Matching goes back to the last `*` at most, so that no pattern can make it exponential.
package struct NamePattern {
  private let pattern: [Character]

  /// The pattern written as `text`.
  package init(_ text: String) {
    pattern = Array(text)
  }

  /// Whether the whole of `name` fits the pattern.
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
