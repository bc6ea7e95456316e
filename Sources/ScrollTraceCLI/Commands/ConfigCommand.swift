import ScrollTraceKit

/// `scrolltrace config`: says which budget holds here, or whether it can be read.
enum ConfigCommand: Command {
  static let syntax = CommandSyntax(
    name: "config",
    abstract: "Show the budget that 'check' would use, or check that it can be read.",
    discussion: """
      EXAMPLES:
        scrolltrace config dump
        scrolltrace config check --config budget.json

      The ratio, hitchTimeNs and what ends in InMotion are of the time in motion: of the
      interactions, where there are any. All other metrics are of the whole recording.
      The metrics that can be limited, in the units of their names:
      \(metrics)

      EXIT STATUS:
        0  the budget can be read, or there is none, which is said
        2  its file cannot be read, or is no JSON
        64 it has names that are not known, or the command was called in a way it
           does not understand
      """,
    operand: .init(name: "action", help: "'dump' or 'check'."),
    flags: GateFlags.limits)

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let action = arguments.operands.first ?? ""
    guard ["dump", "check"].contains(action) else {
      let guess = Suggestion.nearest(to: action, in: ["dump", "check"])
      throw UsageError(
        message: "Unknown action '\(action)'" + (guess.map { ". Did you mean '\($0)'?" } ?? ""))
    }
    let setup: GateSetup
    do throws(ArgumentFailure) {
      setup = try GateSetup(arguments, in: console.environment)
    } catch {
      try error.report(on: console)
      return .unjudged
    }
    let text =
      action == "dump"
      ? BudgetFile.encode(setup.budget, baseline: setup.baseline).text
      : EscapingContext.terminal.escape(answer(setup, arguments)) + "\n"
    do throws(OutputError) {
      try console.print(text)
      return .done
    } catch {
      console.complain(about: error.path, error.problem)
      return .unjudged
    }
  }

  /// What was checked: a file, the JSON of the command line, or nothing.
  private static func answer(_ setup: GateSetup, _ arguments: ParsedArguments) -> String {
    if let file = setup.file { return "\(file) can be read" }
    guard let folder = setup.searchedFolder else { return "the budget can be read" }
    let limits = GateFlags.limits.contains { $0.name != GateFlags.config.name && arguments.has($0) }
    return "no \(GateSetup.fileName) found from \(folder) upwards; "
      + (limits ? "the limits of the command line hold" : "the preset scroll holds")
  }

  /// The names of the metrics, in lines that fit a terminal.
  private static var metrics: String {
    var lines = [" "]
    for metric in Metric.all {
      let line = lines[lines.count - 1] + " " + metric.name
      if line.count > 78 {
        lines.append("  " + metric.name)
      } else {
        lines[lines.count - 1] = line
      }
    }
    return lines.joined(separator: "\n")
  }
}
