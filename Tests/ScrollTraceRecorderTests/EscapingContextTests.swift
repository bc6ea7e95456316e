import CTestSupport
import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// What becomes of a recording whose file is in trouble: the host lives on, and nothing is lost
/// without a count.
struct SinkTests {
  @Test func `a removed file is reported at the end, and the host continues`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    recorder.withSpan("before") {}
    #expect(unlink(path.path) == 0)
    for index in 0..<100_000 { recorder.withSpan("after", item: ItemID(index)) {} }
    #expect {
      try recorder.finish()
    } throws: { "\($0)" == "\(path.path): the trace file was removed while it was recorded" }
    recorder.withSpan("late") {}
    #expect(recorder.losses.total == 1)
    #expect(recorder.losses.afterFinish == 1)
    #expect(path.size == -1)
  }

  @Test(
    .enabled(
      if: scrolltrace_can_refuse_mapping(),
      "no process may be forbidden to map files here; to run it: swift test, on Linux with seccomp")
  )
  func `a file that cannot be mapped is written instead, with every event`() throws {
    let path = TemporaryPath()
    let report = try HammerProcess.report("\(path.path) --threads 2 --turns 1000 --report") {
      scrolltrace_run_without_mapping($0)
    }
    #expect(report.hasPrefix("sink file\n"))
    let walker = try StrictWalker(path.read())
    #expect(walker.events.count == 2 * (1000 * 10 + 1))
    #expect(walker.session[20] == 1)
  }

  @Test func `a file cannot exceed the system's limit (W4)`() throws {
    let path = TemporaryPath()
    // In blocks of 512 or 1024 bytes: room for some chunks only. The signal is not taken, so that
    // the recorder must not provoke it.
    let process = try HammerProcess(
      "\(path.path) --threads 2 --turns 3000", after: "ulimit -f 1200")
    #expect(process.wait() == 0)
    try checkFull(path.read(), turns: 3000, reason: UInt64(EFBIG))
    RanTests.note("limited-file")
  }

  @Test(
    .enabled(
      if: SmallDisk.isAllowed,
      "no file system may be mounted here; to run it: swift test, on Linux as root"))
  func `a full disk is counted and does not terminate the host (W4)`() async {
    await forEachCase(of: ExtraCases.some(1, of: [64, 700, 2500]), oneCase)
    @Sendable func oneCase(kilobytes: Int) throws {
      let turns = ExtraCases.isThorough ? 20_000 : 5_000
      let path = TemporaryPath()
      let disk = try SmallDisk(kilobytes: kilobytes)
      let process = try HammerProcess(
        "\(disk.path)/run.fxt --threads 2 --turns \(turns)", in: disk, copying: "run.fxt", to: path)
      #expect(process.wait() == 0)
      try checkFull(path.read(), turns: turns, reason: UInt64(ENOSPC))
      RanTests.note("full-disk")
    }
  }

  /// Every event is in the file or counted, and the file says why.
  private func checkFull(_ bytes: [UInt8], turns: Int, reason: UInt64) throws {
    let walker = try StrictWalker(bytes)
    let drops = walker.session[16]
    #expect(UInt64(walker.events.count) + drops == 2 * UInt64(turns * 10 + 1))
    #expect(drops > 10_000)
    #expect(walker.session[21] == 1000 + reason)
    #expect(walker.session[20] == 1)
    let trace = try Trace.read(bytes)
    #expect(trace.losses.map(\.reason) == [.recorderOutOfSpace])
    #expect(trace.losses.map(\.count) == [drops])
    #expect(trace.spanCount + trace.marks.count == walker.events.count)
    #expect(trace.notices.contains { "\($0)".contains("ran out of space") })
  }
}
