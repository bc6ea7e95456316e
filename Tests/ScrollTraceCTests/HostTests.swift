import Foundation
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Hosts in C and C++ record what they tell (F-4).
struct HostTests {
  @Test(.needs("clang or gcc", if: !CProgram.Compiler.all.isEmpty))
  func `a host in C or C++ records every event of the header (F-4)`() async {
    await forEachCase(of: ExtraCases.some(2, of: CProgram.Compiler.all), oneCase)
    @Sendable func oneCase(compiler: CProgram.Compiler) throws {
      let source = Library.programs.appendingPathComponent("calls.c")
      let lines = try Self.record(source, compiler)
      let trace = lines.trace
      #expect(trace.isComplete && trace.openSpans.isEmpty && trace.notices.isEmpty)
      let main = try #require(trace.tracks.first { $0.isMain })
      #expect(main.name == "the main one" && main.isCompletelyRecorded)

      let surface = try #require(trace.surfaces.first)
      #expect(surface.name == "window" && surface.presentationTolerance.nanoseconds == 1_000_000)
      // By number: the third has times of its own, which a slow machine may pass before the second.
      let frames = (0..<surface.frames.count).map { surface.frames[$0] }.sorted { $0.id < $1.id }
      #expect(frames.map(\.id) == [7, 8, 9])
      let start = try #require(frames[0].start).nanoseconds
      #expect(frames[0].deadline?.nanoseconds == start + 8_000_000)
      #expect(frames[0].target?.nanoseconds == start + 16_000_000)
      #expect(frames[0].refreshInterval?.nanoseconds == 8_000_000)
      #expect(frames[0].presented?.nanoseconds == start + 24_000_000)
      // Times that the host did not know are none, not 0.
      #expect(frames[1].deadline == nil && frames[1].target == nil && frames[1].presented == nil)
      #expect(frames[1].outcome == .dropped)
      #expect(frames[2].presented?.nanoseconds == start + 32_000_000)

      // What is told after the fact has a time of its own, so it comes anywhere.
      let told = lines.spans.filter { $0.contains("told later") || $0.contains("cell/size") }
      #expect(
        told == [
          "the main one: scrolltrace.cell/size list=feed position=12 view=3 kind=photo "
            + "registration=1 reused=true ahead=false estimatedSize=100.0 size=120.5",
          "the main one: scrolltrace.waiting/told later item=5",
        ])
      #expect(
        lines.spans.filter { !told.contains($0) } == [
          "the main one: scrolltrace.frame/window frame=7",
          "the main one: scrolltrace.phase/update",
          "the main one: scrolltrace.phase/layout",
          "the main one: scrolltrace.cell/prepare list=feed item=42 position=12 view=3 kind=photo "
            + "registration=1 reused=true ahead=false estimatedSize=100.0 size=120.5",
          "the main one: blur/made at run time",
          "the main one: scrolltrace.frame/window frame=8",
          "the main one: scrolltrace.phase/own phase",
          "the main one: scrolltrace.data/load list=feed item=42 view=3",
          "the main one: scrolltrace.data/applySnapshot kind=differences inserted=3",
          "the main one: scrolltrace.image/decode item=42 view=3 bytes=4096",
        ])
      #expect(
        lines.marks.map { String($0.prefix { $0 != " " }) } == [
          "scrolltrace.cell/willDisplay", "scrolltrace.work/tapped", "scrolltrace.data/prefetch",
          "scrolltrace.image/cacheMiss",
        ])
      #expect(lines.marks[1].hasSuffix("item=0"))
      #expect(lines.samples == ["cache=-5.0", "offset=0.5"])
      #expect(lines.states == ["screen=Feed", "screen=-"])
      #expect(trace.flows.map(\.kind) == [.start, .step, .end])
      #expect(trace.interactions.map(\.kind) == ["drag"])
      #expect(trace.interactions[0].surface != nil && trace.interactions[0].end != nil)
    }
  }

  @Test(.needs("clang or gcc", if: !CProgram.Compiler.all.isEmpty))
  func `host mistakes have the effect the header documents and never crash`() async {
    await forEachCase(of: ExtraCases.some(2, of: CProgram.Compiler.all), oneCase)
    @Sendable func oneCase(compiler: CProgram.Compiler) throws {
      let source = Library.programs.appendingPathComponent("edges.c")
      let lines = try Self.record(source, compiler)
      #expect(lines.spans.filter { $0.hasSuffix("/once") }.count == 1)
      #expect(lines.spans.filter { $0.contains("/phase") }.count == 1)
      #expect(lines.trace.asyncSpans.isEmpty)
      #expect(lines.trace.losses.contains { $0.reason == .recordTooLarge && $0.count == 6 })
      #expect(lines.trace.interactions.count == 1)
      // The shorter structure gives its item only, the one without a size nothing.
      let discards = lines.marks.filter { $0.contains("discard") }
      #expect(discards == ["scrolltrace.cell/discard item=6", "scrolltrace.cell/discard"])
      #expect(lines.trace.openSpans.count == 1)
    }
  }

  @Test(.needs("clang or gcc", if: CProgram.Compiler.c != nil))
  func `C threads record at once and finish concurrently (W-3)`() throws {
    let source = Library.programs.appendingPathComponent("threads.c")
    let lines = try Self.record(source)
    // Those around a frame are of no thread's stack.
    let decodes =
      lines.spans.filter { $0.hasPrefix("worker: scrolltrace.image/decode") }
      + lines.asyncSpans.filter { $0.hasPrefix("scrolltrace.image/decode") }
    // The first round is whole; of the second is what came before the end.
    #expect(decodes.count >= 4 * 2000)
    #expect(lines.trace.surfaces.first?.frames.count ?? 0 >= 2000)
    let handed =
      lines.asyncSpans.filter { $0.contains("handed over") }.count
      + lines.spans.filter { $0.contains("handed over") }.count
    #expect(handed >= 80)
  }

  @Test(.needs("clang or gcc", if: CProgram.Compiler.c != nil))
  func `the example's report names its expensive row (M-5)`() throws {
    let source = Library.examples.appendingPathComponent("feed.c")
    let lines = try Self.record(source)
    let bound = lines.spans.filter { $0.contains("scrolltrace.cell/configure") }
    #expect(bound.count == 40)
    #expect(bound[17].contains("list=feed item=1017 position=17 view=1"))
    #expect(lines.trace.surfaces.first?.frames.count == 40)
    #expect(lines.states == ["screen=Feed"])
    let analysis = TraceAnalyzer().analyze(lines.trace)
    let surface = try #require(analysis.evaluatedPrimarySurface)
    // Its commit alone takes more than two refreshes, however fast the machine.
    let late = try #require(surface.hitches.first { $0.frame == 18 })
    #expect(late.attribution?.causes.first?.item == "1017")
  }

  @Test(.needs("clang or gcc", if: CProgram.Compiler.c != nil))
  func `the README's lines in C record a frame with a cell in it`() throws {
    let lines = try PackageFiles.blocks(of: "c", in: "README.md")[0]
    let program = """
      #include "scrolltrace.h"
      static void show(uint64_t item) { (void)item; }
      int main(int argc, char **argv) {
        scrolltrace_recorder *recorder = NULL;
        if (argc < 2 || scrolltrace_open(argv[1], NULL, &recorder, NULL) != SCROLLTRACE_OK) return 1;
        const int64_t vsync = scrolltrace_now(recorder), due = vsync + 16666667;
        const uint64_t item = 7;
        \(lines)
        return scrolltrace_finish(recorder, NULL) != SCROLLTRACE_OK;
      }

      """
    let folder = TemporaryFolder()
    let path = try folder.write(program, to: "readme.c")
    let recorded = try Self.record(URL(fileURLWithPath: path))
    #expect(recorded.trace.surfaces.first?.frames.count == 1)
    #expect(recorded.spans.contains { $0.hasSuffix("scrolltrace.cell/configure item=7") })
  }

  /// Builds and runs a program, and reads what it recorded.
  static func record(
    _ source: URL, _ compiler: CProgram.Compiler? = .c
  ) throws -> TraceLines {
    let compiler = try #require(compiler)
    let folder = TemporaryFolder()
    let trace = folder.path + "/run.fxt"
    try CProgram(source, with: compiler).record(to: trace)
    return try TraceLines(trace)
  }
}
