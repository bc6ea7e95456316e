import ScrollTraceKit

/// `scrolltrace inspect`: what is in a file, as it lies there.
enum InspectCommand: Command {
  static let chunks = Flag(
    name: "chunks", help: "List the chunks of a recording, one a line, with their offsets.")
  static let records = Flag(
    name: "records", help: "List the records, one a line, with their offsets.")
  static let from = Flag(
    name: "from", value: "offset", standard: "0",
    help: "List records from this byte on; 0x1f40 is understood too.")
  static let limit = Flag(
    name: "limit", value: "count", help: "List so many records at most.")
  static let category = Flag(
    name: "category", value: "text",
    help: "List events of this category only; 'image' is short for 'scrolltrace.image'.")
  static let thread = Flag(
    name: "thread", value: "id", help: "List records of the thread with this id only.")
  static let format = Flag(
    name: "format", value: "format", choices: [ReportFormat.text, .json].map(\.rawValue),
    standard: "text", help: "The form of what is printed.")
  static let recover = Flag(
    name: "recover",
    help: "Copy what can be read into a whole file, see --output, and say what was saved.")
  static let output = Flag(
    name: "output", short: "o", value: "file", help: "The file that --recover makes.")
  static let force = Flag(
    name: "force", help: "Let --recover replace a file that is there.")

  static let syntax = CommandSyntax(
    name: "inspect",
    abstract: "Show what is in a trace file: session, chunks, tables, losses, damage.",
    discussion: """
      EXAMPLES:
        scrolltrace inspect run.fxt
        scrolltrace inspect run.fxt --records --category scrolltrace.frame --limit 20
        scrolltrace inspect damaged.fxt --recover -o whole.fxt

      EXIT STATUS:
        0  done, nothing is missing
        2  the file cannot be read, or nothing could be written
        3  done, but data was lost or is damaged
        64 the command was called in a way it does not understand
      """,
    operand: .init(name: "trace", help: "A trace, or '-' for standard input."),
    flags: [
      chunks, records, from, limit, category, thread, format, recover, output, force,
    ] + InputLimitFlags.all)

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    try check(arguments)
    guard let path = arguments.operands.first else {
      throw UsageError(message: "Missing operand '<trace>'")
    }
    let filter = try RecordFilter(arguments)
    let limits = try InputLimitFlags.options(arguments)
    let asJSON = arguments.value(of: format) == ReportFormat.json.rawValue
    do {
      let source = try TraceFile.bytes(at: path, options: limits)
      guard try TraceFile.isFXT(source) else {
        guard !arguments.has(records), !arguments.has(chunks), !arguments.has(recover) else {
          let advice = "without --records, --chunks and --recover its content is summed up"
          throw ImportError("is no FXT trace, which is not made of records", advice: advice)
        }
        return try summarize(source, nil, path, limits, asJSON, on: console)
      }
      if arguments.has(recover) {
        return try Recovery(path: path, output: arguments.value(of: output) ?? "")
          .run(source, mayReplace: arguments.has(force), asJSON, on: console)
      }
      if arguments.has(records) || arguments.has(chunks) {
        return try list(source, arguments.has(records) ? filter : nil, asJSON, on: console)
      }
      let inventory = try FXTInventory(of: source)
      _ = try source.rewind()
      return try summarize(source, inventory, path, limits, asJSON, on: console)
    } catch let error as ImportError {
      console.complain(about: path == "-" ? "standard input" : path, error.description)
    } catch let error as OutputError {
      console.complain(about: error.path, error.problem)
    } catch {
      console.complain("\(error)\n")
    }
    return .unjudged
  }

  /// Refuses options that have no meaning together.
  private static func check(_ arguments: ParsedArguments) throws(UsageError) {
    let forms = [chunks, records, recover].filter(arguments.has)
    if forms.count > 1 {
      let names = forms.map { "--\($0.name)" }.joined(separator: " or ")
      throw UsageError(message: "Please provide \(names), not both")
    }
    if arguments.has(recover) != arguments.has(output) {
      throw UsageError(
        message: arguments.has(recover)
          ? "Missing option '--output <file>' for what --recover saves"
          : "--output is for --recover", flag: output)
    }
    if arguments.has(force), !arguments.has(recover) {
      throw UsageError(message: "--force is for --recover", flag: force)
    }
    for flag in [from, limit, category, thread] where arguments.has(flag) {
      guard arguments.has(records) else {
        throw UsageError(message: "--\(flag.name) is for --records", flag: flag)
      }
    }
  }

  private static func summarize(
    _ source: any ByteSource, _ inventory: FXTInventory?, _ path: String,
    _ limits: ImportOptions, _ asJSON: Bool, on console: Console
  ) throws -> ExitStatus {
    let trace = try TraceFile.read(source, path: path, options: limits)
    let summary = TraceSummary(
      path: path, trace: trace, inventory: inventory,
      sink: console.environment.isUnicode ? .terminal : .asciiTerminal)
    try console.print(asJSON ? summary.json.text : summary.text)
    let isDamaged = (inventory?.damageCount ?? 0) > 0
    return trace.losses.isEmpty && !isDamaged ? .done : .lossy
  }

  private static func list(
    _ source: any ByteSource, _ filter: RecordFilter?, _ asJSON: Bool, on console: Console
  ) throws -> ExitStatus {
    let sink = console.environment.isUnicode ? EscapingContext.terminal : EscapingContext.asciiTerminal
    let listing = ItemListing(filter: filter, asJSON: asJSON, sink: sink, console: console)
    try FXTWalk.walk(source) { item, names throws(ImportError) in
      try listing.take(item, names)
    }
    try listing.finish()
    return listing.hasDamage ? .lossy : .done
  }
}
