import Foundation
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

extension StrictWalker {
  /// Walks what `body` records into memory.
  init(
    options: RecorderOptions = RecorderOptions(), recording body: (TraceRecorder) throws -> Void
  ) throws {
    try self.init(RoundTripTests.record(options: options, body))
  }
}

extension RecorderOptions {
  /// The usual options with a change.
  static func with(_ change: (inout RecorderOptions) -> Void) -> RecorderOptions {
    var options = RecorderOptions()
    change(&options)
    return options
  }
}

/// What is recorded stands in the file, whatever the sink.
struct RoundTripTests {
  enum SinkKind: CaseIterable { case mapped, file, memory }

  /// Records with `body` and gives the bytes.
  static func record(
    _ kind: SinkKind = .memory, options: RecorderOptions = RecorderOptions(),
    _ body: (TraceRecorder) throws -> Void
  ) throws -> [UInt8] {
    let path = TemporaryPath()
    let sink: RecordingDestination =
      switch kind {
      case .mapped: .mappedFile(path: path.path)
      case .file: .file(path: path.path)
      case .memory: .memory
      }
    let recorder = try TraceRecorder(to: sink, options: options)
    try body(recorder)
    try recorder.finish()
    return try recorder.recordedBytes ?? path.read()
  }

  @Test func `a frame is three records and its phases nest in its commit (F-4)`() async {
    await forEachCase(of: SinkKind.allCases, oneCase)
    @Sendable func oneCase(kind: SinkKind) throws {
      let options = RecorderOptions.with { $0.recordsThreadTimes = false }
      let bytes = try Self.record(kind, options: options) { recorder in
        let frame = recorder.beginFrame(
          FrameTiming(start: 1, deadline: 2, target: 3, refreshInterval: 4))
        frame.phases { $0.layout { recorder.withSpan("inner", item: 7) {} } }
        frame.phases { $0.commit {} }
        frame.end(outcome: .dropped)
        frame.markPresented(at: 99)
      }
      let walker = try StrictWalker(bytes)
      let frames = walker.events.filter { $0.category == "scrolltrace.frame" }
      #expect(frames.map(\.type) == [0, 4, 0])
      #expect(frames.allSatisfy { $0.name == "display" })
      #expect(
        frames[0].arguments == [
          "frame": .unsigned(1), "begin": .signed(1), "deadline": .signed(2), "target": .signed(3),
          "interval": .signed(4),
        ])
      #expect(frames[1].arguments == ["frame": .unsigned(1), "outcome": .text("dropped")])
      #expect(frames[2].arguments == ["frame": .unsigned(1), "presented": .signed(99)])
      let phases = walker.events.filter { $0.category == "scrolltrace.phase" }
      #expect(phases.map(\.name) == ["layout", "commit"])
      for phase in phases {
        #expect(phase.time > frames[1].time)
        #expect(try #require(phase.tail) <= (try #require(frames[1].tail)))
      }
      let inner = try #require(walker.events.first { $0.name == "inner" })
      #expect(inner.category == "scrolltrace.work")
      #expect(inner.arguments == ["item": .unsigned(7)])
      #expect(walker.openSpans.isEmpty)
    }
  }

  @Test func `many spans fill many chunks, and all of them are present`() async {
    await forEachCase(of: SinkKind.allCases, oneCase)
    @Sendable func oneCase(kind: SinkKind) throws {
      let count = 20_000
      let bytes = try Self.record(kind) { recorder in
        for index in 0..<count { recorder.withSpan("step", .data, item: ItemID(index)) {} }
      }
      let walker = try StrictWalker(bytes)
      #expect(
        walker.events.map { $0.arguments["item"] } == (0..<count).map { .unsigned(UInt64($0)) })
      #expect(walker.chunks.count > 20)
      #expect(walker.chunks.filter { $0.flags & 2 == 0 }.allSatisfy { $0.sealedRecords != nil })
      #expect(bytes.count == 4096 + walker.chunks.count * 32_760)
    }
  }
}
