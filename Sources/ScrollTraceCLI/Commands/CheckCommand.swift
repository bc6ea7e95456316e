import ScrollTraceKit

/// `scrolltrace check`: checks traces against a budget and a baseline.
enum CheckCommand: Command {
  static let syntax = CommandSyntax(
    name: "check",
    abstract: "Check traces against a budget and baseline.",
    examples: [
      "scrolltrace check run.fxt --max-ratio 5",
      "scrolltrace check runs/ --baseline baseline.json",
      "scrolltrace check runs/ -o report.html -o junit.xml",
      "scrolltrace check runs/ --group 'feed*' --group 'detail*'",
      #"scrolltrace check run.fxt --budget '{"limits": {"commitNs.p95": "12 ms"}}'"#,
    ],
    discussion: """
      Several traces are runs of one scenario. Limits apply to their median, and a
      baseline needs at least 4 runs per side. The default budget is the thresholds
      'scroll'.
      """,
    exitStatuses: ExitStatus.meaningsOfCheck,
    operand: .init(
      name: "trace",
      help:
        "A trace, a directory with traces in or below it, or '-' for standard input. Each trace is a run.",
      isRepeatable: true, replacements: TracePaths.flags),
    flags: TracePaths.flags + [ParallelJobs.flag] + GateFlags.limits + [
      GateFlags.baseline, GateFlags.requireBaseline,
    ]
      + GateFlags.circumstances + [
        GateFlags.strict, GateFlags.detect, ReportFlags.quiet, ReportFlags.full, ReportFlags.format,
        ReportFlags.output, ReportFlags.overwrite, ReportFlags.open, ReportFlags.width,
        ReportFlags.charset, ReportFlags.color, AnalysisFlags.allowLoss,
      ] + AnalysisFlags.selection + AnalysisFlags.motion + InputLimitFlags.all,
    common: [
      GateFlags.budget, GateFlags.maxRatio, GateFlags.maxLongest, GateFlags.baseline,
      GateFlags.detect, GateFlags.group, AnalysisFlags.define, ReportFlags.quiet,
      ReportFlags.full,
      ReportFlags.format, ReportFlags.output, ReportFlags.open,
    ])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let outputs = try ReportOutputs(
      arguments, format: ReportFlags.format, in: console.environment)
    console.isQuiet = arguments.has(ReportFlags.quiet)
    let run = try GateInput(
      arguments, retention: outputs.retention, findsCauses: outputs.showFindings, on: console)
    guard !run.runs.isEmpty else {
      // Without a report, that of an earlier check would be taken for this one's.
      let report = Report(
        [], verdict: Verdict(.notEvaluated, reasons: run.notes.map(\.text), notes: run.notes))
      return outputs.write(report, inputs: run.paths, on: console).merged(with: .notEvaluated)
    }
    let base = BaselineSource(run, arguments)
    if let warning = base.warning {
      base.status == .notEvaluated
        ? console.fail(about: run.setup.baseline, warning)
        : console.warn(about: run.setup.baseline, warning)
    }
    let verdicts = run.groups.map { group in
      (group, base.verdict(on: group, budget: run.setup.budget))
    }
    let file = run.setup.file.map { VerdictNote(.budget, .note, "the budget is that of \($0)") }
    let idle =
      verdicts.count > 1
      ? run.setup.budget.idleRules(among: run.runs, hasBaseline: base.isThere) : ([], [])
    func exitStatus(_ verdict: Verdict.Status) -> ExitStatus {
      Self.status(of: verdict).merged(with: run.status).merged(with: base.status)
    }
    let verdict = Verdict(
      combining: verdicts, idle: idle, notes: [file, base.note].compactMap { $0 } + run.notes,
      motion: remarkOnMotion(in: run.runs)
    ) { Self.losses(in: run.runs, arguments, exitStatus($0)) }
    let status = exitStatus(verdict.status)
    if status != .exceeded, verdict.status == .tooFewRuns {
      console.warn(verdict.sentences.joined(separator: "; "))
    }
    let report = Report(run.runs, verdict: verdict)
    return status.merged(with: outputs.write(report, inputs: run.paths, on: console))
  }

  /// Returns what it means for the verdict that a run has no interactions, or `nil` if all have some.
  private static func remarkOnMotion(in runs: [Analysis]) -> String? {
    let runs = runs.filter { $0.primarySurface.map($0.lacksInteractions) ?? false }
    guard !runs.isEmpty else { return nil }
    let isEvaluated = runs.allSatisfy { $0.evaluatedPrimarySurface != nil }
    return "no interaction is known" + (isEvaluated ? ", so the whole recording counts" : "")
      + "; see --define and --always-moving"
  }

  /// Returns the note on traces that lost data, or `nil` if none did.
  private static func losses(
    in runs: [Analysis], _ arguments: ParsedArguments, _ status: ExitStatus
  ) -> VerdictNote? {
    let names = runs.filter { !$0.trace.losses.isEmpty }.map(\.trace.source.path)
    guard !names.isEmpty else { return nil }
    return VerdictNote(
      .lostData, arguments.has(AnalysisFlags.allowLoss) ? .note : .warning,
      "lost data: \(names.listed())" + (status == .lossy ? "; status 0 needs --allow-loss" : ""))
  }

  private static func status(of verdict: Verdict.Status) -> ExitStatus {
    switch verdict {
    case .passed, .tooFewRuns: .done
    case .failed: .exceeded
    case .notEvaluated: .notEvaluated
    }
  }
}
