import ScrollTraceKit

/// Help and usage text, generated from the declarations of commands and options.
struct HelpText {
  /// The column at which explanations start.
  private static let labelWidth = 26
  /// The widest that help is, so that its lines stay readable.
  private static let maximumWidth = 80

  /// The columns to wrap at.
  private let width: Int

  init(width: Int) {
    self.width = min(width, Self.maximumWidth)
  }

  /// Returns the help on the whole tool: what people use, in one screen.
  func summary(of commands: [CommandSyntax]) -> String {
    let tool = ScrollTraceCommand.name
    return """
      \(Self.abstract)

      USAGE: \(tool) <trace>
             \(tool) <command> [<options>]

      \(lines(commands.map { ($0.name, $0.abstract) }, labelWidth: Self.commandWidth))

      Options of a command: \(tool) <command> -h. Everything: \(tool) --help.

      """
  }

  /// Returns the help on the whole tool with options and exit statuses.
  func overview(of commands: [CommandSyntax]) -> String {
    let rows = commands.map { ($0.name, $0.abstract) } + [("help", "Show all help on a command.")]
    let tool = ScrollTraceCommand.name
    return """
      \(Self.abstract)

      USAGE: \(tool) <command> [<options>]
             '\(tool) <trace>' is short for '\(tool) analyze <trace>'.

      COMMANDS:
      \(lines(rows, labelWidth: Self.commandWidth))

      OPTIONS:
      \(lines([Flag.version, Flag.help].map { ($0.label, $0.explanation) }))

      EXIT STATUS:
      \(exitStatuses(ExitStatus.allMeanings))
        \(ExitStatus.precedence)

        See '\(tool) <command> -h' for common options and
        '\(tool) <command> --help' for all of them.

      """
  }

  static let abstract = "Measure scrolling smoothness from frame traces."

  private static let commandWidth = 15
  /// The maximum number of examples in the short help.
  private static let commonExamples = 3

  /// Returns the help on one command: what people use, in one screen.
  func summary(of syntax: CommandSyntax) -> String {
    var text = wrap(syntax.abstract, indent: 0) + "\n\nUSAGE: \(syntax.usage)\n"
    text += examples(Array(syntax.examples.prefix(Self.commonExamples)))
    if !syntax.common.isEmpty {
      let labelWidth = 4 + (syntax.common.map(\.label.count).max() ?? 0)
      let rows = syntax.common.map {
        ($0.label, shortExplanation(of: $0, width: width - labelWidth))
      }
      text += "\nOPTIONS:\n\(lines(rows, labelWidth: labelWidth))\n"
    }
    return text + "\nEverything: \(ScrollTraceCommand.name) \(syntax.name) --help\n"
  }

  func help(on syntax: CommandSyntax) -> String {
    var text = wrap(syntax.abstract, indent: 0) + "\n\nUSAGE: \(syntax.usage)\n"
    if let operand = syntax.operand {
      text += "\nARGUMENTS:\n\(lines([("<\(operand.name)>", operand.help)]))\n"
    }
    text += examples(syntax.examples)
    if !syntax.discussion.isEmpty { text += "\n\(syntax.discussion)\n" }
    for (group, flags) in syntax.groups {
      text += "\n\(group.rawValue.uppercased()):\n"
      text += lines(flags.map { ($0.label, $0.explanation) }) + "\n"
    }
    guard !syntax.exitStatuses.isEmpty else { return text }
    text += "\nEXIT STATUS:\n\(exitStatuses(syntax.exitStatuses))\n"
    return syntax.exitStatuses.count > 4 ? text + "  \(ExitStatus.precedence)\n" : text
  }

  private func examples(_ examples: [String]) -> String {
    examples.isEmpty ? "" : "\nEXAMPLES:\n" + examples.map { "  \($0)\n" }.joined()
  }

  /// Returns the explanation of an option, reduced to its first sentence if it needs more than a line.
  private func shortExplanation(of flag: Flag, width: Int) -> String {
    if flag.explanation.count <= width { return flag.explanation }
    let words = flag.help.split(separator: " ")
    let end = words.firstIndex { $0.hasSuffix(".") } ?? words.endIndex - 1
    return words[...end].joined(separator: " ")
  }

  /// Returns the text of a usage error: the problem, all help on the option concerned, and the usage
  /// line.
  func text(
    of error: UsageError, on syntax: CommandSyntax?, in sink: EscapingContext
  ) -> String {
    var text = "\(sink.escape(error.message))\n"
    if let flag = error.flag {
      let start = "Help:  \(flag.usage)  "
      let help = WrappedText.lines(
        of: "\(flag.explanation) \(error.advice)", start: start, indent: 7, width: width)
      text += help.joined(separator: "\n") + "\n"
    }
    let name = [ScrollTraceCommand.name, syntax?.name].compactMap { $0 }.joined(separator: " ")
    text += "Usage: \(syntax?.usage ?? "\(name) <command>")\n"
    return text + "  See '\(name) --help' for more information.\n"
  }

  private func exitStatuses(_ meanings: [ExitStatus.Meaning]) -> String {
    let indent = 5
    return meanings.map { meaning in
      ColumnWidth.padded("  \(meaning.status.rawValue)", to: indent)
        + wrap(meaning.text, indent: indent)
    }.joined(separator: "\n")
  }

  private func lines(
    _ rows: [(label: String, text: String)], labelWidth: Int = Self.labelWidth
  ) -> String {
    rows.map { label, text in
      let start = "  " + label
      let indent = String(repeating: " ", count: labelWidth)
      let wrapped = wrap(text, indent: labelWidth)
      return start.count < labelWidth
        ? ColumnWidth.padded(start, to: labelWidth) + wrapped
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
