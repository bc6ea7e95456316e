import ScrollTraceCLI
import ScrollTraceKit

/// `scrolltrace watch`: monitors a recording while it is written.
enum WatchCommand: Command {
  static let plain = Flag(
    name: "plain", group: .output,
    help: "Print lines instead of a screen.")
  static let wait = Flag(
    name: "wait", group: .input, help: "Wait for the recording to start.")
  static let duration = Flag(
    name: "duration", value: "time", group: .input,
    help: "Stop after this time, such as 30s.")

  static let syntax = CommandSyntax(
    name: "watch",
    abstract: "Monitor a recording while it is written.",
    examples: [
      "scrolltrace watch run.fxt",
      "scrolltrace watch --wait run.fxt",
      "scrolltrace watch run.fxt --duration 30s --plain",
    ],
    discussion: """
      The recording must be written by the ScrollTrace recorder. Watching only reads
      the file and does not affect the app. In a terminal, a screen shows the latest
      hitches, main-thread work and totals until you press q, even after the
      recording ends. Otherwise, each second and each hitch is printed as a line
      until the recording ends.
      """,
    operand: .init(name: "recording", help: "A file written by the ScrollTrace recorder."),
    flags: [plain, wait, duration, AnalysisFlags.allowLoss] + InputLimitFlags.names,
    common: [plain, wait, duration])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    guard let path = arguments.operands.first else { throw UsageError.missingOperand("recording") }
    let length = try arguments.value(
      of: duration, as: TimeSpan.init(argument:),
      expecting: "a time such as 30s")
    let watch = Watch(
      path: path, console: console, options: InputLimitFlags.nameOptions(arguments),
      waits: arguments.has(wait),
      end: length.map { Watch.milliseconds + max(0, $0.nanoseconds / 1_000_000) })
    do {
      guard path != "-" else {
        throw ImportError(
          "cannot be watched", advice: "name the file being recorded")
      }
      let isPlain = arguments.has(plain) || !console.environment.isOutputTerminal
      let hasLost = isPlain ? try watch.printLines() : try watch.showScreen()
      return hasLost && !arguments.has(AnalysisFlags.allowLoss) ? .lossy : .done
    } catch let error as ImportError {
      throw error.inFile(path)
    }
  }
}
