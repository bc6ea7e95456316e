import ScrollTraceKit
import ScrollTracePlatform

/// `scrolltrace convert`: converts a trace to another format.
enum ConvertCommand: Command {
  static let output = Flag(
    name: "output", short: "o", value: "file", group: .output,
    help: "Output file, or '-' for standard output. It is compressed if it ends in .gz.")
  static let format = Flag(
    name: "format", short: "f", value: "format",
    choices: TraceFormat.all.map { $0.name } + StackFormat.all.map { $0.name },
    standard: "by extension", group: .output, help: "Output format.")
  static let hitchesOnly = Flag(
    name: "hitches-only", group: .select,
    help: "Write only the stacks of hitches. A tool shows them as a flame graph.")

  static let tables = Flag(
    name: "tables", value: "directory", group: .output,
    help: "Write the trace and its analysis as CSV tables.")

  static let syntax = CommandSyntax(
    name: "convert",
    abstract: "Convert a trace to another format.",
    examples: [
      "scrolltrace convert trace.json.gz -o run.pftrace",
      "scrolltrace convert run.fxt --hitches-only -o hitches.speedscope.json",
      "scrolltrace convert run.fxt --tables run-tables",
      "scrolltrace convert run.fxt -o run.json.gz",
      "scrolltrace convert run.fxt --format ndjson -o - | head",
      "scrolltrace convert run.fxt --symbols build -o named.folded",
    ],
    discussion: """
      FORMATS:
      \(lines(TraceFormat.all.map { ($0.name, $0.fileEndings) }))
      STACK FORMATS (sampled functions, or spans if there are no samples):
      \(lines(StackFormat.all.map { ($0.name, $0.fileEndings) }))
      The number of records that a format cannot hold is reported on standard error.
      """,
    operand: .init(name: "trace", help: "A trace, or '-' for standard input."),
    flags: [output, format, hitchesOnly, tables, ReportFlags.overwrite, AnalysisFlags.allowLoss]
      + AnalysisFlags.motion + InputLimitFlags.all,
    common: [output, format, hitchesOnly, tables, ReportFlags.overwrite, InputLimitFlags.symbols])

