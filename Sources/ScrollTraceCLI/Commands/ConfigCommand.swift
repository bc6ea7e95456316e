import ScrollTraceKit

/// `scrolltrace config`: shows or validates the budget.
enum ConfigCommand: Command {
  static let syntax = CommandSyntax(
    name: "config",
    abstract: "Show or validate the budget.",
    discussion: """
      EXAMPLES:
        scrolltrace config show
        scrolltrace config validate --config budget.json

      The ratio, hitchTimeNs and metrics that end in InMotion cover interactions only.
      All other metrics cover the whole recording. The metrics of a budget:
      \(metrics)
      """,
    exitStatuses: ExitStatus.meaningsWithoutTraces,
    operand: .init(name: "action", help: "'show' or 'validate'."),
    flags: GateFlags.limits)

  /// What to do with the budget.
  private enum Action: String, CaseIterable {
    case show, validate
  }

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    guard let action = Action(rawValue: arguments.operands.first ?? "") else {
      throw .unknownAction(
        arguments.operands.first ?? "", of: Action.allCases.map(\.rawValue))
    }
    let setup: GateSetup
    do throws(ArgumentFailure) {
      setup = try GateSetup(arguments, in: console.environment)
    } catch {
      try error.report(on: console)
      return .notEvaluated
    }
    let text =
      action == .show
      ? BudgetFile.encode(setup.budget, baseline: setup.baseline).text
      : EscapingContext.terminal.escape(answer(setup, arguments)) + "\n"
    do throws(OutputError) {
      try console.print(text)
      return .done
    } catch {
      console.complain(about: error.path, error.problem)
      return .notEvaluated
    }
  }

  /// What was checked: a file, the JSON of the command line, or nothing.
  private static func answer(_ setup: GateSetup, _ arguments: ParsedArguments) -> String {
    if let file = setup.file { return "\(file) can be read" }
    guard let folder = setup.searchedFolder else { return "the budget can be read" }
    let limits = GateFlags.limits.contains { $0.name != GateFlags.config.name && arguments.has($0) }
    return "no \(GateSetup.fileName) found from \(folder) upwards; "
      + (limits ? "the limits of the command line apply" : "the thresholds 'scroll' apply")
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
