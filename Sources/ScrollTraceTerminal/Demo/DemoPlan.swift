import ReferenceListEngine
import ScrollTraceCLI
import ScrollTraceKit
import ScrollTraceRecorder

/// The settings of a demo, from the command line.
struct DemoPlan {
  private let isVirtual: Bool
  private let duration: Int64
  private let seed: UInt64
  private let hertz: Int
  private let items: Int
  private let policies: EnginePolicies
  private let scriptPath: String?
  /// Whether an existing recording is overwritten.
  let overwrites: Bool
  /// The recent bytes of the recording to retain, or `nil` for all.
  let ringBytes: Int?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    isVirtual = arguments.has(DemoCommand.virtualTime)
    overwrites = arguments.has(ReportFlags.overwrite)
    duration =
      try arguments.value(
        of: DemoCommand.duration, as: Self.duration, expecting: "a time from 1s to 3600s")
      ?? 3_000_000_000
    seed =
      try arguments.value(
        of: DemoCommand.seed, as: { UInt64($0) }, expecting: "a number") ?? 1
    hertz =
      try arguments.value(
        of: DemoCommand.refreshRate,
        as: { Int($0).flatMap { (10...1000).contains($0) ? $0 : nil } },
        expecting: "a whole rate from 10 to 1000 Hz") ?? 60
    items =
      try arguments.value(
        of: DemoCommand.items, as: { Int($0).flatMap { (1...10_000_000).contains($0) ? $0 : nil } },
        expecting: "a whole number from 1 to 10000000") ?? 2000
    ringBytes =
      try arguments.value(
        of: DemoCommand.ringSize,
        as: { ByteCount($0).flatMap { $0.bytes <= 1 << 30 ? $0.bytes : nil } },
        expecting: "a size such as 512K, up to 1G")
    do throws(ScriptError) {
      policies = try EnginePolicies(text: arguments.value(of: DemoCommand.policy) ?? "")
    } catch {
      var problem = UsageError(message: error.reason, flag: DemoCommand.policy)
      problem.advice = "Expected: \(error.advice)."
      throw problem
    }
    scriptPath = arguments.value(of: DemoCommand.script)
  }

  /// Returns nanoseconds.
  private static func duration(_ text: String) -> Int64? {
    TimeSpan(argument: text).map(\.nanoseconds).flatMap {
      (1_000_000_000...3_600_000_000_000).contains($0) ? $0 : nil
    }
  }

  func configuration() -> EngineConfiguration {
    var configuration = EngineConfiguration(content: ListContent(feedOf: items, seed: seed))
    configuration.rates = [RefreshSchedule.Rate(from: 0, hertz: hertz)]
    configuration.policies = policies
    return configuration
  }

  /// Returns the script of the live list: that of the file, or ten minutes of reading.
  func liveScript() throws(ImportError) -> ScrollScript {
    try scriptOfFile() ?? .reading(for: 600_000_000_000, seed: seed)
  }

  /// Records to `path`, and returns the engine's own counters and the script.
  func record(to path: String) throws -> (EngineCounters, ScrollScript) {
    let script = try scriptOfFile() ?? .reading(for: duration, seed: seed, after: 300_000_000)
    let clock: any EngineClock = isVirtual ? VirtualClock() : RealClock()
    var options: RecorderOptions = isVirtual ? .virtual(clock.recorderClock) : .real(clock)
    options.ringBytes = ringBytes
    options.replacesExistingFile = overwrites
    let recorder = try TraceRecorder(writingTo: path, options: options)
    let engine = ListEngine(configuration(), clock: clock, recorder: recorder)
    engine.run(script)
    try recorder.finish()
    return (engine.counters, script)
  }

  private func scriptOfFile() throws(ImportError) -> ScrollScript? {
    guard let path = scriptPath else { return nil }
    let text = try TextFile.read(path, as: "scroll script")
    do throws(ScriptError) {
      return try ScriptText.parse(text)
    } catch {
      let location = error.line.map { "line \($0): " } ?? ""
      throw ImportError("\(location)\(error.reason)", advice: error.advice).inFile(path)
    }
  }
}

/// The engine's own counters, for comparison with the analysis of its recording.
struct DemoSummary {
  let counters: EngineCounters
  /// The recording, or `nil` if there is none.
  let path: String?

  /// The counters, one per line, then the next command.
  var text: String {
    let rows = [
      ("frames", "\(counters.frames), \(counters.deadlineMisses) deadlines missed"),
      ("hitches", "\(counters.hitches), hitch time \(milliseconds(counters.hitchTime))"),
      (
        "cells",
        "\(counters.cellsPrepared) prepared: \(counters.cellsReused) reused,"
          + " \(counters.cellsCreated) created"
      ),
      (
        "ahead",
        "\(counters.cellsPreparedAhead) cells: \(counters.cellsShownAhead) displayed,"
          + " \(counters.cellsWasted) discarded"
      ),
      (
        "loads",
        "\(counters.loadsRequested) requested, \(counters.loadsFinished) finished,"
          + " \(counters.loadsCancelled) cancelled"
      ),
      (
        "images",
        "\(counters.decodesOnMain) decoded on the main thread,"
          + " \(counters.decodesInBackground) in the background"
      ),
      ("main", "busy \(milliseconds(counters.mainBusy))"),
      ("background", "busy \(milliseconds(counters.backgroundBusy))"),
    ]
    let lines = rows.map { name, fact in "  " + ColumnWidth.padded(name, to: 12) + fact }
    let account = "Counted by the reference list:\n" + lines.joined(separator: "\n") + "\n"
    guard let path else { return account }
    return account
      + "\nNext: \(ScrollTraceCommand.name) analyze \(ShellWord.quoted(path, for: .terminal))\n"
  }

  private func milliseconds(_ time: Int64) -> String {
    Quantity.decimal(time, per: 1_000_000, decimals: 1) + " ms"
  }
}

/// A comparison of three policies on one scroll script.
struct PanelExperiment {
  /// The environment that the graphs are drawn for.
  let environment: CommandEnvironment

  /// Plays, records and analyzes the script under each policy.
  func text() throws -> String {
    let style = TextStyle(
      width: min(environment.width, 120), tier: environment.tier, palette: environment.palette)
    var text = """
      One scroll script under three policies: main-thread work per frame.
      Columns above the dashed line are late.

      """
    for (number, run) in SciencePanel.runs.enumerated() {
      let trace = try TraceFile.read(MemoryByteSource(run.sample.play().bytes))
      let analysis = TraceAnalyzer().analyze(trace)
      text += "\n\(number + 1). \(run.title)\n"
      text += TextRenderer(style).renderGraph(of: analysis)
      text += figures(of: analysis)
    }
    return text + "\nNext: \(ScrollTraceCommand.name) demo --virtual-time --record run.fxt\n"
  }

  private func figures(of analysis: Analysis) -> String {
    guard let surface = analysis.surfaces.first, let work = surface.interactions.first?.work
    else { return "" }
    let ratio =
      surface.ratio.map { Quantity.ratio($0, in: analysis.options.thresholds) } ?? "no data"
    func text(_ busy: TimeSpan?) -> String { busy.map { Quantity.length($0) } ?? "no data" }
    let hitches = Quantity.count(surface.counts.hitches ?? 0, "hitch", "hitches")
    return "   \(hitches), \(ratio); main \(text(work.mainBusy));"
      + " background \(text(work.backgroundBusy))\n"
  }
}
