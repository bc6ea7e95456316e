import ScrollTraceCLI
import ScrollTracePlatform
import ScrollTraceTerminal

exit(
  ScrollTraceCommand.run(
    Array(CommandLine.arguments.dropFirst()), adding: TerminalCommands.all, on: .standard()
  ).rawValue)
