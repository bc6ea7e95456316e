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
    let progress = Progress(console)
    defer { progress.clear() }
    guard let run = try ConvertCommand.analysis(of: path, arguments, progress, on: console) else {
      return .notEvaluated
    }
    let material = TableMaterial(run)
    do throws(OutputError) {
      try makeDirectory()
      for table in TraceTable.all {
        progress.show("writing \(file(of: table))")
        try ConvertCommand.write(
          to: file(of: table), overwrites: arguments.has(ReportFlags.overwrite), input: path,
          on: console
        ) { table.write(material, to: &$0) }
      }
    } catch {
      progress.clear()
      console.fail(about: error.path, error.problem)
      return .notEvaluated
    }
    return ConvertCommand.status(of: run.trace, arguments)
  }

  private func file(of table: TraceTable) -> String { "\(directory)/\(table.name).csv" }

  private func makeDirectory() throws(OutputError) {
    guard mkdir(directory, 0o777) != 0, errno != EEXIST else { return }
    throw OutputError(path: directory, number: errno)
  }
}
