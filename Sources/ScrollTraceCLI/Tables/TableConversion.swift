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

  init(_ arguments: ParsedArguments, from path: String, to directory: String) {
    self.arguments = arguments
    self.path = path
    self.directory = directory
  }

  /// Writes the tables.
  func run(on console: Console) throws -> ExitStatus {
    let progress = Progress(console)
    defer { progress.clear() }
    let run = try ConvertCommand.analysis(of: path, arguments, progress)
    let material = TableMaterial(run)
    guard mkdir(directory, 0o777) == 0 || errno == EEXIST else {
      throw OutputError(path: directory, number: errno)
    }
    for table in TraceTable.all {
      let file = "\(directory)/\(table.name).csv"
      progress.show("writing \(file)")
      try ConvertCommand.write(
        to: file, overwrites: arguments.has(ReportFlags.overwrite), input: path, on: console
      ) { table.write(material, to: &$0) }
    }
    return ConvertCommand.status(of: run.trace, arguments)
  }
}
