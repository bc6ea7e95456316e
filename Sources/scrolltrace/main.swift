import ScrollTraceCLI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

exit(ScrollTraceCommand.run(Array(CommandLine.arguments.dropFirst()), on: .standard()).rawValue)
