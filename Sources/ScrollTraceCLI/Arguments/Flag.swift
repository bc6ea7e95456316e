/// One option of a command, declared once: parsing, help and suggestions all come from it.
struct Flag: Hashable, Sendable {
  /// The long name, without dashes.
  let name: String
  /// The short name, without its dash.
  var short: Character?
  /// What its value is called, `nil` for a switch.
  var value: String?
  /// The values there are; empty where they are not a list.
  var choices: [String] = []
  /// Whether several values can be given with commas between them.
  var takesList = false
  /// Whether it can be given more than once and every value counts.
  var isRepeatable = false
  /// What holds where it is not given, for the help.
  var standard: String?
  /// What it does, as a sentence.
  let help: String

  /// Every command has it.
  static let help = Flag(name: "help", short: "h", help: "Show help information.")
  /// Every command has it.
  static let version = Flag(name: "version", help: "Show the version.")

  /// `--name <value>`
  var usage: String { "--\(name)" + (value.map { " <\($0)>" } ?? "") }

  /// `-n, --name <value>`
  var label: String { (short.map { "-\($0), " } ?? "") + usage }

  /// The sentence with values and default.
  var explanation: String {
    var notes: [String] = []
    if !choices.isEmpty { notes.append("values: \(choices.joined(separator: ", "))") }
    if let standard { notes.append("default: \(standard)") }
    return help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }
}
