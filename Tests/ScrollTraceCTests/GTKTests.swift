import Foundation
import ScrollTraceAnalysis
import Testing

/// The GTK host of the documentation on a real display server; asked for by `SCROLLTRACE_GTK=1`, since
/// it needs GTK 4, its headers and Xvfb, and takes a quarter of a minute.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["SCROLLTRACE_GTK"] != nil,
    "it needs GTK 4 and Xvfb; to run it: SCROLLTRACE_GTK=1 swift test --filter GTKTests"))
struct GTKTests {
  @Test func `a slow bind is named as the cause, and disappears with a worker`() throws {
    let expensive = try Self.record("expensive")
    #expect(expensive.ratio > 100)
    #expect(expensive.firstCause == "configure")
    let prefetch = try Self.record("prefetch")
    // What is left are delays of a busy machine.
    #expect(prefetch.ratio < expensive.ratio / 10)
    #expect(prefetch.firstCause != "configure")
  }

  /// Records one variant; its hitch time ratio, in milliseconds a second, and what most of it is charged to.
  static func record(_ variant: String) throws -> (ratio: Double, firstCause: String) {
    let compiler = try #require(CProgram.Compiler.c)
    let source = Library.examples.appendingPathComponent("gtk-list.c").path
    let library = try Library.folder()
    let program = try CProgram { path in
      """
      \(compiler.command) -std=c11 -Wall -Wextra -Werror -I '\(Library.include)' '\(source)' \
      $(pkg-config --cflags --libs gtk4) -L '\(library)' -lCScrollTrace \
      '-Wl,-rpath,\(library)' -o '\(path)'
      """
    }
    let folder = ScratchFolder()
    let trace = folder.path + "/run.fxt"
    try program.record(
      to: trace, arguments: variant,
      environment: "GSK_RENDERER=cairo GDK_BACKEND=x11 timeout 60 xvfb-run -a")
    let analysis = TraceAnalyzer().analyze(try TraceLines(trace).trace)
    let surface = try #require(analysis.evaluatedPrimarySurface)
    let ratio = try #require(surface.ratio).millisecondsPerSecond
    guard case .work(_, let name) = surface.causes.first?.kind else { return (ratio, "") }
    return (ratio, name)
  }
}
