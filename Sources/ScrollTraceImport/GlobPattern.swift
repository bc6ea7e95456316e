/// A pattern for names in which `*` stands for any text and `?` for any one character.
struct GlobPattern: Sendable {
  private let pattern: [Character]

  /// A pattern as the user wrote it.
  init(_ text: String) {
    pattern = Array(text)
  }

  /// Whether the pattern fits all of `name`; at most pattern length × name length steps.
  func matches(_ name: String) -> Bool {
    let name = Array(name)
    var inPattern = 0
    var inName = 0
    // Where the last star was, and how much of the name it stands for so far. A later star never
    // needs an earlier one to be tried again.
    var star: (inPattern: Int, inName: Int)?
    while inName < name.count {
      if inPattern < pattern.count, pattern[inPattern] == "*" {
        star = (inPattern, inName)
        inPattern += 1
      } else if inPattern < pattern.count,
        pattern[inPattern] == "?" || pattern[inPattern] == name[inName]
      {
        inPattern += 1
        inName += 1
      } else if let last = star {
        star = (last.inPattern, last.inName + 1)
        inPattern = last.inPattern + 1
        inName = last.inName + 1
      } else {
        return false
      }
    }
    return pattern[inPattern...].allSatisfy { $0 == "*" }
  }
}
