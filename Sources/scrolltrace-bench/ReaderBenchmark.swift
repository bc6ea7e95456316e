internal import ScrollTraceKit
internal import ScrollTraceRecorder
internal import ScrollTracePlatform

/// Reading a file from its first byte to the finished text report, compared with reading its bytes
/// alone.
struct ReaderBenchmark: Benchmark {
  enum Source {
    case recording, frames, flatRecording, chromeJSON, perfetto, xctrace, ndjson, csv

    func write(to path: String) throws {
      switch self {
      case .recording: try ReaderBenchmark.record(to: path, frames: 45_000)
      case .frames:
        try ReaderBenchmark.record(
          to: path, frames: FrameReadingBenchmark.frames, spansPerThread: 0)
      case .flatRecording: try ReaderBenchmark.recordFlat(to: path, spans: 10_000_000)
      case .ndjson: try LinesText.writeNDJSON(to: path, frames: 50_000)
      case .csv: try LinesText.writeCSV(to: path, frames: 75_000)
      case .perfetto: try PerfettoBytes.write(to: path, events: 1_000_000)
      case .xctrace: try XctraceText.write(to: path, rows: 300_000)
      case .chromeJSON: try ChromeJSONText.write(to: path, events: 360_000)
      }
    }
  }

  static let peer = "reading and adding up its words"

  let name: String
  let source: Source

  func run() throws -> BenchResult {
    let path = ScratchFile.path("trace")
    defer { unlink(path) }
    try source.write(to: path)
    return try Rounds.medians(name, unit: "MB/s", reference: Self.peer) {
      let (size, plain) = try Self.readBytes(of: path)
      let time = try Rounds.time { try Self.report(on: path) }
      return (Double(size) / time * 1e3, time / plain)
    }
  }

  /// Reads a file from its first byte to the text report.
  static func report(on path: String, _ options: AnalysisOptions = AnalysisOptions()) throws {
    let trace = try TraceFile.open(path)
    let report = Report([TraceAnalyzer(options).analyze(trace)])
    if TextRenderer().render(report).isEmpty { Console.warn("no report") }
  }

  /// Records consecutive spans of one thread.
  fileprivate static func recordFlat(to path: String, spans: Int64) throws {
    let recorder = try TraceRecorder(writingTo: path, options: Self.options)
    let thread = recorder.makeSimulatedThread(id: 2, name: "worker")
    for number in 0..<spans {
      thread.recordSpan(
        "step", .work, from: .nanoseconds(number * 100), to: .nanoseconds(number * 100 + 60))
    }
    try recorder.finish()
  }

  private static var options: RecorderOptions {
    var options = RecorderOptions()
    options.clock = .manual(start: .zero)
    options.replacesExistingFile = true
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    return options
  }

  /// Records frames with work in them as the default options do, with the counts of their thread, and spans
  /// on two more threads.
  ///
  /// - Parameter spansPerThread: The number of spans of each thread during a frame.
  static func record(to path: String, frames: Int64, spansPerThread: Int64 = 30) throws {
    var options = Self.options
    options.readsThreadTimesInVirtualTime = true
    let recorder = try TraceRecorder(writingTo: path, options: options)
    let workers = [
      recorder.makeSimulatedThread(id: 2, name: "loader 1"),
      recorder.makeSimulatedThread(id: 3, name: "loader 2"),
    ]
    let interaction = recorder.beginInteraction(.drag)
    for number in 0..<frames {
      let refresh = RecorderTime.nanoseconds(16_666_667)
      let begin = RecorderTime.nanoseconds(number * 16_666_667)
      recorder.setTime(begin)
      // A host waits for the display, which the counts of its thread must say.
      usleep(1)
      let frame = recorder.beginFrame(
        FrameTiming(
          start: begin, deadline: begin + refresh, target: begin + refresh + refresh,
          refreshInterval: refresh))
      for step in 0..<spansPerThread {
        let time = begin + .nanoseconds(step * 100_000)
        recorder.setTime(time)
        recorder.withSpan("configure", .cell) { recorder.setTime(time + .nanoseconds(70_000)) }
      }
      // No two commits after each other are of the same length.
      recorder.setTime(begin + .nanoseconds(4_000_000 + number % 1021 * 1500))
      frame.end()
      frame.markPresented(at: begin + refresh + refresh)
      for worker in workers {
        for step in 0..<spansPerThread {
          let time = begin + .nanoseconds(step * 200_000)
          worker.recordSpan("load", .data, from: time, to: time + .nanoseconds(150_000))
        }
      }
    }
    recorder.endInteraction(interaction)
    try recorder.finish()
  }

  /// Reads the file in blocks and adds up its words; returns its size and the nanoseconds it took.
  static func readBytes(of path: String) throws -> (size: UInt64, time: Double) {
    let file = try FileByteSource(path: path)
    var size: UInt64 = 0
    var sum: UInt64 = 0
    let time = try Rounds.time {
      try withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 64) { block in
        while case let count = try file.read(into: block), count > 0 {
          size += UInt64(count)
          for word in block[..<(count & ~7)].assumingWords { sum &+= word }
        }
      }
    }
    if sum == 0 { Console.warn("the file is empty") }
    return (size, time)
  }
}

extension Slice<UnsafeMutableRawBufferPointer> {
  fileprivate var assumingWords: UnsafeMutableBufferPointer<UInt64> {
    UnsafeMutableRawBufferPointer(rebasing: self).bindMemory(to: UInt64.self)
  }
}
