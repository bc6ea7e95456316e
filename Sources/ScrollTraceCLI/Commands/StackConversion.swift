import ScrollTraceKit

/// The conversion of a trace to stacks: its analysis finds the hitches.
struct StackConversion {
  private let type: any StackExporter.Type
  private let arguments: ParsedArguments
  private let path: String
  private let file: String

  init(
    _ type: any StackExporter.Type, _ arguments: ParsedArguments, from path: String,
    to file: String
  ) {
    self.type = type
    self.arguments = arguments
    self.path = path
    self.file = file
  }

  func run(on console: Console) throws -> ExitStatus {
    let progress = Progress(console)
    defer { progress.clear() }
    let run = try ConvertCommand.analysis(of: path, arguments, progress)
    progress.clear()
    let hitchesOnly = arguments.has(ConvertCommand.hitchesOnly)
    guard let profile = run.stackProfile(onlyHitches: hitchesOnly), !profile.segments.isEmpty
    else {
      console.fail(
        aboutInput: path,
        hitchesOnly
          ? "has no hitch whose work is known; omit --hitches-only for the whole recording"
          : "has neither samples nor spans of a main thread")
      return .notEvaluated
    }
    try ConvertCommand.write(
      to: file, overwrites: arguments.has(ReportFlags.overwrite), input: path, on: console
    ) { type.init().write(profile, to: &$0) }
    return ConvertCommand.status(of: run.trace, arguments)
  }
}
