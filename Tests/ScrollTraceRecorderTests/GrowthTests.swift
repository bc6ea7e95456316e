import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The file grows ahead of those that record (W4).
@Suite(.serialized) struct GrowthTests {
  @Test
  func `unused preallocated space is cut off, and little is preallocated at first`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    recorder.withSpan("step") {}
    // Eight chunks, and the next piece of sixteen where the recorder's thread was quick.
    #expect(path.size <= 4096 + (8 + 16) * 32_760)
    try recorder.finish()
    // One chunk with spans, one with stacks.
    #expect(path.size == 4096 + 2 * 32_760)
  }

  @Test func `a file read while it grows ends in padding`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    let rounds = ExtraCases.isThorough ? 60 : 15
    for round in 0..<rounds {
      for step in 0..<3_000 { recorder.withSpan("step", item: ItemID(round * 3_000 + step)) {} }
      guard (round + 1) % (rounds / 3) == 0 else { continue }
      let walker = try StrictWalker(path.read(), mayEndInPad: true)
      #expect(walker.events.count == (round + 1) * 3_000)
    }
    try recorder.finish()
  }

  @Test func `thousands of names of four threads and 300 files at once do no harm`() throws {
    let paths = (0..<300).map { _ in TemporaryPath() }
    let nameCount = ExtraCases.isThorough ? 40_000 : 4_000
    let recorders = try paths.map { try TraceRecorder(writingTo: $0.path) }
    TestThread.run(4) { index in
      let recorder = recorders[0]
      for number in 0..<(nameCount / 4) {
        recorder.withSpan(recorder.registerName("name \(number * 4 + index)")) {}
      }
      for recorder in recorders { recorder.mark("here") }
    }
    for recorder in recorders { try recorder.finish() }
    let walker = try StrictWalker(paths[0].read())
    let names = Set(walker.events.filter { $0.type == 4 }.map(\.name))
    #expect(names.count == nameCount)
    #expect(recorders.allSatisfy { $0.losses.total == 0 })
    for path in paths.dropFirst() {
      #expect(try StrictWalker(path.read()).events.map(\.name) == ["here", "here", "here", "here"])
    }
  }

  @Test func `a recording that was full says so, and about how much room it needs`() throws {
    let path = TemporaryPath()
    let options = RecorderOptions.with { $0.maximumBytes = 200_000 }
    let recorder = try TraceRecorder(writingTo: path.path, options: options)
    for index in 0..<100_000 { recorder.withSpan("step", item: ItemID(index)) {} }
    try recorder.finish()
    let trace = try Trace.read(path.read())
    #expect(trace.losses.map(\.reason) == [.recorderOutOfSpace])
    // 100 000 spans of 40 bytes.
    #expect(
      trace.notices.contains(
        .source(
          "the recorder ran out of space: the file reached its maximum size"
            + "; all events would take about 5 MB")))
  }

  #if os(Linux)
    @Test func `the recorder's own thread is gone when the recording ends`() throws {
      let path = TemporaryPath()
      // Other tests record at the same time: in a process of its own nothing disturbs.
      let report = try HammerProcess.report("\(path.path) --turns 2000 --report")
      #expect(report.contains("own threads 1, afterwards 0\n"))
      let walker = try StrictWalker(path.read())
      #expect(Set(walker.chunks.map(\.thread)).subtracting([0]).count == 1)
    }
  #endif
}
