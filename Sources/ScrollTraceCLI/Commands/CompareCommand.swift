import ScrollTraceKit

/// `scrolltrace compare`: what differs between two recordings of one session.
enum CompareCommand: Command {
  static let with = Flag(
    name: "with", value: "new", isRepeatable: true,
    help:
      "A trace or a directory of traces of the new side. Can be repeated; operands behind it are"
      + " of the new side too, unless none stands before it.")

  static let syntax = CommandSyntax(
    name: "compare",
    abstract: "Report what differs between two recordings of one session: hitches, work, causes.",
    discussion: """
      With two operands and no --with, the second one is the new side. Of several
      runs a side the medians are compared. Nothing is tested for significance.

      EXAMPLES:
        scrolltrace compare before.fxt after.fxt
        scrolltrace compare before/ --with after/
        scrolltrace compare a1.fxt a2.fxt --with b1.fxt --with b2.fxt -o diff.json

      EXIT STATUS:
        0  done, whether better or worse, also where there is nothing to judge
        2  a file cannot be read or written; a side without any is not compared
        3  done, but a trace had lost data
        64 the command was called in a way it does not understand
      """,
    operand: .init(
      name: "base",
      help: "A trace or a directory of traces of the base, or '-' for standard input.",
      isRepeatable: true),
    flags: [with] + AnalysisFlags.selection + AnalysisFlags.motion + [
      ReportFlags.formatForReading, ReportFlags.output, ReportFlags.series, ReportFlags.width,
      ReportFlags.charset, ReportFlags.color, AnalysisFlags.profile, AnalysisFlags.allowLoss,
    ] + InputLimitFlags.all)

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let sides = try sides(arguments)
    let outputs = try ReportOutputs(
      arguments, format: ReportFlags.formatForReading, in: console.environment)
    guard var base = try RunReader(arguments, on: console) else { return .unjudged }
    var new = base
    base.read(sides.base)
    new.read(sides.new)
    let status = base.status.merged(with: new.status)
    guard !base.runs.isEmpty, !new.runs.isEmpty else { return status }
    let report = Report(Comparison(base: base.runs, new: new.runs))
    return status.merged(
      with: outputs.write(report, inputs: base.paths + new.paths, on: console))
  }

  /// Which paths belong to which side.
  ///
  /// A shell makes several words of `--with new/*.fxt`, and only the first of them is the option's
  /// value: the others belong to the new side as well.
  private static func sides(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> (base: [String], new: [String]) {
    let operands = arguments.operands
    let named = arguments.values(of: with)
    if named.isEmpty {
      guard operands.count == 2 else {
        let problem =
          operands.count == 1
          ? "Missing the trace to compare '\(operands[0])' with"
          : "Of more than two traces, --with has to say which ones are the new side"
        throw UsageError(message: problem, flag: with)
      }
      return (Array(operands.prefix(1)), Array(operands.suffix(1)))
    }
    let before = arguments.operandsBefore[with.name] ?? operands.count
    guard before > 0 else { return (operands, named) }
    return (Array(operands.prefix(before)), named + operands.dropFirst(before))
  }
}
