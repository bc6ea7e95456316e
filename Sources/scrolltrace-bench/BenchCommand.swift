internal import ScrollTracePlatform

/// `scrolltrace-bench [NAME…] [--json]`, and its commands `record`, `clock`, `gate` and `trend`.
enum BenchCommand {
  /// All benchmarks, in the order of the table. To add one, add its line.
  static let all: [any Benchmark] = [
    // A child's memory is at least that of its parent, which is least before all others.
    MemoryBenchmark(name: "command.fxt.memory", command: ["analyze"]),
    MemoryBenchmark(name: "command.inspect.memory", command: ["inspect"]),
    MemoryBenchmark(
      name: "command.fxt.frames.memory", command: ["analyze"], frames: 450_000, spansPerThread: 0),
    SpanBenchmark(name: "recorder.span.warm", kind: .plain),
    SpanBenchmark(name: "recorder.span.ring", kind: .plain, ring: 1 << 20),
    SpanBenchmark(name: "recorder.span.argument", kind: .item),
    SpanBenchmark(name: "recorder.phase", kind: .phase),
    CInterfaceBenchmark(name: "c.span", kind: .whole),
    CInterfaceBenchmark(name: "c.span.difference", kind: .difference),
    CInterfaceBenchmark(name: "c.span.argument", kind: .whole, hasItems: true),
    GrowingBenchmark(name: "recorder.span.growing", kind: .thread),
    GrowingBenchmark(name: "recorder.growing.cpu", kind: .process),
    FrameBenchmark(name: "recorder.frame"),
    FrameBenchmark(name: "recorder.frame.waiting", waits: true),
    FrameBenchmark(name: "recorder.frame.threadtime", threadTime: true),
    FrameBenchmark(name: "recorder.frame.threadtime.waiting", threadTime: true, waits: true),
    OffBenchmark(),
    ColdBenchmark(),
    TwoThreadsBenchmark(),
    ReaderBenchmark(name: "reader.fxt", source: .recording),
    ReaderBenchmark(name: "reader.fxt.flat", source: .flatRecording),
    ReaderBenchmark(name: "reader.chrome-json", source: .chromeJSON),
    ReaderBenchmark(name: "reader.perfetto", source: .perfetto),
    ReaderBenchmark(name: "reader.xctrace", source: .xctrace),
    ReaderBenchmark(name: "reader.ndjson", source: .ndjson),
    ReaderBenchmark(name: "reader.csv", source: .csv), SummaryBenchmark(name: "reader.summary"),
    CommandBenchmark(name: "command.fxt", source: .recording, command: ["analyze"]),
    FrameReadingBenchmark(name: "command.fxt.frames"),
    CommandBenchmark(name: "command.fxt.flat", source: .flatRecording, command: ["analyze"]),
    CommandBenchmark(name: "command.chrome-json", source: .chromeJSON, command: ["analyze"]),
    CommandBenchmark(name: "command.perfetto", source: .perfetto, command: ["analyze"]),
    CommandBenchmark(name: "command.xctrace", source: .xctrace, command: ["analyze"]),
    CommandBenchmark(name: "command.ndjson", source: .ndjson, command: ["analyze"]),
    CommandBenchmark(name: "command.csv", source: .csv, command: ["analyze"]),
    CommandBenchmark(name: "command.inspect", source: .recording, command: ["inspect"]),
    CommandBenchmark(name: "command.predict", source: .recording, command: ["predict"]),
    CommandBenchmark(
      name: "command.convert", source: .recording, command: ["convert", "--format", "ndjson"],
      output: "-o"),
    CommandBenchmark(
      name: "command.convert.perfetto", source: .recording,
      command: ["convert", "--format", "perfetto"], output: "-o"),
    EngineBenchmark(name: "engine.ten-minutes", part: .recording),
    EngineBenchmark(name: "engine.ten-minutes.report", part: .reading),
    ExplainBenchmark(name: "report.explained"), StartBenchmark(),
  ]

  /// Runs the requested benchmarks and returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    if arguments.first == "trend" { return TrendCommand.run(Array(arguments.dropFirst())) }
    if arguments.first == "gate" { return GateCommand.run(Array(arguments.dropFirst())) }
    if arguments.first == "clock" { return ClockBenchmark.run(Array(arguments.dropFirst())) }
    if arguments.count == 3 || arguments.count == 4, arguments[0] == "record",
      let frames = Int64(arguments[2]),
      let spans = arguments.count == 4 ? Int64(arguments[3]) : 30, spans >= 0
    {
      return reporting {
        try ReaderBenchmark.record(to: arguments[1], frames: frames, spansPerThread: spans)
        return 0
      }
    }
    var names: [String] = []
    var asJSON = false
    for argument in arguments {
      if argument == "--json" {
        asJSON = true
      } else if argument.hasPrefix("-") || !all.contains(where: { $0.name == argument }) {
        return usage("unknown argument \(argument)")
      } else {
        names.append(argument)
      }
    }
    let chosen = all.filter { names.isEmpty || names.contains($0.name) }
    return reporting {
      let results = try chosen.map { try $0.run() }
      print(asJSON ? BenchResult.json(results) : BenchResult.table(results))
      return 0
    }
  }

  /// Returns the exit status of `body`, or 2 if it fails.
  static func reporting(_ body: () throws -> Int32) -> Int32 {
    do { return try body() } catch {
      Console.warn("scrolltrace-bench: \(error)")
      return 2
    }
  }

  /// Prints the usage and returns the exit status.
  static func usage(_ complaint: String) -> Int32 {
    Console.warn(
      """
      scrolltrace-bench: \(complaint)
      usage: scrolltrace-bench [NAME…] [--json]
             scrolltrace-bench record FILE FRAMES [SPANS-PER-THREAD]
             scrolltrace-bench clock [--seconds N]
             scrolltrace-bench gate [--trials N] [--seed N]
             scrolltrace-bench trend [--trials N] [--seed N] [--builds N] [--devices N]
      benchmarks: \(all.map(\.name).joined(separator: ", "))
      """)
    return 64
  }
}

enum Console {
  static func warn(_ line: String) {
    var bytes = Array((line + "\n").utf8)
    bytes.withUnsafeMutableBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
