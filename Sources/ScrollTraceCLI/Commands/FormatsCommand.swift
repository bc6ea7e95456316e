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

  /// The files of each format and how to make one, in the order of the list.
  static let rows = [
    Row("fxt", "ScrollTrace, Fuchsia", "record with ScrollTraceRecorder, or from C"),
    Row("perfetto", "Perfetto .pftrace", "record_android_trace; ui.perfetto.dev"),
    Row("chrome-json", "Chrome .json", "DevTools > Performance > Save profile"),
    Row("flutter", "Flutter .json", "DevTools > Performance > Export"),
    Row("xctrace", "Instruments .xml", "xcrun xctrace export --input X.trace ..."),
    Row("systrace", "atrace, ftrace text", "adb shell atrace -t 5 gfx view sched"),
    Row("gfxinfo", "Android framestats", "adb shell dumpsys gfxinfo PACKAGE framestats"),
    Row("presentmon", "PresentMon .csv", "PresentMon --output_file X.csv; CapFrameX"),
    Row("mangohud", "MangoHud .csv", "MANGOHUD_CONFIG=output_folder=X mangohud Y"),
    Row("ndjson", "any app's lines", "print a line of JSON for each frame and span"),
    Row("csv", "any app's table", "print a row for each frame, below names"),
  ]

  /// A format with the files that have it.
  struct Row: Sendable {
    let name: String
    let files: String
    let recipe: String

    init(_ name: String, _ files: String, _ recipe: String) {
      (self.name, self.files, self.recipe) = (name, files, recipe)
    }
  }

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let all = [Row("format", "files", "how to make one")] + rows
    let widths = (all.map(\.name.count).max() ?? 0, all.map(\.files.count).max() ?? 0)
    let lines = all.map { row in
      padded(row.name, widths.0) + padded(row.files, widths.1) + row.recipe + "\n"
    }
    return console.show(lines.joined())
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: width - text.count + 2)
  }
}
