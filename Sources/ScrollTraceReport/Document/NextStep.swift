/// A step to take after reading a report.
enum NextStep: Sendable {
  /// The words of a command, to be copied as they stand.
  case command([String])
  /// A sentence.
  case advice(String)

  /// The step in a form whose texts are escaped for `context`.
  func text(for context: EscapingContext = .terminal) -> String {
    switch self {
    case .command(let words):
      words.map { ShellWord.quoted($0, for: context) }.joined(separator: " ")
    case .advice(let text): text
    }
  }
}
