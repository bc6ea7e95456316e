import ScrollTraceKit

/// `scrolltrace watch`: the science panel of a host that is recording, live.
enum WatchCommand: Command {
  static let plain = Flag(
    name: "plain",
    help: "Print lines in place of a screen, as where there is no terminal: one for each second and"
      + " one for each hitch.")
  static let wait = Flag(
    name: "wait", help: "Wait for the recording to begin where there is none yet.")
  static let duration = Flag(
    name: "for", value: "time", help: "End by itself after so long, such as 30s or 500ms.")

  static let syntax = CommandSyntax(
    name: "watch",
    abstract: "Show live what a host records: main-thread work, hitches and their causes.",
    discussion: """
      EXAMPLES:
        scrolltrace watch run.fxt
        scrolltrace watch --wait run.fxt
        scrolltrace watch run.fxt --for 30s --plain

      The recording is one that ScrollTrace's recorder is writing, or has written.
      The host notices nothing: its file is only read. On a terminal there is a
      screen until q or Control-C; when the host closes the recording or dies, the
      last picture stays. Elsewhere there are lines until the recording ends.

      EXIT STATUS:
        0  done, also where the host died
        2  there is no such recording, or it cannot be read
        3  done, but the recording has lost data
        64 the command was called in a way it does not understand
      """,
    operand: .init(name: "recording", help: "The file that is recorded into."),
    flags: [plain, wait, duration, AnalysisFlags.allowLoss])

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    guard let path = arguments.operands.first else {
      throw UsageError(message: "Missing expected argument '<recording>'")
    }
    let length = try arguments.value(
      of: duration, as: TimeSpan.init(argument:),
      expecting: "a time in s, ms, us or ns, such as 30s")
    let watch = Watch(
      path: path, console: console, waits: arguments.has(wait),
      end: length.map { Watch.milliseconds + max(0, $0.nanoseconds / 1_000_000) })
    do {
      // A screen needs both; keys come from the one and it is drawn on the other.
      let isPlain = arguments.has(plain) || !console.environment.isOutputTerminal
      let result = isPlain ? try watch.printLines() : try watch.showScreen()
      return result.hasLost && !arguments.has(AnalysisFlags.allowLoss) ? .lossy : .done
    } catch let error as ImportError {
      console.complain(about: path, error.description)
    } catch let error as OutputError {
      console.complain(about: error.path, error.problem)
    } catch {
      console.complain(about: path, "\(error)")
    }
    return .unjudged
  }
}
