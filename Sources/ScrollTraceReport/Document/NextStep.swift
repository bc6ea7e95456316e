/// A suggested step after a report.
enum NextStep: Sendable {
  /// The words of a command, to copy unchanged.
  case command([String])
  /// A sentence.
  case advice(String)

  /// Returns the step, escaped for `context`.
  func text(for context: EscapingContext = .terminal) -> String {
    switch self {
    case .command(let words):
      words.map { ShellWord.quoted($0, for: context) }.joined(separator: " ")
    case .advice(let text): text
    }
  }
}
