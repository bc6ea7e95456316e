import ScrollTraceKit

/// The manual page, generated from the declarations of commands and options.
enum ManPage {
  /// Returns the manual page of the tool as roff.
  static func text(_ commands: [CommandSyntax]) -> String {
    let tool = ScrollTraceCommand.name
    var text = """
      .TH \(tool.uppercased()) 1 "" "\(escaped(ToolIdentity.version))"
      .SH NAME
      \(tool) \\- measure scrolling smoothness from frame traces
      .SH SYNOPSIS
      .B \(tool)
      .I command
      .RI [ options ]
      .RI [ trace ...]
      .br
      .B \(tool)
      .I trace
      .SH DESCRIPTION
      Without a command, a trace is analyzed.
      .SH COMMANDS

      """
    for command in commands { text += section(on: command) }
    text += ".SH EXIT STATUS\n"
    for meaning in ExitStatus.allMeanings {
      text += item(String(meaning.status.rawValue), meaning.text)
    }
    return text + ".PP\n\(line(ExitStatus.precedence))\n"
  }

  private static func section(on command: CommandSyntax) -> String {
    var text = ".SS \(ScrollTraceCommand.name) \(escaped(command.name))\n"
    text += "\(line(command.abstract))\n.PP\n\(line(command.usage))\n"
    if let operand = command.operand { text += item("<\(operand.name)>", operand.help) }
    for flag in command.groups.flatMap(\.flags) { text += item(flag.label, flag.explanation) }
    text += literal(command.examples)
    let rows = command.discussion.split(separator: "\n", omittingEmptySubsequences: false)
    return text + literal(rows.map(String.init))
  }

  /// Returns lines that are printed as they are.
  private static func literal(_ rows: [String]) -> String {
    rows.isEmpty ? "" : ".PP\n.nf\n" + rows.map { line($0) + "\n" }.joined() + ".fi\n"
  }

  private static func item(_ label: String, _ text: String) -> String {
    ".TP\n.B \(escaped(label))\n\(line(text))\n"
  }

  /// Returns a line of text that is not a roff request.
  private static func line(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  private static func escaped(_ text: String) -> String {
    text.replacingAll("\\", with: "\\e").replacingAll("-", with: "\\-")
  }
}
