/// What can be said to a command, as its parser and its help need it.
struct CommandSyntax: Sendable {
  /// What stands behind the options.
  struct Operand: Sendable {
    /// What it is called.
    let name: String
    /// What it is, as a sentence.
    let help: String
    /// Whether there can be more than one.
    var isRepeatable = false
  }

  /// The command's name.
  let name: String
  /// What it does, as a sentence.
  let abstract: String
  /// More about it: examples first. Lines are printed as they are.
  var discussion = ""
  /// What stands behind the options; `nil` where nothing does.
  var operand: Operand?
  /// The options, in the order of the help.
  let flags: [Flag]

  /// The options with those that every command has.
  var allFlags: [Flag] { flags + [.version, .help] }

  /// The line that shows how to call the command.
  var usage: String {
    var parts = ["\(ScrollTraceCommand.name) \(name)"]
    if flags.count > Self.mostFlagsShown {
      parts.append("[<options>]")
    } else {
      parts += flags.map { "[\($0.usage)]" }
    }
    if let operand { parts.append("<\(operand.name)>" + (operand.isRepeatable ? " ..." : "")) }
    return parts.joined(separator: " ")
  }

  /// As many as swift-argument-parser shows before it says `<options>`.
  private static let mostFlagsShown = 12
}
