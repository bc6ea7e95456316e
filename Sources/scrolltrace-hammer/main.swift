#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

exit(Hammer.run(Array(CommandLine.arguments.dropFirst())))
