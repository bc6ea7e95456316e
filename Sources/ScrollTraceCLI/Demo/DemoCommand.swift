import ReferenceListEngine
import ScrollTraceKit
import ScrollTraceRecorder

/// `scrolltrace demo`: the reference list engine, live in the terminal or recorded like any host.
enum DemoCommand: Command {
  static let record = Flag(
    name: "record", value: "file", help: "Record the list into a file, which must be new.")
  static let ring = Flag(
    name: "ring", value: "bytes",
    help: "Keep about the last 2M, or 512K, of the recording only: a flight recorder.")
  static let session = Flag(
    name: "session", value: "file",
    help: "What is scrolled, as a text file; see above.")
  static let policy = Flag(
    name: "policy", value: "name=value,...",
    help: "How the list works, such as cells=idle,data=ahead, or best; see above.")
  static let saveSession = Flag(
    name: "save-session", value: "file",
    help: "Write down what was scrolled, to be played again with --session.")
  static let virtual = Flag(
    name: "virtual",
    help: "On virtual time: done at once, and the same bytes on every machine.")
  static let seconds = Flag(
    name: "seconds", value: "count", standard: "3",
    help: "For how long somebody scrolls where there is no session.")
  static let seed = Flag(
    name: "seed", value: "number", standard: "1",
    help: "Which list and which movements; the same number gives the same.")
  static let refreshRate = Flag(
    name: "refresh-rate", value: "hz", standard: "60",
    help: "The refresh rate of the simulated display.")
  static let items = Flag(
    name: "items", value: "count", standard: "2000", help: "How long the list is.")
  static let experiment = Flag(
    name: "experiment",
    help: "Play one session under three policies and draw what the main thread does.")
  static let samples = Flag(
    name: "samples", value: "directory",
    help: "Write the sample traces into a directory in place of a recording.")

  static let syntax = CommandSyntax(
    name: "demo",
    abstract: "Watch a list scroll and what it costs, or record it.",
    discussion: """
      EXAMPLES:
        scrolltrace demo
        scrolltrace demo --policy best --refresh-rate 120
        scrolltrace demo --record run.fxt --virtual --seconds 5
        scrolltrace demo --record run.fxt --ring 512K --seconds 60
        scrolltrace demo --experiment

      Without --record and in a terminal the list scrolls live, with the work of
      the main thread below it; ? explains the keys, which change the policies and
      the refresh rate while it runs. With --record it is recorded, in the terminal
      only with neither --virtual nor --session nor --seconds. Without --virtual,
      work is real work and threads are threads; the display is simulated.

      POLICIES:
      \(policyLines)

      A SESSION begins with the line 'scrolltrace session 1'; each line after it is
      a movement or an event:
        rest TIME · drag SPEED TIME · fling SPEED · animate DISTANCE TIME
        page VIEWS TIME · reorder VIEWS TIME · refresh TIME
        at TIME errand TIME NAME · at TIME insert COUNT POSITION
        at TIME delete COUNT POSITION · at TIME change COUNT
      Times are whole numbers of ns, us, ms or s, speeds points a second.

      EXIT STATUS:
        0  done
        2  a file cannot be read or written, or there is no terminal
        64 the command was called in a way it does not understand
      """,
    flags: [
      record, ring, session, saveSession, policy, virtual, seconds, seed, refreshRate, items,
      experiment, samples,
    ])

  private static var policyLines: String {
    EnginePolicies.names.map { name in
      "  \(name)=" + EnginePolicies.values(of: name).joined(separator: " | ")
    }.joined(separator: "\n")
  }

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let plan = try DemoPlan(arguments)
    let ways = [record, experiment, samples].filter(arguments.has)
    guard ways.count <= 1 else {
      throw UsageError(
        message: "Please provide --\(ways[0].name) or --\(ways[1].name), not both")
    }
    if let way = ways.first(where: { $0.name != record.name }),
      let other = [ring, session, saveSession, policy, virtual, seconds, seed, refreshRate, items]
        .first(where: arguments.has)
    {
      throw UsageError(
        message: "--\(way.name) goes without --\(other.name): it always plays the same", flag: other
      )
    }
    if let directory = arguments.value(of: samples) {
      return report(on: console) {
        try SampleTraces.write(into: directory)
        return "\(SampleTraces.all.count) sample traces are in \(directory).\n"
      }
    }
    if arguments.has(experiment) {
      return report(on: console) { try PanelExperiment(environment: console.environment).text() }
    }
    if arguments.has(ring), !arguments.has(record) {
      throw UsageError(message: "Missing option '--record <file>'", flag: record)
    }
    let isPlayed = [virtual, session, seconds].contains(where: arguments.has)
    if let path = arguments.value(of: record), isPlayed || !console.environment.isOutputTerminal {
      return report(on: console) {
        let (counters, played) = try plan.record(to: path)
        try save(played, arguments)
        return DemoSummary(counters: counters, path: path).text
      }
    }
    if arguments.has(virtual) || arguments.has(seconds) {
      throw UsageError(message: "Missing option '--record <file>'", flag: record)
    }
    guard console.environment.isOutputTerminal else {
      throw UsageError(
        message: "The live list needs a terminal; without one, use --record <file>"
          + " or --experiment", flag: record)
    }
    return report(on: console) {
      let live = LiveDemo(
        configuration: plan.configuration(), session: try plan.liveSession(),
        path: arguments.value(of: record), ringBytes: plan.ringBytes)
      let outcome = try live.run(on: console)
      try save(outcome.played, arguments)
      return DemoSummary(counters: outcome.counters, path: live.path).text
    }
  }

  private static func save(
    _ session: ScrollSession, _ arguments: ParsedArguments
  ) throws(OutputError) {
    guard let path = arguments.value(of: saveSession) else { return }
    let inputs = [arguments.value(of: DemoCommand.session)].compactMap { $0 }
    try FileWriter.replace(path, with: SessionText.text(of: session), inputs: inputs)
  }

  /// Does `work` and prints what it says, or what went wrong.
  private static func report(on console: Console, _ work: () throws -> String) -> ExitStatus {
    do {
      try console.print(work())
      return .done
    } catch let error as RecorderError {
      let advice = error.advice.isEmpty ? "" : "; \(error.advice)"
      console.complain(about: error.path, error.reason + advice)
    } catch let error as OutputError {
      console.complain(about: error.path, error.problem)
    } catch let error as DemoPlan.Failure {
      console.complain(about: error.path, error.problem)
    } catch {
      console.complain("\(error)\n")
    }
    return .unjudged
  }
}
