import ScrollTraceKit

/// `scrolltrace formats`: lists the formats that can be read.
enum FormatsCommand: Command {
  static let syntax = CommandSyntax(
    name: "formats",
    abstract: "List the trace formats that can be read.",
    examples: ["scrolltrace formats"],
    discussion: """
      The content decides the format, not the file name. Every format can be
      compressed with gzip or zstd. See 'convert --help' for the formats to write.
      """,
    exitStatuses: [],
    flags: [])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let rows =
      [(name: "format", files: "files", recipe: "how to make one")]
      + TraceImporters.all.map { (name: $0.name, files: $0.files, recipe: $0.recipe) }
    let widths = (rows.map(\.name.count).max() ?? 0, rows.map(\.files.count).max() ?? 0)
    let lines = rows.map { name, files, recipe in
      ColumnWidth.padded(name, to: widths.0 + 2) + ColumnWidth.padded(files, to: widths.1 + 2)
        + recipe + "\n"
    }
    try console.print(lines.joined())
    return .done
  }
}
