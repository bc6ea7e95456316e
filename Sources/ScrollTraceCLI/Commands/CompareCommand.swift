import ScrollTraceKit

/// `scrolltrace compare`: reports the differences between two sets of runs.
enum CompareCommand: Command {
  static let with = Flag(
    name: "with", value: "new", isRepeatable: true, group: .input,
    help: "New-side trace or directory.")

  static let syntax = CommandSyntax(
    name: "compare",
    abstract: "Compare two sets of runs.",
    examples: [
      "scrolltrace compare before.fxt after.fxt",
      "scrolltrace compare before/ --with after/",
      "scrolltrace compare before.fxt after.fxt -o diff.html --open",
      "scrolltrace compare a1.fxt a2.fxt --with b1.fxt --with b2.fxt -o diff.json",
    ],
    discussion: """
      Without --with, the second of two operands is the new side. Operands after
      --with belong to the new side. With at least 4 runs per side, the outcome is
      that of 'check' with a baseline of the base. Copies of a file on one side count
      once.
      """,
    operand: .init(
      name: "base",
      help: "A base-side trace or directory, or '-' for standard input.",
      isRepeatable: true),
    flags: [with] + AnalysisFlags.selection + AnalysisFlags.motion + [
      ReportFlags.full, ReportFlags.formatForReading, ReportFlags.output, ReportFlags.overwrite,
      ReportFlags.open, ReportFlags.series, ReportFlags.width, ReportFlags.charset,
      ReportFlags.color, AnalysisFlags.thresholds, AnalysisFlags.allowLoss,
    ] + InputLimitFlags.all,
    common: [
      with, AnalysisFlags.from, AnalysisFlags.to, AnalysisFlags.only, AnalysisFlags.define,
      AnalysisFlags.alwaysMoving, ReportFlags.full, ReportFlags.formatForReading,
      ReportFlags.output, ReportFlags.open,
    ])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let sides = try sides(arguments)
    let outputs = try ReportOutputs(
      arguments, format: ReportFlags.formatForReading, in: console.environment)
    var base = try RunReader(arguments, on: console)
    base.countsCopiesOnce = true
    base.options.keepsWorkCosts = true
    var new = base
    base.read(sides.base)
    new.read(sides.new)
    for note in DuplicateTraces.notes(
      repeated: base.repeated + new.repeated, copies: base.copies + new.copies)
    {
      console.warn(note)
    }
    let status = base.status.merged(with: new.status)
    guard !base.runs.isEmpty, !new.runs.isEmpty else { return status }
    let report = Report(
      Comparison(base: base.runs, new: new.runs),
      verdict: Verdict(comparing: new.runs, with: base.runs))
    return status.merged(
      with: outputs.write(report, inputs: base.paths + new.paths, on: console))
  }

  /// Returns the paths of each side.
  ///
  /// A shell expands `--with new/*.fxt` to several words. Only the first is the option's value; the
  /// others are operands of the new side.
  private static func sides(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> (base: [String], new: [String]) {
    let operands = arguments.operands
    let named = arguments.values(of: with)
    if named.isEmpty {
      guard operands.count == 2 else {
        let problem =
          operands.count == 1
          ? "Missing the new side; add a second trace or '--with <new>'"
          : "Missing '--with <new>' between the two sides"
        throw UsageError(message: problem, flag: with)
      }
      return (Array(operands.prefix(1)), Array(operands.suffix(1)))
    }
    let before = arguments.operandsBefore[with.name] ?? operands.count
    guard before > 0 else { return (operands, named) }
    return (Array(operands.prefix(before)), named + operands.dropFirst(before))
  }
}
