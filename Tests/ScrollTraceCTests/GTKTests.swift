import Foundation
import ScrollTraceAnalysis
import ScrollTraceTestSupport
import Testing

/// The GTK host of the documentation on a real display server; asked for by `SCROLLTRACE_GTK=1`, since
/// it needs GTK 4, its headers and Xvfb, and takes a quarter of a minute.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["SCROLLTRACE_GTK"] != nil,
    """
    it needs GTK 4 and Xvfb; to run it: \
    SCROLLTRACE_GTK=1 swift test --filter GTKTests
    """))
struct GTKTests {
  @Test func `a slow bind is named as the cause, and disappears with a worker`() throws {
    let expensive = try Self.record("expensive").surface
    let ratio = try #require(expensive.ratio).millisecondsPerSecond
    #expect(ratio > 100)
    #expect(expensive.workOfCauses.first == "configure")
    let prefetch = try Self.record("prefetch").surface
    // What is left are delays of a busy machine.
    #expect(try #require(prefetch.ratio).millisecondsPerSecond < ratio / 10)
    #expect(prefetch.workOfCauses.first != "configure")
  }

  @Test func `without a core, a slow bind is still the first cause, and the rest is not scheduled`()
    throws
  {
    let load = 4 * ProcessInfo.processInfo.activeProcessorCount
    let (surface, truth) = try Self.record("expensive", load: load)
    #expect(surface.workOfCauses.first == "configure")
    let frames = Set(surface.hitches.compactMap(\.frame))
    let withoutCore = truth.sum(of: frames, \.ready)
    #expect(withoutCore > 500_000_000)
    #expect(surface.notScheduledInHitches * 10 >= withoutCore * 9)
    // The display server is asked to wait for little in a commit.
    let offCore = truth.sum(of: frames) { $0.wall - $0.cpu }
    #expect(surface.notScheduledInHitches * 10 >= offCore * 9)
  }

  /// Records one variant.
  ///
  /// - Parameter load: The number of processes that compute meanwhile.
  static func record(
    _ variant: String, load: Int = 0
  ) throws -> (surface: SurfaceAnalysis, truth: HostTruth) {
    let compiler = try #require(CProgram.Compiler.c)
    let source = Library.examples.appendingPathComponent("gtk-list.c").path
    let truth = Library.programs.appendingPathComponent("Causes/truth.h").path
    let library = try Library.folder()
    let program = try CProgram { path in
      """
      \(compiler.command) -std=c11 -Wall -Wextra -Werror -I '\(Library.include)' \
      -include '\(truth)' '\(source)' \
      $(pkg-config --cflags --libs gtk4) -L '\(library)' -lCScrollTrace \
      '-Wl,-rpath,\(library)' -o '\(path)'
      """
    }
    let folder = TemporaryFolder()
    let trace = folder.path + "/run.fxt"
    let table = trace + ".truth.csv"
    try program.record(
      to: trace, arguments: variant,
      environment: OtherLoad.line(processes: load)
        + "TRUTH='\(table)' GSK_RENDERER=cairo GDK_BACKEND=x11 timeout 60 xvfb-run -a")
    let analysis = TraceAnalyzer().analyze(try TraceLines(trace).trace)
    return (try #require(analysis.evaluatedPrimarySurface), try HostTruth(path: table))
  }
}
