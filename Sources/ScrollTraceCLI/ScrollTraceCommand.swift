import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command `scrolltrace`: finds the command that is meant and runs it.
package enum ScrollTraceCommand {
  /// The name people type.
  static let name = ToolIdentity.name

  /// All commands, in the order of the help.
  static let commands: [any Command.Type] = [
    AnalyzeCommand.self, CheckCommand.self, BaselineCommand.self, ConfigCommand.self,
    CompareCommand.self, PredictCommand.self, ConvertCommand.self, InspectCommand.self,
    DemoCommand.self, WatchCommand.self,
    CompletionsCommand.self, ManCommand.self,
  ]

  /// Runs what `arguments` say, the name of the tool left out.
  package static func run(_ arguments: [String], on console: Console) -> ExitStatus {
    // A reader that goes away shows as an error of the write, not as a signal.
    signal(SIGPIPE, SIG_IGN)
    let help = HelpText(width: console.environment.width)
    do {
      return try dispatch(arguments[...], help, on: console)
    } catch let error as UsageError {
      let syntax = commands.map { $0.syntax }.first { $0.name == error.command }
      console.complain(help.text(of: error, on: syntax))
      return .usage
    } catch let error as OutputError {
      console.complain(about: error.path, error.problem)
      return .unjudged
    } catch {
      return .unjudged
    }
  }

  private static func dispatch(
    _ arguments: ArraySlice<String>, _ help: HelpText, on console: Console
  ) throws -> ExitStatus {
    guard let first = arguments.first else {
      try console.print(help.overview(of: commands.map { $0.syntax }))
      return .done
    }
    switch first {
    case "-h", "--help", "help":
      try showHelp(arguments.dropFirst(), help, on: console)
      return .done
    case "--version":
      try console.print(ToolIdentity.version + "\n")
      return .done
    default:
      let isTrace = !commands.contains { $0.syntax.name == first } && access(first, R_OK) == 0
      let command = isTrace ? AnalyzeCommand.self : try command(named: first)
      let parsed = try ArgumentParser.parse(
        isTrace ? arguments : arguments.dropFirst(), as: command.syntax)
      if parsed.has(.help) {
        try console.print(help.help(on: command.syntax))
        return .done
      }
      if parsed.has(.version) {
        try console.print(ToolIdentity.version + "\n")
        return .done
      }
      do {
        return try command.run(parsed, on: console)
      } catch {
        var error = error
        error.command = command.syntax.name
        throw error
      }
    }
  }

  private static func command(named name: String) throws(UsageError) -> any Command.Type {
    if let command = commands.first(where: { $0.syntax.name == name }) { return command }
    let kind = name.hasPrefix("-") ? "option" : "command"
    let names =
      name.hasPrefix("-") ? ["--help", "--version"] : commands.map { $0.syntax.name } + ["help"]
    let guess = Suggestion.nearest(to: name, in: names).map { ". Did you mean '\($0)'?" }
    // A trace that is there needs no command, so a path that is not is most likely meant as one.
    let isPath = kind == "command" && name.contains { $0 == "." || $0 == "/" }
    let reason = isPath ? ", and there is no trace of that name that can be read" : ""
    throw UsageError(message: "Unknown \(kind) '\(name)'" + reason + (guess ?? ""))
  }

  private static func showHelp(
    _ words: ArraySlice<String>, _ help: HelpText, on console: Console
  ) throws {
    guard let word = words.first, word != "help", !word.hasPrefix("-") else {
      try console.print(help.overview(of: commands.map { $0.syntax }))
      return
    }
    try console.print(help.help(on: command(named: word).syntax))
  }
}
