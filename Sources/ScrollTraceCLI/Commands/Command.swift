/// One command of the tool. A new one is a file of its own and a line in
/// `ScrollTraceCommand.commands`.
protocol Command: Sendable {
  /// What can be said to it.
  static var syntax: CommandSyntax { get }
  /// Does what it is for.
  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus
}
