import ScrollTraceKit
/// Parses the arguments of a command.
///
/// Options can precede, follow and separate operands. `--name value` equals `--name=value`, and
/// `-abc` equals `-a -b -c`. Everything after `--` is an operand, and so is `-`.
struct ArgumentParser {
  private let syntax: CommandSyntax
  private var rest: ArraySlice<String>
  private var parsed = ParsedArguments()

  private init(_ syntax: CommandSyntax, _ arguments: ArraySlice<String>) {
    self.syntax = syntax
    rest = arguments
  }

  static func parse(
    _ arguments: ArraySlice<String>, as syntax: CommandSyntax
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(syntax, arguments)
    do {
      try parser.parseAll()
    } catch {
      var error = error
      error.command = syntax.name
      throw error
    }
    return parser.parsed
  }

  private mutating func parseAll() throws(UsageError) {
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      } else if argument.hasPrefix("--") {
        try parseLong(argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        try parseShort(argument)
      } else {
        parsed.operands.append(argument)
      }
    }
    if parsed.has(.help) || parsed.has(.version) { return }
    try checkOperands()
  }

  private func checkOperands() throws(UsageError) {
    guard let operand = syntax.operand else {
      guard parsed.operands.isEmpty else { throw unexpected(parsed.operands) }
      return
    }
    guard !parsed.operands.isEmpty || operand.replacements.contains(where: parsed.has) else {
      throw .missingOperand(operand.name)
    }
    if !operand.isRepeatable, parsed.operands.count > 1 {
      throw unexpected(Array(parsed.operands.dropFirst()))
    }
  }

  private func unexpected(_ operands: [String]) -> UsageError {
    let quoted = operands.map { "'\($0)'" }.joined(separator: ", ")
    return UsageError(
      message: operands.count == 1
        ? "Unexpected argument \(quoted)" : "\(operands.count) unexpected arguments: \(quoted)")
  }

  private mutating func parseLong(_ argument: String) throws(UsageError) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let flag = syntax.allFlags.first(where: { $0.name == name }) else {
      let guess = Suggestion.nearest(to: name, in: syntax.allFlags.map(\.name))
      throw UsageError(
        message: "Unknown option '--\(name)'" + (guess.map { ". Did you mean '--\($0)'?" } ?? ""))
    }
    try take(flag, value: parts.count > 1 ? String(parts[1]) : nil)
    if flag == .help { parsed.asksForAllHelp = true }
  }

  private mutating func parseShort(_ argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let flag = syntax.allFlags.first(where: { $0.short == letter }) else {
        throw UsageError(message: "Unknown option '-\(letter)'")
      }
      if letters.first == "=" {
        try take(flag, value: String(letters.dropFirst()))
        return
      }
      guard flag.value == nil || letters.isEmpty else {
        throw UsageError(message: "Missing value for '\(flag.usage)'", flag: flag)
      }
      try take(flag, value: nil)
    }
  }

  private mutating func take(_ flag: Flag, value: String?) throws(UsageError) {
    let before = parsed.operandsBefore[flag.name] ?? parsed.operands.count
    parsed.operandsBefore[flag.name] = before
    guard flag.value != nil else {
      guard value == nil else {
        throw UsageError(message: "The option '--\(flag.name)' takes no value", flag: flag)
      }
      parsed.values[flag.name, default: []].append("")
      return
    }
    guard let value = value ?? nextValue() else {
      throw UsageError(message: "Missing value for '\(flag.usage)'", flag: flag)
    }
    let words = flag.takesList ? value.split(separator: ",").map(String.init) : [value]
    for word in words where !flag.choices.isEmpty && !flag.choices.contains(word) {
      throw .unknownChoice(word, of: flag)
    }
    guard !words.isEmpty else { throw .unknownChoice(value, of: flag) }
    parsed.values[flag.name, default: []].append(words.joined(separator: ","))
  }

  /// Removes and returns the next argument if it can be a value.
  ///
  /// A value that starts with a dash needs the form `--name=value`, unless it is a number.
  private mutating func nextValue() -> String? {
    guard let next = rest.first else { return nil }
    let isNumber = next.dropFirst().first.map { $0.isASCII && $0.isNumber } ?? (next == "-")
    guard isNumber || !next.hasPrefix("-") else { return nil }
    return rest.popFirst()
  }
}

package struct ParsedArguments: Sendable {
  package var operands: [String] = []
  /// The values of each option, in order, by the option's name; empty strings for a switch.
  var values: [String: [String]] = [:]
  /// The number of operands before the first occurrence of each option, by the option's name.
  var operandsBefore: [String: Int] = [:]
  /// Whether the help has its long name, which asks for all of it.
  var asksForAllHelp = false
  /// The syntax of all commands, which completion scripts list.
  var commands: [CommandSyntax] = []

  package func has(_ flag: Flag) -> Bool { values[flag.name] != nil }

  /// Returns the last value of `flag`, or `nil` if it is absent.
  package func value(of flag: Flag) -> String? { values[flag.name]?.last }

  /// Returns the values of `flag`: those of every occurrence if it is repeatable, otherwise those
  /// of the last one.
  package func values(of flag: Flag) -> [String] {
    let all = values[flag.name] ?? []
    let counting = flag.isRepeatable ? all : Array(all.suffix(1))
    guard flag.takesList else { return counting }
    return counting.flatMap { $0.split(separator: ",").map(String.init) }
  }

  /// Returns the values of `flag`, parsed. The error names the expected `form`.
  func values<Value>(
    of flag: Flag, as parse: (String) -> Value?, expecting form: String
  ) throws(UsageError) -> [Value] {
    try values(of: flag).map { (text) throws(UsageError) in
      guard let value = parse(text) else { throw .invalidValue(text, of: flag, expecting: form) }
      return value
    }
  }

  /// Returns the last value of `flag`, parsed, or `nil` if it is absent. The error names the expected
  /// `form`.
  package func value<Value>(
    of flag: Flag, as parse: (String) -> Value?, expecting form: String
  ) throws(UsageError) -> Value? {
    try values(of: flag, as: parse, expecting: form).last
  }
}
