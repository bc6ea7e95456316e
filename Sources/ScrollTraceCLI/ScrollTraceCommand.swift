import ScrollTraceKit
import ScrollTracePlatform

/// The command `scrolltrace`: finds the subcommand and runs it.
package enum ScrollTraceCommand {
  /// The name people type.
  package static let name = ToolIdentity.name

  /// The commands that only read and report.
  static let commands: [any Command.Type] = [
    AnalyzeCommand.self, CompareCommand.self, PredictCommand.self, CheckCommand.self,
    BaselineCommand.self, BudgetCommand.self, SummarizeCommand.self, MergeCommand.self,
    TrendCommand.self, ConvertCommand.self, InspectCommand.self, FormatsCommand.self,
  ]

  /// The commands that describe all commands to a shell; the last in the help.
  static let shellCommands: [any Command.Type] = [CompletionsCommand.self]

  /// All commands in the order of the help.
  package static func commands(adding extra: [any Command.Type]) -> [any Command.Type] {
    commands + extra + shellCommands
  }

  /// Runs the command that `arguments` name, which is the command line without the name of the tool.
  package static func run(
    _ arguments: [String], adding extra: [any Command.Type] = [], on console: Console
  ) -> ExitStatus {
    // A closed pipe, and a file of the greatest permitted size, are errors of the write, not signals.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let dispatcher = Dispatcher(commands: commands(adding: extra), console: console)
    do {
      return try dispatcher.run(arguments[...])
    } catch let error as UsageError {
      let syntax = dispatcher.syntaxes.first { $0.name == error.command }
      console.complain(
        "\(name): error: " + dispatcher.help.text(of: error, on: syntax, in: console.sink))
      return .usage
    } catch let error as ImportError {
      console.fail(aboutInput: error.path, error.problem)
    } catch let error as OutputError {
      console.fail(about: error.path, error.problem)
    } catch {
      console.fail("\(error)")
    }
    return .notEvaluated
  }
}

/// Finds the command that a command line names, and runs it.
private struct Dispatcher {
  let commands: [any Command.Type]
  let console: Console

  var syntaxes: [CommandSyntax] { commands.map { $0.syntax } }
  var help: HelpText { HelpText(width: console.environment.width) }

  func run(_ arguments: ArraySlice<String>) throws -> ExitStatus {
    switch arguments.first {
    case nil, "-h":
      try console.print(help.summary(of: syntaxes))
      return .done
    case "--help", "help":
      try showHelp(arguments.dropFirst())
      return .done
    case "--version":
      try console.print(ToolIdentity.version + "\n")
      return .done
    case let first?:
      let isTrace = !commands.contains { $0.syntax.name == first } && access(first, R_OK) == 0
      let command = isTrace ? AnalyzeCommand.self : try command(named: first)
      return try run(command, isTrace ? arguments : arguments.dropFirst())
    }
  }

  private func run(
    _ command: any Command.Type, _ arguments: ArraySlice<String>
  ) throws -> ExitStatus {
    var parsed = try ArgumentParser.parse(arguments, as: command.syntax)
    if parsed.has(.help) {
      try console.print(
        parsed.asksForAllHelp ? help.help(on: command.syntax) : help.summary(of: command.syntax))
      return .done
    }
    if parsed.has(.version) {
      try console.print(ToolIdentity.version + "\n")
      return .done
    }
    if let (path, problem) = InputLimitFlags.missingSymbols(parsed) {
      console.fail(about: path, problem)
      return .notEvaluated
    }
    parsed.commands = syntaxes
    do {
      return try command.run(parsed, on: console)
    } catch var error as UsageError {
      error.command = command.syntax.name
      throw error
    }
  }

  private func command(named name: String) throws(UsageError) -> any Command.Type {
    if let command = commands.first(where: { $0.syntax.name == name }) { return command }
    let kind = name.hasPrefix("-") ? "option" : "command"
    let names =
      name.hasPrefix("-") ? ["--help", "--version"] : syntaxes.map(\.name) + ["help"]
    // An existing trace needs no command, so a path that does not exist is probably a trace.
    let isPath = kind == "command" && name.contains { $0 == "." || $0 == "/" }
    let problem =
      isPath ? "'\(name)' is neither a command nor a readable trace" : "Unknown \(kind) '\(name)'"
    let guess = (NearbyFile.path(insteadOf: name) ?? Suggestion.nearest(to: name, in: names))
      .map { ". Did you mean '\($0)'?" }
    throw UsageError(message: problem + (guess ?? ""))
  }

  private func showHelp(_ words: ArraySlice<String>) throws {
    guard let word = words.first, word != "help", !word.hasPrefix("-") else {
      try console.print(help.overview(of: syntaxes))
      return
    }
    try console.print(help.help(on: command(named: word).syntax))
  }
}
