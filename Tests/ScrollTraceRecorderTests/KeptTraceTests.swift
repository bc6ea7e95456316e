import ScrollTraceImport
import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceRecorder

/// The choice of the traces to keep, at the end of a recording.
struct KeptTraceTests {
  private static func options(oneIn count: Int = 100, draw: UInt64 = .max) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.traceSampling = TraceSampling(keepingOneIn: count, alwaysAboveHitchRatio: 10)
    options.draw = draw
    return options
  }

  /// A drag of a second at 100 Hz whose frame 50 ends `late` nanoseconds after its deadline.
  private static func scroll(_ recorder: TraceRecorder, late: Int64 = 0) {
    let refresh: Int64 = 10_000_000
    recorder.setTime(1_000_000_000)
    let drag = recorder.beginInteraction(.drag)
    var start: Int64 = 1_000_000_000
    for number in 0..<100 {
      recorder.setTime(start)
      let frame = recorder.beginFrame(
        FrameTiming(start: start, deadline: start + refresh, refreshInterval: refresh))
      let end = start + 4_000_000 + (number == 50 ? 6_000_000 + late : 0)
      recorder.setTime(end)
      frame.end()
      start += refresh * max(1, (end - start + refresh - 1) / refresh)
    }
    recorder.setTime(start)
    recorder.endInteraction(drag)
  }

  private static func weight(_ bytes: [UInt8]) throws -> UInt64? {
    try Trace.read(bytes).source.weight
  }

  @Test func `a trace below the limit is deleted unless the draw is for it`() throws {
    for isDrawn in [false, true] {
      let path = TemporaryPath()
      // The smallest number that is not drawn is one more than 2⁶⁴ / 100.
      let options = Self.options(draw: isDrawn ? .max / 100 : .max / 100 + 1)
      let recorder = try TraceRecorder(writingTo: path.path, options: options)
      Self.scroll(recorder)
      #expect(recorder.isKept)
      try recorder.finish()
      #expect(recorder.isKept == isDrawn)
      #expect((path.size > 0) == isDrawn)
      if isDrawn { #expect(try Self.weight(path.read()) == 100) }
      try recorder.finish()
      #expect(recorder.isKept == isDrawn)
    }
  }

  @Test func `a trace over the limit is kept and stands for itself`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options())
    // One refresh of a hundred: 10 ms in about a second.
    Self.scroll(recorder, late: 10_000_001)
    try recorder.finish()
    #expect(try Self.weight(path.read()) == 1)
  }

  @Test func `a file written with ordinary writes is deleted too`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(to: .file(path: path.path), options: Self.options())
    for _ in 0..<20 { Self.scroll(recorder) }
    try recorder.finish()
    #expect(path.size == -1)
    #expect(recorder.losses.total == 0)
  }

  @Test func `a recording in memory that is not kept has no bytes`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(to: .memory, options: Self.options())
    Self.scroll(recorder)
    #expect(recorder.recordedBytes != nil)
    try recorder.finish()
    #expect(recorder.recordedBytes == nil)
    #expect(throws: RecorderError.self) { try recorder.dump(to: path.path) }
    #expect(path.size == -1)
  }

  @Test func `a file that was moved or replaced is never deleted`() throws {
    let (path, moved) = (TemporaryPath(), TemporaryPath())
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options())
    Self.scroll(recorder)
    #expect(rename(path.path, moved.path) == 0)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path.path))
    try recorder.finish()
    #expect(recorder.isKept)
    #expect(try path.read() == Array("mine".utf8))
    #expect(try Self.weight(moved.read()) == 1)
  }

  @Test func `a trace whose process ended before the recording stands for itself`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options(draw: 0))
    Self.scroll(recorder)
    var killed = try path.read()
    #expect(try Trace.read(killed).source.wasClosed == false)
    #expect(try Self.weight(killed) == nil)
    try recorder.finish()
    // Killed between writing the weight and marking the end.
    killed = try path.read()
    killed[RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.state] = 0
    #expect(try Self.weight(killed) == nil)
  }

  @Test func `a damaged weight is a loss and does not count`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options(draw: 0))
    Self.scroll(recorder)
    try recorder.finish()
    let whole = try path.read()
    let start = RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.weight
    for bit in stride(from: 0, to: 128, by: 7) {
      var bytes = whole
      bytes[start + bit / 8] ^= 1 << UInt8(bit % 8)
      let trace = try Trace.read(bytes)
      #expect(trace.source.weight == nil)
      #expect(trace.losses.map(\.reason) == [.invalidValue])
    }
  }

  @Test func `a recording that samples no stacks has no cost of sampling`() throws {
    var options = Self.options(draw: 0)
    options.clock = .uptime
    let bytes = try RoundTripTests.record(options: options) { $0.withSpan("work") {} }
    let source = try Trace.read(bytes).source
    #expect(source.weight == 100)
    #expect(source.recorderCost?.sampling == nil)
  }

  @Test func `a recorder that keeps all traces writes no weight`() throws {
    let samplings: [TraceSampling?] = [
      nil, TraceSampling(keepingOneIn: 1, alwaysAboveHitchRatio: 0),
      TraceSampling(keepingOneIn: -5, alwaysAboveHitchRatio: 0),
    ]
    for sampling in samplings {
      var options = Self.options()
      options.traceSampling = sampling
      let bytes = try RoundTripTests.record(options: options) { Self.scroll($0) }
      #expect(try StrictWalker(bytes).session.count == RecordingLayout.Session.extendedSize / 8)
      #expect(try Self.weight(bytes) == nil)
    }
  }

  @Test func `chance is fair, and limits are exact`() {
    let sampling = TraceSampling(keepingOneIn: 7, alwaysAboveHitchRatio: 10)
    var generator = SeededGenerator(seed: 3)
    var count = 0
    for _ in 0..<70_000 {
      let weight = sampling.weight(ofTraceWith: 10, draw: generator.next())
      #expect(weight == nil || weight == 7)
      count += weight == nil ? 0 : 1
    }
    // 10 000 with a standard deviation of 93.
    #expect(abs(count - 10_000) < 300)
    #expect(sampling.weight(ofTraceWith: 10.000_001, draw: .max) == 1)
    #expect(sampling.weight(ofTraceWith: .nan, draw: .max) == 1)
    let rarest = TraceSampling(keepingOneIn: .max, alwaysAboveHitchRatio: .infinity)
    #expect(rarest.weight(ofTraceWith: 1e9, draw: 0) == 1_000_000_000)
  }
}
