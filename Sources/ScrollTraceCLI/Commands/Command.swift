/// A command of the tool.
///
/// A new command is a file and a line in the list of its target: `ScrollTraceCommand.commands`, or
/// `TerminalCommands.all` if it needs a terminal.
package protocol Command: Sendable {
  /// The options, operands and help of the command.
  static var syntax: CommandSyntax { get }
  /// Runs the command. `ScrollTraceCommand.run` reports what it throws.
  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus
}
