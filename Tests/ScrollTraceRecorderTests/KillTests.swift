import ScrollTraceRecorder
import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What a process leaves that is killed at any instant.
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
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.source.wasClosed == false)
    #expect(trace.spanCount == walker.events.count { $0.type == 4 })
    #expect(trace.marks.count == walker.events.count { $0.type == 0 })
    #expect(trace.openSpans.count <= walker.openSpans.count)
  }

  /// Kills a process that records on `threads` threads once its file has `size` bytes, or if all chunks are
  /// made at the start, whenever, and checks what it leaves; gives how many events there are.
  private func killAndCheck(threads: Int, size: Int, isPrepared: Bool) throws -> Int {
    let path = TemporaryPath()
    let options = isPrepared ? "--prepared 64000000" : ""
    let process = try HammerProcess("\(path.path) --threads \(threads) \(options)")
    while path.size < (isPrepared ? 60_000_000 : size) {}
    if isPrepared { usleep(.random(in: 0...20_000)) }
    #expect(process.kill())
    let bytes = try path.read()
    // Killed before the first page was written: there is nothing to lose yet.
    if bytes.isEmpty { return 0 }
    let walker = try StrictWalker(bytes, mayEndInPad: true)
    let recording = checkSequences(walker)
    #expect(recording <= threads)
    try checkReader(bytes, walker)
    #expect(walker.session[20] == 0)
    for span in walker.openSpans { #expect(span.name == "outer" || span.name == "inner") }
    return walker.events.count
  }

  @Test(.needsTime) func `work that hung until the host was killed lasts about until then`() async {
    await forEachCase(of: ["", "--ring 200000"], oneCase)
    @Sendable func oneCase(options: String) throws {
      let path = TemporaryPath()
      let process = try HammerProcess("\(path.path) --turns 10 --hang \(options)")
      func read() throws -> Trace? {
        guard path.size > 0, let trace = try? Trace.read(path.read()) else { return nil }
        return trace.openSpans.contains { trace.name(of: $0.label) == "hang" } ? trace : nil
      }
      while try read() == nil { usleep(1000) }
      usleep(2_100_000)
      #expect(process.kill())
      let trace = try #require(try read())
      for span in trace.openSpans {
        let time = trace.range.end - span.since
        #expect(time > .milliseconds(1000) && time < .milliseconds(60_000))
        #expect(span.until == nil)
      }
      #expect(trace.losses.isEmpty)
    }
  }

  @Test(.needsTime) func `a writer killed at any instant leaves every committed event`() async {
    await forEachCase(of: [1, 2, 4], oneCase)
    @Sendable func oneCase(threads: Int) throws {
      // 15 in all, 51 if everything is to be tried; `SCROLLTRACE_KILLS` asks for more.
      let asked = ProcessInfo.processInfo.environment["SCROLLTRACE_KILLS"].flatMap(Int.init)
      let kills = max(ExtraCases.isThorough ? 17 : 5, (asked ?? 0) / 3)
      var events = 0
      for round in 0..<kills {
        // While it opens the file, and while the file grows.
        let size = round % 4 == 0 ? .random(in: 0...4096) : Int.random(in: 4096...2_000_000)
        events += try killAndCheck(threads: threads, size: size, isPrepared: false)
      }
      for _ in 0..<(asked.map { $0 / 3 } ?? 1) {
        events += try killAndCheck(threads: threads, size: 0, isPrepared: true)
      }
      #expect(events > kills * 100)
      RanTests.note("kill")
    }
  }
}
