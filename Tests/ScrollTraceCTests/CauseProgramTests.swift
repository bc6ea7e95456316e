import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Programs whose true cause of late frames is known, and misleading by their spans alone (M-25).
///
/// They need the machine for themselves and seconds each, so they run on request.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["SCROLLTRACE_EXPERIMENTS"] != nil,
    "they need a quiet machine; to run them: SCROLLTRACE_EXPERIMENTS=1 swift test --filter CauseProgramTests"
  ))
struct CauseProgramTests {
  /// Analyzes a recording of a program.
  ///
  /// - Parameter load: The number of processes that compute meanwhile.
  private static func analyze(_ name: String, load: Int = 0) throws -> Analysis {
    let folder = ScratchFolder()
    let trace = folder.path + "/run.fxt"
    let compiler = try #require(CProgram.Compiler.c)
    let source = Library.programs.appendingPathComponent("Causes/\(name).c")
    let program = try CProgram(
      source, with: CProgram.Compiler(command: compiler.command, options: "-std=gnu11 -O1"),
      options: "-Wno-unused-function")
    let others = String(
      repeating: "(while :; do :; done) > /dev/null 2>&1 & pids=\"$pids $!\"; ", count: load)
    try program.record(
      to: trace, environment: load > 0 ? "trap 'kill -9 $pids' EXIT; \(others)" : "")
    return TraceAnalyzer().analyze(try TraceFile.open(trace))
  }

  private static func firstFinding(_ analysis: Analysis) throws -> Finding {
    try #require(analysis.findings.first)
  }

  @Test func `a lock that another thread holds is blocked time, with that thread and its work`()
    throws
  {
    let finding = try Self.firstFinding(Self.analyze("lock"))
    #expect(finding.id == .blockedOnMainThread)
    #expect(finding.details.threads == ["db in write journal"])
    #expect(finding.details.work?.name == "read row")
  }

  @Test func `more decoders than cores are the finding, not work on the main thread`() throws {
    let analysis = try Self.analyze("decoders")
    #expect(try Self.firstFinding(analysis).id == .backgroundHoldsCores)
    #expect(analysis.findings.allSatisfy { $0.id != .decodeOnMainThread })
  }

  @Test func `a timer that fires late is a late start`() throws {
    #expect(try Self.firstFinding(Self.analyze("timer")).id == .lateStart)
  }

  @Test func `without a core, the causes name the same code, and the rest is not scheduled`() throws
  {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let surface = try #require(Self.analyze("contention", load: 4 * cores).surfaces.first)
    let works = surface.causes.compactMap { cause -> String? in
      guard case .work(_, let name) = cause.kind else { return nil }
      return name
    }
    #expect(works == ["draw"])
    let times = try #require(surface.threadInHitches)
    let off = times.length - times.running
    #expect(times.ready.nanoseconds * 10 >= off.nanoseconds * 9)
    #expect(surface.rated(by: .scroll).rating == .uncertain)
  }
}
