import ReferenceListEngine
import ScrollTraceCLI
import ScrollTraceRecorder
import ScrollTracePlatform

/// `scrolltrace demo`: runs the reference list, live or recorded.
enum DemoCommand: Command {
  static let record = Flag(
    name: "record", value: "file", group: .output, help: "Record to a new file.")
  static let ringSize = Flag(
    name: "ring-size", value: "bytes", group: .output,
    help: "Retain about this many recent bytes, such as 512K or 2M.")
  static let script = Flag(
    name: "script", value: "file", group: .input, help: "Play a scroll script.")
  static let saveScript = Flag(
    name: "save-script", value: "file", group: .output, help: "Save a scroll script.")
  static let policy = Flag(
    name: "policy", value: "name=value,...", group: .input,
    help: "Policies of the list, or 'best'.")
  static let virtualTime = Flag(
    name: "virtual-time", group: .input, help: "Use reproducible virtual time.")
  static let duration = Flag(
    name: "duration", value: "time", standard: "3s", group: .input,
    help: "Stop after this time.")
  static let seed = Flag(
    name: "seed", value: "number", standard: "1", group: .input, help: "Random seed.")
  static let refreshRate = Flag(
    name: "refresh-rate", value: "hz", standard: "60", group: .input,
    help: "Refresh rate of the simulated display.")
  static let items = Flag(
    name: "items", value: "count", standard: "2000", group: .input, help: "Item count.")
  static let experiment = Flag(
    name: "experiment", group: .output,
    help: "Compare three policies on one script.")
  static let writeSamples = Flag(
    name: "write-samples", value: "directory", group: .output,
    help: "Write sample traces to a directory.")

  static let syntax = CommandSyntax(
    name: "demo",
    abstract: "Run the reference list, live or recorded.",
    examples: [
      "scrolltrace demo",
      "scrolltrace demo --policy best --refresh-rate 120",
      "scrolltrace demo --record run.fxt --virtual-time --duration 5s",
      "scrolltrace demo --record run.fxt --ring-size 512K --duration 60s",
      "scrolltrace demo --experiment",
    ],
    discussion: """
      In a terminal, the list scrolls live above a graph of its main-thread work;
      press ? for the keys, which change the policies and the refresh rate. With
      --record, the list is live only without --virtual-time, --script and
      --duration. Without --virtual-time, work and threads are real; only the
      display is simulated.

      POLICIES:
      \(policyLines)

      A SCROLL SCRIPT starts with the line 'scrolltrace session 1'. Every other line
      is a movement or an event:
        rest TIME · drag SPEED TIME · fling SPEED · animate DISTANCE TIME
        page VIEWS TIME · reorder VIEWS TIME · refresh TIME
        at TIME errand TIME NAME · at TIME insert COUNT POSITION
        at TIME delete COUNT POSITION · at TIME change COUNT
      Times are whole numbers of ns, us, ms or s. Speeds are points per second.
      """,
    exitStatuses: ExitStatus.meaningsWithoutTraces,
    flags: [
      record, ReportFlags.overwrite, ringSize, script, saveScript, policy, virtualTime, duration,
      seed,
      refreshRate,
      items, experiment, writeSamples,
    ],
    common: [record, policy, refreshRate, duration, virtualTime, script, experiment])

  private static var policyLines: String {
    EnginePolicies.names.map { name in
      "  \(name)=" + EnginePolicies.values(of: name).joined(separator: " | ")
    }.joined(separator: "\n")
  }

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let plan = try DemoPlan(arguments)
    try checkConflicts(in: arguments)
    if let directory = arguments.value(of: writeSamples) {
      return try report(on: console) {
        try SampleTraces.write(into: directory, overwrites: arguments.has(ReportFlags.overwrite))
        return "\(directory): \(SampleTraces.all.count) sample traces written\n"
      }
    }
    if arguments.has(experiment) {
      return try report(on: console) {
        try PanelExperiment(environment: console.environment).text()
      }
    }
    if arguments.has(ringSize), !arguments.has(record) {
      throw UsageError.missing(record)
    }
    if arguments.has(ReportFlags.overwrite), !arguments.has(record) {
      throw UsageError.requires(ReportFlags.overwrite, record)
    }
    let isPlayed = [virtualTime, script, duration].contains(where: arguments.has)
    if let path = arguments.value(of: record), isPlayed || !console.environment.isOutputTerminal {
      return try report(on: console) {
        let (counters, played) = try plan.record(to: path)
        try save(played, arguments)
        return DemoSummary(counters: counters, path: path).text
      }
    }
    if arguments.has(virtualTime) || arguments.has(duration) {
      throw UsageError.missing(record)
    }
    guard console.environment.isOutputTerminal else {
      throw UsageError(
        message: "The live list requires a terminal; add '--record <file>'", flag: record)
    }
    return try report(on: console) {
      let live = LiveDemo(
        configuration: plan.configuration(), script: try plan.liveScript(),
        path: arguments.value(of: record), overwrites: plan.overwrites,
        ringBytes: plan.ringBytes)
      let outcome = try live.run(on: console)
      try save(outcome.played, arguments)
      return DemoSummary(counters: outcome.counters, path: live.path).text
    }
  }

  private static func checkConflicts(in arguments: ParsedArguments) throws(UsageError) {
    let ways = [record, experiment, writeSamples].filter(arguments.has)
    guard ways.count <= 1 else { throw .conflict(ways[0], ways[1]) }
    let others = [
      ringSize, script, saveScript, policy, virtualTime, duration, seed, refreshRate, items,
    ]
    if let way = ways.first(where: { $0.name != record.name }),
      let other = others.first(where: arguments.has)
    {
      throw .conflict(way, other)
    }
  }

  private static func save(
    _ script: ScrollScript, _ arguments: ParsedArguments
  ) throws(OutputError) {
    guard let path = arguments.value(of: saveScript) else { return }
    let inputs = [arguments.value(of: DemoCommand.script)].compactMap { $0 }
    try FileWriter.replace(
      path, with: ScriptText.text(of: script), unlessForeign: "name another file",
      inputs: inputs)
  }

  private static func report(
    on console: Console, _ work: () throws -> String
  ) throws -> ExitStatus {
    do {
      try console.print(work())
      return .done
    } catch let error as RecorderError {
      let isTaken = error.errorNumber == EEXIST
      let advice =
        isTaken ? "; replace it with --overwrite" : error.advice.isEmpty ? "" : "; \(error.advice)"
      throw OutputError(path: error.path, problem: error.reason + advice)
    }
  }
}
