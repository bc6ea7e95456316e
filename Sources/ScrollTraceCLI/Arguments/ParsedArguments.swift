/// What was said to a command.
struct ParsedArguments: Sendable {
  /// What stood behind the options.
  var operands: [String] = []
  /// The values of each option by its name, in order; switches have empty ones.
  var values: [String: [String]] = [:]
  /// How many operands stood before each option when it was first given, by its name.
  var operandsBefore: [String: Int] = [:]

  /// Whether `flag` was given.
  func has(_ flag: Flag) -> Bool { values[flag.name] != nil }

  /// The value of `flag` that was given last.
  func value(of flag: Flag) -> String? { values[flag.name]?.last }

  /// All values of `flag`: every one where it can be repeated, else those of the last time.
  func values(of flag: Flag) -> [String] {
    let all = values[flag.name] ?? []
    let counting = flag.isRepeatable ? all : Array(all.suffix(1))
    guard flag.takesList else { return counting }
    return counting.flatMap { $0.split(separator: ",").map(String.init) }
  }

  /// The value of `flag` as `parse` reads it.
  func value<Value>(
    of flag: Flag, as parse: (String) -> Value?, expecting form: String
  ) throws(UsageError) -> Value? {
    guard let text = value(of: flag) else { return nil }
    guard let value = parse(text) else {
      throw .invalidValue(text, of: flag, advice: "Please provide \(form).")
    }
    return value
  }
}
