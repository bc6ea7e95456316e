import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing

/// A small recording, cut and with bits flipped, from its bytes to its report.
///
/// It takes every 160th place, another one for each bit. Where the environment variable
/// `SCROLLTRACE_THOROUGH` is set, as the script for CI does, it cuts at every third byte and flips bits
/// in every 19th one, another one for each bit.
@Suite struct HostileTraceTests {
  /// A recording of a drag with one late frame, a cell and a state, in memory.
  static func recording() throws -> [UInt8] {
    var options = RecorderOptions()
    options.clock = .manual(start: 1_000)
    options.session = SessionIdentifier(high: 1, low: 2)
    options.processID = 7
    options.processName = "Feed"
    options.creatingThread = ThreadIdentity(id: 7, name: "main")
    let recorder = try TraceRecorder(to: .memory, options: options)
    recorder.setState("screen", to: "Feed")
    let drag = recorder.beginInteraction(.drag)
    for number in 0..<2 {
      let begin = 1_000 + Int64(number) * 16_666_667
      recorder.setTime(begin)
      let tick = FrameTiming(
        start: begin, deadline: begin + 16_666_667, target: begin + 33_333_334,
        refreshInterval: 16_666_667)
      let frame = recorder.beginFrame(tick)
      let phase = frame.beginPhase("layout")
      recorder.withCellStep(.configure, CellDetails(item: 3, isReused: true)) {
        recorder.setTime(begin + (number == 0 ? 20_000_000 : 5_000_000))
      }
      recorder.endSpan(phase)
      frame.end()
      frame.markPresented(at: begin + 50_000_000)
    }
    recorder.endInteraction(drag)
    try recorder.finish()
    return try #require(recorder.recordedBytes)
  }

  /// The report, in all its forms, or the one line that says why there is none.
  static func outcome(of bytes: [UInt8]) -> String {
    do {
      let trace = try TraceFile.read(MemoryByteSource(bytes))
      var options = AnalysisOptions()
      options.selection.from = .milliseconds(10)
      options.selection.states = [.init(key: "screen", value: "Feed")]
      let report = Report([
        TraceAnalyzer().analyze(trace), TraceAnalyzer(options).analyze(trace),
      ])
      let frames = trace.surfaces.first?.frames
      let last = frames.flatMap { $0.count > 0 ? $0[$0.count - 1].id : nil } ?? 0
      return JSONRenderer().render(report) + TextRenderer().render(report)
        + TextRenderer(TextStyle(isFull: true)).render(report)
        + TextRenderer().render(Report(report.runs, frame: last))
    } catch {
      return error.description
    }
  }

  /// The places to try, of all that mean something.
  static func places(in bytes: [UInt8], shift: Int, thoroughStep: Int) -> [Int] {
    let step = ExtraCases.isThorough ? thoroughStep : 160
    return meaningful(bytes).filter { ($0 + shift) % step == 0 }
  }

  /// The bytes of all words that are not zero: the rest is padding.
  static func meaningful(_ bytes: [UInt8]) -> [Int] {
    var found: [Int] = []
    for start in stride(from: 0, to: bytes.count, by: 8) {
      let word = start..<min(start + 8, bytes.count)
      if bytes[word].contains(where: { $0 != 0 }) { found += word }
    }
    return found
  }

  @Test func `the intact recording is read without loss`() throws {
    let trace = try TraceFile.read(MemoryByteSource(try Self.recording()))
    #expect(trace.losses.isEmpty)
    let surface = try #require(TraceAnalyzer().analyze(trace).surfaces.first)
    #expect(surface.counts.deadlineMisses == 1)
    #expect(surface.counts.hitches == 1)
  }

  @Test func `every prefix produces a report or one line`() throws {
    let bytes = try Self.recording()
    for length in [0] + Self.places(in: bytes, shift: 0, thoroughStep: 3) {
      let outcome = Self.outcome(of: Array(bytes[..<length]))
      #expect(outcome.hasPrefix("{") || !outcome.contains("\n"))
      #expect(!outcome.isEmpty)
    }
  }

  @Test func `a flipped bit produces a report or one line`() async {
    await forEachCase(of: ExtraCases.some(3, of: 0..<8), oneCase)
    @Sendable func oneCase(bit: Int) throws {
      var bytes = try Self.recording()
      for position in Self.places(in: bytes, shift: bit, thoroughStep: 19) {
        bytes[position] ^= 1 << UInt8(bit)
        let outcome = Self.outcome(of: bytes)
        #expect(outcome.hasPrefix("{") || !outcome.contains("\n"))
        bytes[position] ^= 1 << UInt8(bit)
      }
    }
  }
}
