import ScrollTraceLayout
import Foundation
import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Traces that no host would make.
struct HostileTraceTests {
  private static let names = [
    "", "\"", "\\", "a\nb\r\u{0}\u{1B}[31m", "=1+1,;\t\"", "\u{2028}\u{7F}é😀", "arg:x",
    String(repeating: "x", count: 4096), "scrolltrace.frame", "main",
  ]

  /// A trace of everything there is, at times from end to end, with hostile names.
  private static func trace(seed: UInt64) -> Trace {
    var random = SeededGenerator(seed: seed)
    var builder = TraceBuilder(format: "hostile")
    let times: [Int64] = [0, 1, 999, 1_000_000, Int64.max - 1, Int64.max]
    func time() -> Timestamp { Timestamp(clamping: times.randomElement(using: &random) ?? 0) }
    func name() -> String { names.randomElement(using: &random) ?? "" }
    func value() -> ArgumentValue {
      [
        .integer(.min), .unsigned(.max), .double(.nan), .double(-.infinity), .double(5),
        .bool(true),
        .null, .string(builder.string(name())),
      ].randomElement(using: &random) ?? .null
    }
    func list() -> ArgumentListID {
      let count = [0, 1, 15, 40].randomElement(using: &random) ?? 0
      return builder.argumentList(
        (0..<count).map { _ in Argument(key: builder.string(name()), value: value()) })
    }
    let tracks = [0, 1, 1 << 33, UInt64.max].flatMap { process in
      [0, 7, UInt64.max].map { builder.track($0, of: builder.process(process)) }
    }
    for track in tracks { builder.setName(name(), of: track) }
    func track() -> TrackID { tracks.randomElement(using: &random) ?? tracks[0] }
    for _ in 0..<60 {
      let (one, other) = (time(), time())
      let (begin, end) = (min(one, other), max(one, other))
      builder.addSpan(
        on: track(), from: begin, to: end, label: builder.label(category: name(), name: name()),
        arguments: list())
      builder.addAsyncSpan(
        on: track(), from: begin, to: end, label: builder.label(category: name(), name: name()),
        arguments: list())
      builder.addOpenSpan(
        on: track(), since: begin, label: builder.label(category: name(), name: name()),
        item: value())
      builder.addMark(
        on: track(), at: end, label: builder.label(category: name(), name: name()),
        arguments: list())
      builder.addSample(
        [0.5, .nan, .infinity, -1e308].randomElement(using: &random) ?? 0,
        of: builder.label(category: name(), name: name()), series: builder.string(name()),
        id: .max, at: end)
      builder.addFlow(
        .step, id: .max, on: track(), at: end,
        label: builder.label(category: name(), name: name()))
      let surface = builder.surface(name())
      var frame = Frame(id: [0, 1, .max].randomElement(using: &random) ?? 0)
      frame.start = begin
      frame.presented = end
      frame.deadline = time()
      frame.target = time()
      frame.commitEnd = time()
      frame.refreshInterval = TimeSpan(nanoseconds: end.nanoseconds)
      frame.track = track()
      frame.sourceLabel = builder.string(name())
      builder.updateFrame(frame, of: surface)
      builder.addInteraction(
        Interaction(
          kind: name(), name: name(), start: begin, end: Bool.random(using: &random) ? end : nil,
          surface: surface))
      builder.addState(StateChange(time: begin, key: name(), value: name()))
      builder.addNotice(.source(name()))
      builder.countLoss(.damagedBytes, count: .max)
    }
    return builder.finish()
  }

  @Test func `hostile traces are written and read back`() async {
    await forEachCase(of: ExtraCases.some(2, of: UInt64(1)...6), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      let trace = Self.trace(seed: seed)
      for type in TraceFormat.all {
        let (bytes, leftOut) = trace.exported(as: type)
        let (again, _) = trace.exported(as: type)
        let isSame = bytes == again
        #expect(isSame, "\(type.name)")
        #expect(leftOut[.span] == 0 || type.name == "ndjson")
        if type.name == "chrome-json" {
          #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
        }
        guard TraceImporters.all.contains(where: { $0.name == type.name }) else { continue }
        let copy = try TraceFile.read(bytes)
        if type.name == "ndjson" {
          #expect(!copy.losses.contains { $0.reason == .malformedRecord }, "\(copy.notices)")
        }
        guard type.name == "ndjson" else { continue }
        #expect(copy.interactions.map(\.name) == trace.interactions.map(\.name))
        #expect(copy.range == trace.range)
      }
    }
  }

  @Test func `an empty trace can be written in every format`() throws {
    let trace = TraceBuilder(format: "empty").finish()
    for type in TraceFormat.all {
      let (bytes, leftOut) = trace.exported(as: type)
      #expect(leftOut.isEmpty, "\(type.name) \(leftOut.text)")
      #expect(type.name == "perfetto" || !bytes.isEmpty)
    }
  }

  @Test func `spans are passed on in segments of one size, and an error stops them`() throws {
    var builder = TraceBuilder(format: "long")
    let track = builder.track(1, of: builder.process(1))
    let label = builder.label(category: "app", name: "work")
    for index in 0..<Int64(20_000) {
      builder.addSpan(
        on: track, from: Timestamp(clamping: index * 10), to: Timestamp(clamping: index * 10 + 5),
        label: label)
    }
    let trace = builder.finish()
    for type in TraceFormat.all {
      var sizes: [Int] = []
      var output = ExportOutput {
        sizes.append($0.count)
        return sizes.count == 3 ? ENOSPC : 0
      }
      _ = type.write(trace, to: &output)
      #expect(output.finish() == ENOSPC)
      // Whole pages of a file.
      #expect(sizes == Array(repeating: 1 << 17, count: 3), "\(type.name)")
    }
  }
}
