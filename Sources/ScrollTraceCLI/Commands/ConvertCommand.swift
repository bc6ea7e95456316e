import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `scrolltrace convert`: a trace of any format in another one.
enum ConvertCommand: Command {
  static let output = Flag(
    name: "output", short: "o", value: "file",
    help: "The file to make, compressed where its name ends in .gz; '-' is standard output.")
  static let format = Flag(
    name: "to", value: "format", choices: TraceExporters.all.map { $0.name },
    help: "The format, where the ending of the file does not say it.")
  static let force = Flag(
    name: "force", help: "Replace a file that is there.")

  static let syntax = CommandSyntax(
    name: "convert",
    abstract: "Write a trace of any format in another one.",
    discussion: """
      EXAMPLES:
        scrolltrace convert trace.json.gz -o run.fxt
        scrolltrace convert run.fxt -o run.pftrace
        scrolltrace convert run.fxt -o run.json.gz
        scrolltrace convert run.fxt --to ndjson -o - | head

      FORMATS:
      \(formats)
      What a format has no place for is left out, and counted on standard error.

      EXIT STATUS:
        0  done
        2  the trace cannot be read, or the file cannot be written
        3  done, but the trace had lost data
        64 the command was called in a way it does not understand
      """,
    operand: .init(name: "trace", help: "A trace, or '-' for standard input."),
    flags: [output, format, force, AnalysisFlags.allowLoss] + InputLimitFlags.all)

  /// A line for each format.
  private static var formats: String {
    let width = TraceExporters.all.map { $0.name.count }.max() ?? 0
    return TraceExporters.all.map { type in
      let space = String(repeating: " ", count: width - type.name.count + 2)
      return "  \(type.name)\(space)\(type.fileEndings.map { "." + $0 }.joined(separator: ", "))\n"
    }.joined()
  }

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    guard let path = arguments.operands.first else {
      throw UsageError(message: "Missing operand '<trace>'")
    }
    guard let file = arguments.value(of: output) else {
      throw UsageError(
        message: "Missing option '--output <file>' for what is to be made", flag: output)
    }
    let type = try exporter(arguments, file: file)
    let limits = try InputLimitFlags.options(arguments)
    var progress = Progress(console)
    let trace: Trace
    do {
      progress.show("reading \(path)")
      trace = try TraceFile.open(path, options: limits)
    } catch {
      progress.clear()
      console.complain(about: path == "-" ? "standard input" : path, error.description)
      return .unjudged
    }
    progress.show("writing \(file)")
    do {
      let leftOut = try write(
        trace, as: type, to: file, mayReplace: arguments.has(force), input: path, on: console)
      progress.clear()
      if !leftOut.isEmpty {
        console.complain(
          about: file == "-" ? "standard output" : file,
          "\(type.name) has no place for all of the trace; left out or told in other words: "
            + leftOut.text)
      }
    } catch {
      progress.clear()
      console.complain(about: error.path, error.problem)
      return .unjudged
    }
    return trace.losses.isEmpty || arguments.has(AnalysisFlags.allowLoss) ? .done : .lossy
  }

  /// The exporter that the arguments name, or else the file's ending.
  private static func exporter(
    _ arguments: ParsedArguments, file: String
  ) throws(UsageError) -> any TraceExporter.Type {
    if let name = arguments.value(of: format) {
      guard let type = TraceExporters.exporter(named: name) else {
        throw .invalidValue(name, of: format, advice: "")
      }
      return type
    }
    let name = isCompressed(file) ? String(file.dropLast(3)) : file
    if let type = TraceExporters.exporter(endingOf: name) { return type }
    let endings = TraceExporters.all.flatMap { $0.fileEndings }.map { "." + $0 }
    throw UsageError(
      message:
        "The ending of '\(file)' names no format; say '--to <format>', or let it end in one of "
        + endings.joined(separator: ", ") + ", each also with .gz behind it", flag: format)
  }

  /// Whether the file at `path` is to be compressed.
  private static func isCompressed(_ path: String) -> Bool { path.hasSuffix(".gz") }

  private static func write(
    _ trace: Trace, as type: any TraceExporter.Type, to file: String, mayReplace: Bool,
    input: String, on console: Console
  ) throws(OutputError) -> ExportOmissions {
    var leftOut = ExportOmissions()
    guard file != "-" else {
      var output = ExportOutput { console.write($0) }
      leftOut = type.init().write(trace, to: &output)
      let number = output.finish()
      guard number == 0 || number == EPIPE else {
        throw OutputError(path: "standard output", number: number)
      }
      return leftOut
    }
    let isCompressed = isCompressed(file)
    guard !isCompressed || GzipCompressor.isAvailable else {
      throw OutputError(
        path: file,
        problem: "cannot be compressed: this system has no zlib (libz.so.1); leave out '.gz', and"
          + " run gzip on it")
    }
    try FileWriter.create(file, mayReplace: mayReplace, inputs: [input]) { descriptor in
      let write = { (bytes: UnsafeRawBufferPointer) in FileWriter.write(bytes, to: descriptor) }
      let compressor = isCompressed ? GzipCompressor(write) : nil
      guard isCompressed == (compressor != nil) else { return ENOMEM }
      var output = ExportOutput { compressor?.append($0) ?? write($0) }
      leftOut = type.init().write(trace, to: &output)
      let number = output.finish()
      return number == 0 ? compressor?.finish() ?? 0 : number
    }
    return leftOut
  }
}
