import Foundation
import ScrollTraceFormat
import ScrollTraceModel
import ScrollTraceRecorder
import Testing

/// What a process leaves that is killed at any instant, or whose disk is full.
struct KillTests {
  /// What every thread must have left: its counts from 0 without a gap.
  private func checkSequences(_ walker: StrictWalker) -> Int {
    var next: [UInt64: UInt64] = [:]
    var wrong = 0
    for event in walker.events where event.name == "inner" {
      let expected = next[event.thread, default: 0]
      if event.arguments != ["item": .unsigned(expected)] { wrong += 1 }
      next[event.thread] = expected + 1
    }
    #expect(wrong == 0)
    return next.count
  }

  /// What the project's own reader makes of the file: the same events, and no loss.
  private func checkReader(_ bytes: [UInt8], _ walker: StrictWalker) throws {
    var builder = TraceBuilder(format: "fxt")
    try FXTReader.read(MemoryByteSource(bytes), into: &builder)
    let trace = builder.finish()
    #expect(trace.losses.isEmpty)
    #expect(trace.source.wasClosed == false)
    let spans = trace.tracks.reduce(0) { $0 + $1.spans.count }
    #expect(spans == walker.events.count { $0.name != "turn" })
    #expect(trace.marks.count == walker.events.count { $0.name == "turn" })
    #expect(trace.openSpans.count <= walker.openSpans.count)
  }

  @Test func `a writer killed at any instant leaves every committed event, 50 times`() throws {
    var events = 0
    var threads = 0
    for round in 0..<50 {
      let path = TemporaryPath()
      let process = try HammerProcess("\(path.path) --threads 4")
      while access(path.path, F_OK) != 0 { usleep(200) }
      // While the threads start, and when all are at work; on a busy machine that takes its time.
      usleep(.random(in: round % 2 == 0 ? 0...20_000 : 20_000...120_000))
      #expect(process.kill())
      let bytes = try path.read()
      // Killed before the first page was written: there is nothing to lose yet.
      if bytes.isEmpty { continue }
      let walker = try StrictWalker(bytes, mayEndInPad: true)
      threads += checkSequences(walker)
      events += walker.events.count
      try checkReader(bytes, walker)
      #expect(walker.session[20] == 0)
      for span in walker.openSpans { #expect(span.name == "outer" || span.name == "inner") }
    }
    #expect(events > 20_000)
    #expect(threads > 50)
  }

  @Test func `a full disk is counted and does not kill the host (W4)`() throws {
    let path = TemporaryPath()
    // In blocks of 512 or 1024 bytes: room for some chunks only.
    let process = try HammerProcess(
      "\(path.path) --threads 2 --turns 3000", after: "trap '' XFSZ; ulimit -f 600")
    #expect(process.wait() == 0)
    let walker = try StrictWalker(path.read())
    #expect(checkSequences(walker) == 2)
    let drops = walker.session[16]
    #expect(UInt64(walker.events.count) + drops == 2 * 3000 * 10)
    #expect(drops > 10_000)
    #expect(walker.session[21] == 1000 + UInt64(EFBIG))
    #expect(walker.session[20] == 1)
  }
}
