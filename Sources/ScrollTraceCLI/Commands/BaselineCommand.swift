import ScrollTraceKit
import ScrollTracePlatform

/// `scrolltrace baseline`: creates or updates a baseline.
enum BaselineCommand: Command {
  static let output = Flag(
    name: "output", short: "o", value: "file", standard: GateFlags.baselineName, group: .output,
    help: "Baseline file; commit it.")

  static let syntax = CommandSyntax(
    name: "baseline",
    abstract: "Create or update a baseline for 'check'.",
    examples: [
      "scrolltrace baseline runs/",
      "scrolltrace baseline runs/*.fxt -o iphone.json --device iphone",
    ],
    discussion: """
      A baseline contains the values of all runs, and the refresh rate, device, build
      configuration and version of the metrics. Record at least 4 runs; 10 runs
      detect smaller regressions. To be sure of one change, record both builds
      alternately on one machine: machines are faster on some days than on others.
      """,
    operand: .init(
      name: "trace", help: "A trace, a directory of traces, or '-' for standard input.",
      isRepeatable: true),
    flags: [output] + GateFlags.circumstances
      + [GateFlags.budget, AnalysisFlags.allowLoss] + AnalysisFlags.selection
      + AnalysisFlags.motion + InputLimitFlags.all,
    common: [
      output, GateFlags.group, GateFlags.device, GateFlags.buildType, AnalysisFlags.define,
      AnalysisFlags.alwaysMoving,
    ])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let run = try GateInput(
      arguments, retention: .digests, findsCauses: false, keepsWorkCosts: true, on: console)
    guard run.status != .notEvaluated, !run.runs.isEmpty else { return .notEvaluated }
    let path = arguments.value(of: output) ?? run.setup.baseline
    let withoutData = run.runs.filter { $0.evaluatedPrimarySurface == nil }
    for note in Report(withoutData).notesOnMissingRatios {
      console.fail(about: path, "not written: \(note.text)")
    }
    guard withoutData.isEmpty else { return .notEvaluated }
    guard isOfOneKind(run.runs, arguments, path: path, on: console) else { return .notEvaluated }
    guard canBeBaseline(run, path: path, on: console) else { return .notEvaluated }
    let baseline = Baseline(
      of: run.groups.map { ($0.name, $0.runs) }, for: run.setup.budget,
      device: arguments.value(of: GateFlags.device),
      configuration: arguments.value(of: GateFlags.buildType))
    // A trace is an error of the writer.
    let isTrace = ReportFile.isTrace(path)
    guard isTrace || ReportFile.canBeBaseline(path) else {
      throw OutputError.exists(path, advice: "it is not a baseline, so name another file")
    }
    let before = access(path, F_OK) == 0 && !isTrace ? previous(path, on: console) : nil
    try FileWriter.replace(path, with: BaselineFile.encode(baseline), inputs: run.paths)
    try console.print(summary(of: baseline, before: before, path: path))
    return run.status
  }

  /// Reports runs of several devices or build configurations, of which a baseline can name only one.
  /// Returns whether there are none.
  private static func isOfOneKind(
    _ runs: [Analysis], _ arguments: ParsedArguments, path: String, on console: Console
  ) -> Bool {
    for (key, flag) in [("device", GateFlags.device), ("configuration", GateFlags.buildType)]
    where arguments.value(of: flag) == nil {
      let names = Fingerprint.values(of: key, in: runs)
      guard names.count > 1 else { continue }
      console.fail(
        about: path,
        "not written: the runs are of several \(key)s, \(names.listed()); make one"
          + " for each, or name them all with --\(flag.name)")
      return false
    }
    return true
  }

  /// Reports the runs that `check` could not compare, and those whose values tell little. Returns
  /// whether there are none of the former.
  private static func canBeBaseline(
    _ run: GateInput, path: String, on console: Console
  ) -> Bool {
    let notes = run.groups.flatMap {
      run.setup.budget.notesOnBaseline(of: $0.runs, group: $0.name)
    }
    for note in notes {
      note.level == .error
        ? console.fail(about: path, "not written: 'check' cannot compare \(note.text)")
        : console.warn(note.text)
    }
    return !notes.contains { $0.level == .error }
  }

  private static func previous(_ path: String, on console: Console) -> Baseline? {
    do throws(ImportError) {
      return try BaselineFile.decode(try TextFile.read(path, as: "baseline"))
    } catch {
      console.warn(about: path, "is replaced; it was not a readable baseline")
      return nil
    }
  }

  private static func summary(of baseline: Baseline, before: Baseline?, path: String) -> String {
    let count = baseline.groups.reduce(0) { $0 + $1.runs.count }
    var lines = ["\(path): \(count) \(count == 1 ? "run" : "runs")"]
    let smallest = baseline.groups.map(\.runs.count).min() ?? 0
    if smallest < RunStatistics.minimumRuns {
      lines.append(
        "  Record at least \(RunStatistics.minimumRuns) runs; with fewer, noise looks like change.")
    }
    if let before {
      if let difference = before.fingerprint.difference(from: baseline.fingerprint) {
        lines.append("  \(difference)")
      }
      let changes = baseline.changes(from: before)
      lines += changes.isEmpty ? ["  nothing changed"] : changes.map { "  \($0)" }
    }
    return lines.map { EscapingContext.terminal.escape($0) + "\n" }.joined()
  }
}
