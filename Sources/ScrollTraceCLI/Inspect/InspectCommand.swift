import ScrollTraceKit

/// `scrolltrace inspect`: shows the structure of a trace file.
enum InspectCommand: Command {
  static let chunks = Flag(name: "chunks", help: "List chunks with offsets.")
  static let records = Flag(name: "records", help: "List records with offsets.")
  static let from = Flag(
    name: "from-offset", value: "offset", standard: "0",
    help: "First byte offset to list, such as 8000 or 0x1f40.")
  static let limit = Flag(
    name: "limit", value: "count", help: "Maximum number of records to list.")
  static let category = Flag(
    name: "category", value: "name",
    help: "List only this category; 'image' is short for 'scrolltrace.image'.")
  static let thread = Flag(name: "thread", value: "id", help: "List only this thread.")
  static let format = Flag(
    name: "format", value: "format", choices: [ReportFormat.text, .json].map(\.rawValue),
    standard: "text", help: "Output format.")
  static let recover = Flag(name: "recover", help: "Write the readable part to '--output'.")
  static let output = Flag(
    name: "output", short: "o", value: "file", help: "Output file of '--recover'.")

  static let syntax = CommandSyntax(
    name: "inspect",
    abstract: "Show a trace file's structure, losses and damage.",
    discussion: """
      EXAMPLES:
        scrolltrace inspect run.fxt
        scrolltrace inspect run.fxt --records --category scrolltrace.frame --limit 20
        scrolltrace inspect damaged.fxt --recover -o whole.fxt
      """,
    operand: .init(name: "trace", help: "A trace, or '-' for standard input."),
    flags: [
      chunks, records, from, limit, category, thread, format, recover, output, ReportFlags.force,
    ] + InputLimitFlags.all)

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    try check(arguments)
    guard let path = arguments.operands.first else {
      throw .missingOperand("trace")
    }
    let filter = try RecordFilter(arguments)
    let limits = try InputLimitFlags.options(arguments)
    let asJSON = arguments.value(of: format) == ReportFormat.json.rawValue
    do {
      let source = try TraceFile.bytes(at: path, options: limits)
      guard try TraceFile.isFXT(source) else {
        guard !arguments.has(records), !arguments.has(chunks), !arguments.has(recover) else {
          let advice = "omit --records, --chunks and --recover to show a summary"
          throw ImportError("is not an FXT trace, so it has no records", advice: advice)
        }
        return try summarize(source, nil, path, limits, asJSON, on: console)
      }
      if arguments.has(recover) {
        return try Recovery(path: path, output: arguments.value(of: output) ?? "")
          .run(source, overwrites: arguments.has(ReportFlags.force), asJSON, on: console)
      }
      if arguments.has(records) || arguments.has(chunks) {
        return try list(source, arguments.has(records) ? filter : nil, asJSON, on: console)
      }
      let inventory = try FXTInventory(of: source)
      _ = try source.rewind()
      return try summarize(source, inventory, path, limits, asJSON, on: console)
    } catch let error as ImportError {
      console.complain(aboutInput: path, error.description)
    } catch let error as OutputError {
      console.complain(about: error.path, error.problem)
    } catch {
      console.complain("\(error)\n")
    }
    return .notEvaluated
  }

  /// Checks that the options can be combined.
  private static func check(_ arguments: ParsedArguments) throws(UsageError) {
    let forms = [chunks, records, recover].filter(arguments.has)
    if forms.count > 1 {
      throw .conflict(forms[0], forms[1])
    }
    if arguments.has(recover) != arguments.has(output) {
      throw arguments.has(recover) ? .missing(output) : .requires(output, recover)
    }
    if arguments.has(ReportFlags.force), !arguments.has(recover) {
      throw .requires(ReportFlags.force, recover)
    }
    for flag in [from, limit, category, thread] where arguments.has(flag) {
      guard arguments.has(records) else {
        throw .requires(flag, records)
      }
    }
  }

  private static func summarize(
    _ source: any ByteSource, _ inventory: FXTInventory?, _ path: String,
    _ limits: ImportOptions, _ asJSON: Bool, on console: Console
  ) throws -> ExitStatus {
    var options = limits
    // Other formats need their spans to find threads, hosts and frames.
    options.onlyCountsSpans = inventory != nil
    let trace = try TraceFile.read(source, path: path, options: options)
    let summary = TraceInspection(
      path: path, trace: trace, inventory: inventory,
      sink: console.sink)
    try console.print(asJSON ? summary.json.text : summary.text)
    let isDamaged = (inventory?.damageCount ?? 0) > 0
    return trace.losses.isEmpty && !isDamaged ? .done : .lossy
  }

  private static func list(
    _ source: any ByteSource, _ filter: RecordFilter?, _ asJSON: Bool, on console: Console
  ) throws -> ExitStatus {
    let listing = RecordListing(filter: filter, asJSON: asJSON, console: console)
    try FXTWalk.walk(source) { item, names throws(ImportError) in
      try listing.add(item, names)
    }
    try listing.finish()
    return listing.hasDamage ? .lossy : .done
  }
}
