import ScrollTraceKit

/// Help and usage text, generated from the declarations of commands and options.
struct HelpText {
  /// The column at which explanations start.
  private static let labelWidth = 26
  /// The widest that help is, so that its lines stay readable.
  private static let maximumWidth = 80

  /// The columns to wrap at.
  private let width: Int

  /// Creates text for a terminal of `width` columns.
  init(width: Int) {
    self.width = min(width, Self.maximumWidth)
  }

  /// Returns the help on the whole tool.
  func overview(of commands: [CommandSyntax]) -> String {
    let rows = commands.map { ($0.name, $0.abstract) } + [("help", "Show help on a command.")]
    return """
      OVERVIEW: \(Self.abstract)

      USAGE: \(ScrollTraceCommand.name) <subcommand>

      OPTIONS:
      \(lines([Flag.version, Flag.help].map { ($0.label, $0.explanation) }))

      SUBCOMMANDS:
      \(lines(rows))

      EXIT STATUS:
      \(exitStatuses(ExitStatus.allMeanings))
        \(ExitStatus.precedence)

        See '\(ScrollTraceCommand.name) help <subcommand>' for detailed help.
        '\(ScrollTraceCommand.name) <trace>' is short for '\(ScrollTraceCommand.name) analyze <trace>'.

      """
  }

  /// The abstract of the tool.
  static let abstract = "Measure scrolling smoothness from frame traces."

  /// Returns the help on one command.
  func help(on syntax: CommandSyntax) -> String {
    var text = wrap("OVERVIEW: \(syntax.abstract)", indent: 0) + "\n"
    if !syntax.discussion.isEmpty { text += "\n\(syntax.discussion)\n" }
    text += "\nUSAGE: \(syntax.usage)\n"
    if let operand = syntax.operand {
      text += "\nARGUMENTS:\n\(lines([("<\(operand.name)>", operand.help)]))\n"
    }
    text += "\nOPTIONS:\n\(lines(syntax.allFlags.map { ($0.label, $0.explanation) }))\n"
    guard !syntax.exitStatuses.isEmpty else { return text }
    text += "\nEXIT STATUS:\n\(exitStatuses(syntax.exitStatuses))\n"
    return syntax.exitStatuses.count > 4 ? text + "  \(ExitStatus.precedence)\n" : text
  }

  /// Returns the text of a usage error: the problem, the option concerned, and the usage line.
  func text(
    of error: UsageError, on syntax: CommandSyntax?, in sink: EscapingContext
  ) -> String {
    var text = "Error: \(sink.escape(error.message))\n"
    if let flag = error.flag { text += "Help:  \(flag.usage)  \(flag.help)\n" }
    let name = [ScrollTraceCommand.name, syntax?.name].compactMap { $0 }.joined(separator: " ")
    text += "Usage: \(syntax?.usage ?? "\(name) <subcommand>")\n"
    return text + "  See '\(name) --help' for more information.\n"
  }

  private func exitStatuses(_ meanings: [ExitStatus.Meaning]) -> String {
    let indent = 5
    return meanings.map { meaning in
      let number = String(meaning.status.rawValue)
      let label = "  " + number + String(repeating: " ", count: indent - 2 - number.count)
      return label + wrap(meaning.text, indent: indent)
    }.joined(separator: "\n")
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

  /// Returns `text` in lines that fit the width, all but the first indented.
  private func wrap(_ text: String, indent: Int) -> String {
    // The first line follows its label.
    WrappedText.lines(of: text, indent: 0, width: width - indent)
      .joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
