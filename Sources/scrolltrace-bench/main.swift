internal import ScrollTracePlatform

exit(BenchCommand.run(Array(CommandLine.arguments.dropFirst())))
