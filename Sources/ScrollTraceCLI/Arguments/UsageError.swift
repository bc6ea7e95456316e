import ScrollTraceKit

/// An error in the command line.
package struct UsageError: Error, Equatable, Sendable {
  /// The problem, with a suggestion if there is one.
  let message: String
  /// The option concerned, or `nil` if none is.
  var flag: Flag?
  /// The command concerned, or `nil` for the whole tool.
  var command: String?
  /// A sentence that follows the help on the option, or an empty string.
  package var advice = ""

  package init(message: String, flag: Flag? = nil) {
    self.message = message
    self.flag = flag
  }

  package static func missingOperand(_ name: String) -> UsageError {
    UsageError(message: "Missing expected argument '<\(name)>'")
  }

  package static func missing(_ flag: Flag) -> UsageError {
    UsageError(message: "Missing required option '\(flag.usage)'", flag: flag)
  }

  /// The error of an option that needs another one.
  package static func requires(_ flag: Flag, _ other: Flag) -> UsageError {
    UsageError(message: "'--\(flag.name)' requires '--\(other.name)'", flag: flag)
  }

  /// The error of two options that exclude each other.
  package static func conflict(_ flag: Flag, _ other: Flag) -> UsageError {
    UsageError(
      message: "'--\(flag.name)' and '--\(other.name)' cannot be combined", flag: other)
  }

  /// The error of a value that `flag` does not accept; it accepts values of that `form`.
  package static func invalidValue(
    _ text: String, of flag: Flag, expecting form: String
  ) -> UsageError {
    UsageError(message: "--\(flag.name): '\(text)' is not \(form)", flag: flag)
  }

  /// The error of a file whose extension selects none of the formats of `flag`.
  ///
  /// - Parameter suffix: What may follow the extension, as the end of a sentence.
  static func unknownExtension(
    of file: String, endings: [String], _ flag: Flag, suffix: String = ""
  ) -> UsageError {
    var error = UsageError(
      message: "Unknown extension of '\(file)'; provide '\(flag.usage)'", flag: flag)
    error.advice =
      "Extensions: \(endings.map { "." + $0 }.joined(separator: ", "))\(suffix)."
    return error
  }

  static func unknownChoice(_ text: String, of flag: Flag) -> UsageError {
    // The help on the option lists them.
    let guess = Suggestion.nearest(to: text, in: flag.choices).map { "; try '\($0)'" }
    return invalidValue(text, of: flag, expecting: "one of its values" + (guess ?? ""))
  }
}
