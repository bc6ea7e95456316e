import ScrollTraceKit

/// Something that was said to a command in a way it does not understand.
struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, and what was meant if that can be guessed.
  let message: String
  /// The option concerned.
  var flag: Flag?
  /// The command concerned; `nil` for the whole tool.
  var command: String?

  /// The value `text` does not fit `flag`.
  static func invalidValue(_ text: String, of flag: Flag, advice: String) -> UsageError {
    UsageError(
      message: "The value '\(text)' is invalid for '\(flag.usage)'. \(advice)", flag: flag)
  }

  /// `text` is none of the values that `flag` takes.
  static func unknownChoice(_ text: String, of flag: Flag) -> UsageError {
    let quoted = flag.choices.map { "'\($0)'" }
    let list = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
    let guess = Suggestion.nearest(to: text, in: flag.choices).map { " Did you mean '\($0)'?" }
    return invalidValue(text, of: flag, advice: "Please provide one of \(list).\(guess ?? "")")
  }
}