  /// The formats and their extensions, one per line.
  private static func lines(_ formats: [(name: String, endings: [String])]) -> String {
    let width = formats.map { $0.name.count }.max() ?? 0
    return formats.map { name, endings in
      "  \(ColumnWidth.padded(name, to: width + 2))"
        + "\(endings.map { "." + $0 }.joined(separator: ", "))\n"
    }.joined()
  }

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    guard let path = arguments.operands.first else { throw UsageError.missingOperand("trace") }
    let progress = Progress(console)
    defer { progress.clear() }
    if let directory = arguments.value(of: tables) {
      for flag in [output, format, hitchesOnly] where arguments.has(flag) {
        throw UsageError.conflict(tables, flag)
      }
      return try writeTables(arguments, from: path, to: directory, progress, on: console)
    }
    guard let file = arguments.value(of: output) else { throw UsageError.missing(output) }
    if let type = stackExporter(arguments, file: file) {
      return try writeStacks(type, arguments, from: path, to: file, progress, on: console)
    }
    let type = try exporter(arguments, file: file)
    for flag in [hitchesOnly] + AnalysisFlags.motion where arguments.has(flag) {
      throw UsageError(
        message: "'--\(flag.name)' is for "
          + StackFormat.all.map { $0.name }.joined(separator: ", "), flag: flag)
    }
    let trace = try trace(at: path, arguments, progress)
    progress.show("writing \(file)")
    var leftOut = ExportOmissions()
    try write(to: file, arguments, on: console) { leftOut = type.write(trace, to: &$0) }
    progress.clear()
    if !leftOut.isEmpty {
      console.warn(
        about: file == "-" ? "standard output" : file,
        "\(type.name) cannot hold the whole trace; omitted or approximated: \(leftOut.text)")
    }
    return status(of: trace, arguments)
  }

  /// Writes the trace and its analysis as tables, one file each in a directory.
  private static func writeTables(
    _ arguments: ParsedArguments, from path: String, to directory: String, _ progress: Progress,
    on console: Console
  ) throws -> ExitStatus {
    let run = try analysis(of: path, arguments, progress)
    let material = TableMaterial(run)
    guard mkdir(directory, 0o777) == 0 || errno == EEXIST else {
      throw OutputError(path: directory, number: errno)
    }
    for table in TraceTable.all {
      let file = "\(directory)/\(table.name).csv"
      progress.show("writing \(file)")
      try write(to: file, arguments, on: console) { table.write(material, to: &$0) }
    }
    return status(of: run.trace, arguments)
  }

  /// Writes the trace as stacks; its analysis finds the hitches.
  private static func writeStacks(
    _ type: StackFormat, _ arguments: ParsedArguments, from path: String,
    to file: String, _ progress: Progress, on console: Console
  ) throws -> ExitStatus {
    let run = try analysis(of: path, arguments, progress)
    progress.clear()
    let hitchesOnly = arguments.has(Self.hitchesOnly)
    guard let profile = run.stackProfile(onlyHitches: hitchesOnly), !profile.segments.isEmpty
    else {
      console.fail(
        aboutInput: path,
        hitchesOnly
          ? "has no hitch with known work; omit --hitches-only"
          : "has neither samples nor spans of a main thread")
      return .notEvaluated
    }
    try write(to: file, arguments, on: console) { type.write(profile, to: &$0) }
    return status(of: run.trace, arguments)
  }

  private static func trace(
    at path: String, _ arguments: ParsedArguments, _ progress: Progress
  ) throws -> Trace {
    if let file = arguments.value(of: output), file != "-" {
      // Again before it is written, since reading can take long.
      try FileWriter.checkCreation(
        of: file, overwrites: arguments.has(ReportFlags.overwrite), inputs: arguments.operands)
    }
    var limits = try InputLimitFlags.options(arguments)
    limits.onRead = { progress.read($0, of: $1) }
    progress.show("reading \(path)")
    LargeArrays.keep()
    return try TraceFile.open(path, options: limits)
  }

  /// Reads and analyzes the trace to convert.
  private static func analysis(
    of path: String, _ arguments: ParsedArguments, _ progress: Progress
  ) throws -> Analysis {
    let options = try AnalysisFlags.options(arguments)
    return TraceAnalyzer(options).analyze(try trace(at: path, arguments, progress))
  }

  private static func status(of trace: Trace, _ arguments: ParsedArguments) -> ExitStatus {
    trace.losses.isEmpty || arguments.has(AnalysisFlags.allowLoss) ? .done : .lossy
  }

  /// Returns the exporter of stacks that the arguments or the file's extension name, or `nil`.
  private static func stackExporter(
    _ arguments: ParsedArguments, file: String
  ) -> StackFormat? {
    if let name = arguments.value(of: format) { return StackFormat.named(name) }
    return StackFormat.ending(bare(file))
  }

  /// Returns the exporter that the arguments or the file's extension name.
  private static func exporter(
    _ arguments: ParsedArguments, file: String
  ) throws(UsageError) -> TraceFormat {
    if let name = arguments.value(of: format) {
      guard let type = TraceFormat.named(name) else {
        throw .unknownChoice(name, of: format)
      }
      return type
    }
    if let type = TraceFormat.ending(bare(file)) { return type }
    let endings =
      TraceFormat.all.flatMap { $0.fileEndings } + StackFormat.all.flatMap { $0.fileEndings }
    throw .unknownExtension(
      of: file, endings: endings, format, suffix: ", optionally followed by .gz")
  }

  private static func isCompressed(_ path: String) -> Bool { path.hasSuffix(".gz") }

  private static func bare(_ path: String) -> String {
    isCompressed(path) ? String(path.dropLast(3)) : path
  }

  /// Writes what `body` appends to a file, or to standard output.
  private static func write(
    to file: String, _ arguments: ParsedArguments, on console: Console,
    _ body: (inout ExportOutput) -> Void
  ) throws(OutputError) {
    guard file != "-" else {
      var output = ExportOutput { console.write($0) }
      body(&output)
      let number = output.finish()
      guard number == 0 || number == EPIPE else {
        throw OutputError(path: "standard output", number: number)
      }
      return
    }
    let isCompressed = isCompressed(file)
    guard !isCompressed || GzipCompressor.isAvailable else {
      throw OutputError(
        path: file,
        problem: "cannot be compressed without zlib (libz.so.1); omit '.gz' and run gzip")
    }
    let overwrites = arguments.has(ReportFlags.overwrite)
    try FileWriter.create(file, overwrites: overwrites, inputs: arguments.operands) { descriptor in
      let write = { (bytes: UnsafeRawBufferPointer) in FileWriter.write(bytes, to: descriptor) }
      let compressor = isCompressed ? GzipCompressor(write) : nil
      guard isCompressed == (compressor != nil) else { return ENOMEM }
      var output = ExportOutput { compressor?.append($0) ?? write($0) }
      body(&output)
      let number = output.finish()
      return number == 0 ? compressor?.finish() ?? 0 : number
    }
  }
}
