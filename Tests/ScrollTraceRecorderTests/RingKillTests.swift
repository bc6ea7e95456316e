import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What a flight recorder leaves that is killed at any instant (W8).
struct RingKillTests {
  private typealias Session = RecordingLayout.Session

  /// What every thread must have left: its counts without a gap, up to the last, and all that ended
  /// since the instant the file names.
  private func checkSequences(_ walker: StrictWalker, since: UInt64) {
    var next: [UInt64: UInt64] = [:]
    var firstEnds: [UInt64: UInt64] = [:]
    var begunLate: Set<UInt64> = []
    var wrong = 0
    for event in walker.events.sorted(by: { $0.chunk < $1.chunk }) where event.category != "" {
      let isOfRing = event.type == 4 || event.name == "turn" && event.type == 0
      guard isOfRing, event.category != "scrolltrace.state" else { continue }
      let end = event.tail ?? event.time
      firstEnds[event.thread] = min(firstEnds[event.thread] ?? end, end)
      guard event.name == "inner" else { continue }
      guard case .unsigned(let item)? = event.arguments["item"] else { return #expect(Bool(false)) }
      if let expected = next[event.thread] {
        if item != expected { wrong += 1 }
      } else if item > 0 {
        begunLate.insert(event.thread)
      }
      next[event.thread] = item + 1
    }
    #expect(wrong == 0)
    for thread in begunLate { #expect((firstEnds[thread] ?? .max) < since) }
  }

  /// What the project's own reader makes of the file: the same events from the begin on, and no loss.
  private func checkReader(_ bytes: [UInt8], _ walker: StrictWalker, since: UInt64) throws {
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.source.wasClosed == false)
    #expect(
      trace.spanCount
        == walker.events.count { $0.type == 4 && $0.tail ?? 0 >= since })
    #expect(
      trace.marks.count
        == walker.events.count {
          $0.type == 0 && $0.category != "scrolltrace.state" && $0.time >= since
        })
    for span in walker.openSpans { #expect(["outer", "inner"].contains(span.name)) }
    #expect(trace.openSpans.count <= walker.openSpans.count)
  }

  /// How many chunks the file says were overwritten.
  private func overwritten(_ path: TemporaryPath) -> UInt64 {
    let file = open(path.path, O_RDONLY)
    defer { close(file) }
    var word: UInt64 = 0
    let place = RecordingLayout.sessionPayloadOffset + Session.chunksOverwritten
    return file >= 0 && pread(file, &word, 8, off_t(place)) == 8 ? word : 0
  }

  /// Kills a process that records on `threads` threads into a ring, and checks what it leaves; gives
  /// how many chunks were overwritten, which is at least `least`.
  private func killAndCheck(threads: Int, least: UInt64) throws -> UInt64 {
    let path = TemporaryPath()
    let process = try HammerProcess("\(path.path) --threads \(threads) --ring 200000")
    // The ring is made ready at the start, so its size tells nothing of what is in it.
    let target = UInt64.random(in: least...60)
    while overwritten(path) < target {}
    usleep(.random(in: 0...200))
    #expect(process.kill())
    // Killed before the first page was written.
    guard path.size > 0 else { return 0 }
    let bytes = try path.read()
    let walker = try StrictWalker(bytes, mayEndInPad: true)
    let since = walker.session[Session.keptSince / 8]
    #expect(walker.session[Session.state / 8] == 0)
    #expect(walker.session[Session.notDurable / 8] == 0)
    checkSequences(walker, since: since)
    try checkReader(bytes, walker, since: since)
    return walker.session[Session.chunksOverwritten / 8]
  }

  @Test(.needsTime) func `a flight recorder killed at any time leaves its whole last part`() async {
    await forEachCase(of: [1, 2, 4], oneCase)
    @Sendable func oneCase(threads: Int) throws {
      // `SCROLLTRACE_KILLS` asks for more.
      let asked = ProcessInfo.processInfo.environment["SCROLLTRACE_KILLS"].flatMap(Int.init)
      let kills = max(ExtraCases.isThorough ? 7 : 2, (asked ?? 0) / 3)
      var overwritten: UInt64 = 0
      for kill in 0..<kills {
        overwritten += try killAndCheck(threads: threads, least: kill == 0 ? 0 : 20)
      }
      // Most are killed when the ring has long gone round.
      #expect(overwritten > UInt64(kills) * 5)
      RanTests.note("ring-kill")
    }
  }
}
