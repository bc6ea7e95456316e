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
    """
    they need a quiet machine; to run them: \
    SCROLLTRACE_EXPERIMENTS=1 swift test --filter CauseProgramTests
    """
  ))
struct CauseProgramTests {
  /// Records a program.
  ///
  /// - Parameters:
  ///   - options: The program's own arguments.
  ///   - load: The number of processes that compute meanwhile.
  ///   - isAlone: Whether no other program is to keep it from running.
  private static func record(
    _ name: String, options: String = "", load: Int = 0, isAlone: Bool = false
  ) throws -> (analysis: Analysis, truth: HostTruth) {
    let folder = TemporaryFolder()
    let trace = folder.path + "/run.fxt"
    let compiler = try #require(CProgram.Compiler.c)
    let source = Library.programs.appendingPathComponent("Causes/\(name).c")
    let program = try CProgram(
      source, with: CProgram.Compiler(command: compiler.command, options: "-std=gnu11 -O1"),
      options: "-Wno-unused-function")
    // If it is allowed, a program that is to run alone goes before all others.
    let alone = "$(chrt -f 1 true 2> /dev/null && echo chrt -f 1)"
    try program.record(
      to: trace, after: options,
      environment: load > 0 ? OtherLoad.line(processes: load) : isAlone ? alone : "")
    return (
      TraceAnalyzer().analyze(try TraceFile.open(trace)),
      try HostTruth(path: trace + ".truth.csv")
    )
  }

  private static func analyze(_ name: String) throws -> Analysis { try record(name).analysis }

  private func fact(_ key: String, of finding: Finding) -> Finding.Value? {
    finding.facts.first { $0.key == key }?.value
  }

  private static func firstFinding(_ analysis: Analysis) throws -> Finding {
    try #require(analysis.findings.first)
  }

  @Test
  func `a lock that another thread holds is blocked time, with that thread and its work`() throws {
    let finding = try Self.firstFinding(Self.analyze("lock"))
    #expect(finding.id == .waitOnMainThread)
    #expect(fact("heldByThread", of: finding) == .name("db"))
    #expect(fact("heldByWork", of: finding) == .name("write journal"))
    #expect(fact("name", of: finding) == .name("read row"))
  }

  @Test func `more decoders than cores are the finding, not work on the main thread`() throws {
    let analysis = try Self.analyze("decoders")
    #expect(try Self.firstFinding(analysis).id == .backgroundHoldsCores)
    #expect(analysis.findings.allSatisfy { $0.id != .decodeOnMainThread })
  }

  @Test func `a timer that fires late is a late start`() throws {
    #expect(try Self.firstFinding(Self.analyze("timer")).id == .lateStart)
  }

  @Test(arguments: ["mapped", "read"])
  func `pages that are read from disk are blocked time, with their number`(how: String) throws {
    let analysis = try Self.record("faults", options: how, isAlone: true).analysis
    let finding = try Self.firstFinding(analysis)
    #expect(fact("name", of: finding) == .name("look up"))
    #expect(fact("waitKind", of: finding) == .name("disk"))
    let thread = try #require(analysis.surfaces.first?.threadInHitches)
    #expect(try #require(thread.diskFaults) > 1000)
  }

  @Test func `without a core, the causes name the same code, and the rest is not scheduled`() throws
  {
    // More than a refresh of computing, so that frames are late on an idle machine too.
    let alone = try #require(Self.record("contention", options: "18000").analysis.surfaces.first)
    let load = 4 * ProcessInfo.processInfo.activeProcessorCount
    let (analysis, truth) = try Self.record("contention", options: "18000", load: load)
    let surface = try #require(analysis.surfaces.first)
    #expect(alone.workOfCauses == ["draw"])
    #expect(surface.workOfCauses == ["draw"])
    // The host never blocks in a commit: what it did not compute, it had no core.
    let frames = Set(surface.hitches.compactMap(\.frame))
    let withoutCore = truth.sum(of: frames) { $0.wall - $0.cpu }
    #expect(withoutCore > 500_000_000)
    #expect(surface.notScheduledInHitches * 10 >= withoutCore * 9)
    let times = try #require(surface.threadInHitches)
    let off = times.length - times.ran
    #expect(try #require(times.ready).nanoseconds * 10 >= off.nanoseconds * 9)
    // By its own work alone it is critical.
    #expect(surface.rated(by: .scroll).rating == .critical)
  }
}
