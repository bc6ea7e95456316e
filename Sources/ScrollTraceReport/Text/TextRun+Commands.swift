import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// The longest path that a system opens, in bytes.
  private static let longestPath = 4096

  /// A command on the trace that judges it as this report does, as it can be typed.
  ///
  /// - Parameters:
  ///   - verb: The name of the command.
  ///   - operands: What stands behind the trace.
  ///   - flags: What else is asked for.
  ///   - selects: Whether the part of the trace that the report is about is selected there too.
  func command(
    _ verb: String, operands: [String] = [], _ flags: [String] = [], selects: Bool = true
  ) -> NextStep {
    let options = run.options
    let given =
      options.arguments.isEmpty && options.isAlwaysMoving
      ? ["--always-moving"] : options.arguments
    let words = given + (selects ? options.selection.arguments : []) + flags
    let all =
      [ToolIdentity.name, verb, pathArgument] + operands
      + words.map { ShellWord.quoted($0, for: style.sink) }
    return .command(all.joined(separator: " "))
  }

  /// The path as it can be typed; a stand-in for what no command can read again.
  var pathArgument: String {
    let path = trace.source.path
    guard !path.isEmpty, path != "-", path.utf8.count <= Self.longestPath else { return "TRACE" }
    return ShellWord.quoted(path.hasPrefix("-") ? "./" + path : path, for: style.sink)
  }

  /// A step behind its label; a command is never broken, so that it can be copied: one that is too
  /// long for a line gets one of its own.
  func lines(of step: NextStep?, label: String = "Next:") -> [TextLine] {
    switch step {
    case nil: return []
    case .advice(let text): return wrapped("\(label) \(text)", first: 2, indent: 8)
    case .command(let text):
      let line = TextLine("  \(label) \(text)")
      if line.width <= style.width { return [line] }
      return wrapped(label, first: 2, indent: 8) + [TextLine("  \(text)").uncut]
    }
  }
}
