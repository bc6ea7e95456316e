/// A suggested step after a report.
enum NextStep: Sendable {
  /// The words of a command, to copy unchanged, and the part of a page that shows the same.
  case command([String], link: Link? = nil)
  /// A sentence.
  case advice(String)

  /// A part of a page.
  struct Link: Sendable {
    let anchor: String
    let text: String
  }

  /// The part of a page that shows the same, or `nil` if none does.
  var link: Link? {
    if case .command(_, let link) = self { link } else { nil }
  }

  /// Returns the step, escaped for `context`.
  func text(for context: EscapingContext = .terminal) -> String {
    switch self {
    case .command(let arguments, _):
      arguments.map { ShellWord.quoted($0, for: context) }.joined(separator: " ")
    case .advice(let text): text
    }
  }
}
