import ReferenceListEngine
import ScrollTraceKit
import ScrollTraceRecorder

/// `scrolltrace demo`: the reference list engine, recorded like any host.
enum DemoCommand: Command {
  static let record = Flag(
    name: "record", value: "file", help: "Record a scrolled list into a file, which must be new.")
  static let virtual = Flag(
    name: "virtual",
    help: "On virtual time: done at once, and the same bytes on every machine.")
  static let seconds = Flag(
    name: "seconds", value: "count", standard: "3", help: "For how long somebody scrolls.")
  static let seed = Flag(
    name: "seed", value: "number", standard: "1",
    help: "Which list and which movements; the same number gives the same.")
  static let refreshRate = Flag(
    name: "refresh-rate", value: "hz", standard: "60",
    help: "The refresh rate of the simulated display.")
  static let samples = Flag(
    name: "samples", value: "directory",
    help: "Write the sample traces into a directory in place of a recording.")

  static let syntax = CommandSyntax(
    name: "demo",
    abstract: "Record a list engine without a window, to see what a recording is.",
    discussion: """
      EXAMPLES:
        scrolltrace demo --record run.fxt
        scrolltrace demo --record run.fxt --virtual --seconds 5 --refresh-rate 120

      Cells are prepared when they come into view and images are decoded on the
      main thread, so there are hitches to look at. Without --virtual, work is
      real work and threads are threads; the display is simulated.

      EXIT STATUS:
        0  done
        2  the file is there already or cannot be written
        64 the command was called in a way it does not understand
      """,
    flags: [record, virtual, seconds, seed, refreshRate, samples])

  static func run(
    _ arguments: ParsedArguments, on console: Console
  ) throws(UsageError) -> ExitStatus {
    let plan = try Plan(arguments)
    if let directory = arguments.value(of: samples) {
      guard arguments.value(of: record) == nil else {
        throw UsageError(message: "Please provide --record or --samples, not both")
      }
      return report(on: console) { () throws(RecorderError) in
        try SampleTraces.write(into: directory)
        return "\(SampleTraces.all.count) sample traces are in \(directory).\n"
      }
    }
    guard let path = arguments.value(of: record) else {
      throw UsageError(message: "Missing option '--record <file>'", flag: record)
    }
    return report(on: console) { () throws(RecorderError) in
      let counters = try plan.record(to: path)
      return DemoSummary(counters: counters, path: path).text
    }
  }

  /// Does `work` and prints what it says, or what went wrong.
  private static func report(
    on console: Console, _ work: () throws(RecorderError) -> String
  ) -> ExitStatus {
    do {
      try console.print(work())
      return .done
    } catch let error as RecorderError {
      let advice = error.advice.isEmpty ? "" : "; \(error.advice)"
      console.complain(about: error.path, error.reason + advice)
    } catch let error as OutputError {
      console.complain(about: error.path, error.problem)
    } catch {
      console.complain("\(error)\n")
    }
    return .unjudged
  }

  /// What is to be recorded.
  private struct Plan {
    let isVirtual: Bool
    let seconds: Int64
    let seed: UInt64
    let hertz: Int

    init(_ arguments: ParsedArguments) throws(UsageError) {
      isVirtual = arguments.has(virtual)
      seconds =
        try arguments.value(
          of: DemoCommand.seconds, as: { Int64($0).flatMap { (1...600).contains($0) ? $0 : nil } },
          expecting: "a whole number of seconds from 1 to 600") ?? 3
      seed =
        try arguments.value(
          of: DemoCommand.seed, as: { UInt64($0) }, expecting: "a number from 0 on") ?? 1
      hertz =
        try arguments.value(
          of: refreshRate, as: { Int($0).flatMap { (10...1000).contains($0) ? $0 : nil } },
          expecting: "a whole rate from 10 to 1000 Hz") ?? 60
    }

    /// Plays and records; gives what the engine has counted itself.
    func record(to path: String) throws(RecorderError) -> EngineCounters {
      var configuration = EngineConfiguration(content: ListContent(feedOf: 2000, seed: seed))
      configuration.rates = [RefreshSchedule.Rate(from: 0, hertz: hertz)]
      let clock: any EngineClock = isVirtual ? VirtualClock() : RealClock()
      let recorder = try TraceRecorder(
        writingTo: path, options: isVirtual ? .virtual(clock.recorderClock) : .real(clock))
      let engine = ListEngine(configuration, clock: clock, recorder: recorder)
      engine.run(.reading(for: seconds * 1_000_000_000, seed: seed))
      try recorder.finish()
      return engine.counters
    }
  }
}

extension RecorderOptions {
  /// Options for a recording on the machine's own time.
  fileprivate static func real(_ clock: any EngineClock) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = clock.recorderClock
    options.recordsAllMainWork = true
    return options
  }
}
