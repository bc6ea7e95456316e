import ScrollTraceKit

/// `scrolltrace inspect`: shows the structure of a trace file.
enum InspectCommand: Command {
  private static let format = Flag(
    name: "format", short: "f", value: "format",
    choices: [ReportFormat.text, .json].map(\.rawValue), standard: "text", group: .output,
    help: "Output format.")

  static let syntax = CommandSyntax(
    name: "inspect",
    abstract: "Show a trace file's structure, losses and damage.",
    examples: ["scrolltrace inspect run.fxt", "scrolltrace inspect run.fxt --format json"],
    operand: .init(name: "trace", help: "A trace, or '-' for standard input."),
    flags: [format] + InputLimitFlags.all,
    common: [format])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    guard let path = arguments.operands.first else { throw UsageError.missingOperand("trace") }
    var options = try InputLimitFlags.options(arguments)
    do {
      let source = try TraceFile.bytes(at: path, options: options)
      let inventory = try TraceFile.isFXT(source) ? FXTInventory(of: source) : nil
      _ = try source.rewind()
      // Other formats need their spans to find threads, hosts and frames.
      options.onlyCountsSpans = inventory != nil
      let inspection = TraceInspection(
        path: path, trace: try TraceFile.read(source, path: path, options: options),
        inventory: inventory, sink: console.sink)
      let asJSON = arguments.value(of: format) == ReportFormat.json.rawValue
      try console.print(asJSON ? inspection.json.text : inspection.text)
      return inspection.hasLosses ? .lossy : .done
    } catch let error as ImportError {
      throw error.inFile(path)
    }
  }
}
