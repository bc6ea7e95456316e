import ScrollTraceCLI
import ScrollTraceTerminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

exit(
  ScrollTraceCommand.run(
    Array(CommandLine.arguments.dropFirst()), adding: TerminalCommands.all, on: .standard()
  ).rawValue)
