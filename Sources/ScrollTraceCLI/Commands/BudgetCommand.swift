import ScrollTraceKit

/// `scrolltrace budget`: shows the budget or checks that it can be read.
enum BudgetCommand: Command {
  static let check = Flag(
    name: "check", group: .output,
    help: "Check that the budget can be read, and name its file.")

  static let syntax = CommandSyntax(
    name: "budget",
    abstract: "Show the budget of 'check' with all defaults.",
    examples: [
      "scrolltrace budget",
      "scrolltrace budget --check --budget budget.json",
      "scrolltrace budget --thresholds xcode-organizer > .scrolltrace.json",
    ],
    discussion: """
      The ratio, hitchTimeNs and metrics that end in InMotion cover interactions only.
      All other metrics cover the whole recording. The metrics of a budget:
      \(metrics)
      """,
    exitStatuses: ExitStatus.meaningsWithoutTraces,
    flags: [check] + GateFlags.limits,
    common: [check] + GateFlags.limits)

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let setup = try GateSetup(arguments, in: console.environment)
    let text =
      arguments.has(check)
      ? EscapingContext.terminal.escape(answer(setup, arguments)) + "\n"
      : BudgetFile.encode(setup.budget, baseline: setup.baseline).text
    try console.print(text)
    return .done
  }

  /// What was checked: a file, the JSON of the command line, or nothing.
  private static func answer(_ setup: GateSetup, _ arguments: ParsedArguments) -> String {
    if let file = setup.file { return "\(file) can be read" }
    guard let folder = setup.searchedFolder else { return "the budget can be read" }
    let limits = GateFlags.limits.contains { $0.name != GateFlags.budget.name && arguments.has($0) }
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
