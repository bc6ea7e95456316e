import ScrollTraceKit

/// `scrolltrace check`: holds traces against a budget and a baseline, for build servers.
enum CheckCommand: Command {
  static let syntax = CommandSyntax(
    name: "check",
    abstract:
      "Hold traces against a budget and a baseline, and say by exit status what came of it.",
    discussion: """
      Several traces are runs of the same thing: limits are for their median, and a
      baseline takes at least 4 runs a side. Without any budget the preset scroll holds.

      EXAMPLES:
        scrolltrace check run.fxt --max-ratio 5
        scrolltrace check runs/ --baseline baseline.json
        scrolltrace check runs/ --group 'feed*' --group 'profile*'
        scrolltrace check run.fxt --config '{"limits": {"commitNs.p95": "12 ms"}}'

      EXIT STATUS:
        0  within the budget; too few runs or doubt are said, and are 0 without --strict
        1  over the budget, or worse than the baseline
        2  could not judge: unreadable, no data, an unlike baseline, none where
           --baseline names one
        3  within the budget, but a trace had lost data
        64 the command was called in a way it does not understand, or the budget has
           names that it does not know
        1 comes before 2, and 2 before 3. The report is written in each case.
      """,
    operand: .init(
      name: "trace",
      help: "A trace, a directory of traces, or '-' for standard input. Several are several runs.",
      isRepeatable: true),
    flags: GateFlags.limits + [GateFlags.baseline, GateFlags.requireBaseline]
      + GateFlags.circumstances + [
        GateFlags.strict, ReportFlags.format, ReportFlags.output, ReportFlags.width,
        ReportFlags.charset, ReportFlags.color, AnalysisFlags.profile, AnalysisFlags.allowLoss,
      ] + AnalysisFlags.selection + AnalysisFlags.motion + InputLimitFlags.all)

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let outputs = try ReportOutputs(
      arguments, format: ReportFlags.format, in: console.environment)
    guard let run = try GateInput(arguments.operands, arguments, on: console) else {
      return .unjudged
    }
    guard !run.runs.isEmpty else { return run.status.merged(with: .unjudged) }
    let base = BaselineSource(run, arguments)
    if let warning = base.warning { console.complain(about: run.setup.baseline, warning) }
    let verdicts = run.groups.map { group in
      (group, base.verdict(on: group, budget: run.setup.budget))
    }
    let file = run.setup.file.map { VerdictNote(.budget, .note, "the budget is that of \($0)") }
    let idle =
      verdicts.count > 1
      ? run.setup.budget.idleRules(among: run.runs, hasBaseline: base.isThere) : ([], [])
    let verdict = Verdict(
      combining: verdicts, idle: idle, notes: [file, base.note].compactMap { $0 } + run.notes,
      isWhole: run.status != .unjudged,
      hasLost: run.hasLost)
    let status = status(of: verdict, isStrict: arguments.has(GateFlags.strict))
      .merged(with: run.status).merged(with: base.status)
    if status != .exceeded, [.inconclusive, .tooFewRuns].contains(verdict.status) {
      console.complain(about: "warning", verdict.reasons.joined(separator: "; "))
    }
    let report = Report(run.runs, verdict: verdict)
    return status.merged(with: outputs.write(report, inputs: run.paths, on: console))
  }

  private static func status(of verdict: Verdict, isStrict: Bool) -> ExitStatus {
    switch verdict.status {
    case .passed: .done
    case .failed: .exceeded
    case .notEvaluated: .unjudged
    case .inconclusive, .tooFewRuns: isStrict ? .unjudged : .done
    }
  }
}
