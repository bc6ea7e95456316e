/// Help and usage as text, made from the declarations.
struct HelpText {
  /// The column at which explanations start.
  private static let labelWidth = 26

  /// The width to wrap at.
  let width: Int

  /// Help on the whole tool.
  func overview(of commands: [CommandSyntax]) -> String {
    let rows = commands.map { ($0.name, $0.abstract) } + [("help", "Show help on a command.")]
    return """
      OVERVIEW: Measure how smoothly an app scrolls, from traces of its frames.

      USAGE: \(ScrollTraceCommand.name) <subcommand>

      OPTIONS:
      \(lines([Flag.version, Flag.help].map { ($0.label, $0.explanation) }))

      SUBCOMMANDS:
      \(lines(rows))

        See '\(ScrollTraceCommand.name) help <subcommand>' for detailed help.
        '\(ScrollTraceCommand.name) <trace>' is short for '\(ScrollTraceCommand.name) analyze <trace>'.

      """
  }

  /// Help on one command.
  func help(on syntax: CommandSyntax) -> String {
    var text = wrap("OVERVIEW: \(syntax.abstract)", indent: 0) + "\n"
    if !syntax.discussion.isEmpty { text += "\n\(syntax.discussion)\n" }
    text += "\nUSAGE: \(syntax.usage)\n"
    if let operand = syntax.operand {
      text += "\nARGUMENTS:\n\(lines([("<\(operand.name)>", operand.help)]))\n"
    }
    text += "\nOPTIONS:\n\(lines(syntax.allFlags.map { ($0.label, $0.explanation) }))\n"
    return text
  }

  /// A usage error: what is wrong, the option concerned, how to call the command.
  func text(of error: UsageError, on syntax: CommandSyntax?) -> String {
    var text = "Error: \(error.message)\n"
    if let flag = error.flag { text += "Help:  \(flag.usage)  \(flag.help)\n" }
    let name = [ScrollTraceCommand.name, syntax?.name].compactMap { $0 }.joined(separator: " ")
    text += "Usage: \(syntax?.usage ?? "\(name) <subcommand>")\n"
    return text + "  See '\(name) --help' for more information.\n"
  }

  private func lines(_ rows: [(label: String, text: String)]) -> String {
    rows.map { label, text in
      let start = "  " + label
      let indent = String(repeating: " ", count: Self.labelWidth)
      let wrapped = wrap(text, indent: Self.labelWidth)
      return start.count < Self.labelWidth
        ? start + String(repeating: " ", count: Self.labelWidth - start.count) + wrapped
        : start + "\n" + indent + wrapped
    }.joined(separator: "\n")
  }

  /// `text` in lines that end before the width, all but the first indented.
  private func wrap(_ text: String, indent: Int) -> String {
    // The first line begins behind its label.
    WrappedText.lines(of: text, indent: 0, width: width - indent)
      .joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
