import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The conversion of a trace and its analysis to tables, one file each in a directory.
struct TableConversion {
  private let arguments: ParsedArguments
  private let path: String
  private let directory: String

  /// A conversion of the trace at `path` to files in `directory`.
  init(_ arguments: ParsedArguments, from path: String, to directory: String) {
    self.arguments = arguments
    self.path = path
    self.directory = directory
  }

  /// Writes the tables.
  func run(on console: Console) throws(UsageError) -> ExitStatus {
    var limits = try InputLimitFlags.options(arguments)
    let options: AnalysisOptions
    do throws(ArgumentFailure) {
      options = try AnalysisFlags.options(arguments)
    } catch {
      try error.report(on: console)
      return .unjudged
    }
    let progress = Progress(console)
    limits.onRead = { progress.read($0, of: $1) }
    defer { progress.clear() }
    progress.show("reading \(path)")
    let material: TableMaterial
    do {
      material = TableMaterial(
        TraceAnalyzer(options).analyze(try TraceFile.open(path, options: limits)))
    } catch {
      progress.clear()
      console.complain(about: path == "-" ? "standard input" : path, error.description)
      return .unjudged
    }
    do throws(OutputError) {
      try makeDirectory()
      for table in TraceTable.all {
        progress.show("writing \(file(of: table))")
        try ConvertCommand.write(
          to: file(of: table), overwrites: arguments.has(ReportFlags.force), input: path,
          on: console
        ) { table.write(material, to: &$0) }
      }
    } catch {
      progress.clear()
      console.complain(about: error.path, error.problem)
      return .unjudged
    }
    let isComplete = material.trace.losses.isEmpty || arguments.has(AnalysisFlags.allowLoss)
    return isComplete ? .done : .lossy
  }

  private func file(of table: TraceTable) -> String { "\(directory)/\(table.name).csv" }

  private func makeDirectory() throws(OutputError) {
    guard mkdir(directory, 0o777) != 0, errno != EEXIST else { return }
    throw OutputError(path: directory, number: errno)
  }
}
