import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Logs of a GTK list, made a trace by the script in the documentation.
@Suite(.needs("python3", if: ShellRun.succeeds("python3 --version"))) struct GTKLogTests {
  /// The analysis of the log at `path`, by way of the script.
  private func analysis(of path: String) throws -> Analysis {
    let script = try #require(
      PackageFiles.blocks(
        of: "python", in: "Sources/ScrollTraceRecorder/ScrollTraceRecorder.docc/OtherHosts.md"
      ).first)
    let folder = TemporaryFolder()
    let file = try folder.write(script, to: "gtk-lines.py")
    let lines = folder.path + "/gtk.ndjson"
    #expect(try ShellRun("python3 \"$1\" < \"$2\" > \"$3\"", [file, path, lines]).status == 0)
    let trace = try TraceFile.open(lines)
    #expect(trace.losses.isEmpty && trace.notices.isEmpty)
    #expect(trace.surfaces.first.map { $0.frames.count > 0 } == true)
    // GTK knows of no deadline, and the script makes none up.
    #expect(trace.surfaces.first.map { $0.frames[0].deadline == nil } == true)
    return TraceAnalyzer().analyze(trace)
  }

  private func expected(_ name: String) throws -> [String: Any] {
    let folder = try #require(ExtraCases.folder)
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/gtk/expected.json"))
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(all[name] as? [String: Any])
  }

  @Test func `an expensive bind is the cause of the hitches it makes`() throws {
    let log = try TemporaryFile("gtk.log", GTKLog.text(slowFrames: [10, 20, 21]))
    let analysis = try analysis(of: log.path)
    // Three rows of forty: the others need no change.
    #expect(analysis.findings.map(\.id) == [.expensiveItem])
    #expect(
      analysis.findings.first?.facts.contains {
        $0.key == "items" && $0.value == .names(["10", "20", "21"])
      } == true)
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.basis == .cadence)
    #expect(surface.hitches.map(\.refreshesMissed) == [3, 3, 3])
    let cause = try #require(surface.causes.first)
    #expect(cause.kind == .work(category: "gtk", name: "bind"))
    #expect(cause.hitchCount == 3)
    #expect(cause.itemCount == 3)
    #expect(cause.hitchTime.milliseconds > 0.8 * (surface.hitchTime?.milliseconds ?? 0))
    #expect(surface.hitches.map { $0.attribution?.causes.first?.item } == ["10", "20", "21"])
  }

  @Test(.needsExtraCases)
  func `a real list's hitches and work agree with the independently computed values`() async {
    await forEachCase(of: ["x11_cheap", "x11_prefetch"], oneCase)
    @Sendable func oneCase(name: String) throws {
      let expected = try expected(name + ".ndjson")
      let cadence = try #require(
        expected["cadence_by_raw_timings_frame_time"] as? [String: Any])
      let analysis = try analysis(of: (ExtraCases.folder ?? "") + "/gtk/\(name).ndjson")
      let surface = try #require(analysis.surfaces.first)
      #expect(surface.counts.hitches == cadence["hitches"] as? Int)
      let hitchTime = try #require(cadence["hitch_ms_by_delta"] as? Double)
      #expect(abs((surface.hitchTime?.milliseconds ?? -1) - hitchTime) < 0.01)
      for (busy, key) in [
        (analysis.work.sums.mainBusy, "main_busy_ms"),
        (analysis.work.sums.backgroundBusy, "worker_busy_ms"),
      ] {
        let milliseconds = try #require(expected[key] as? Double)
        #expect(abs((busy?.milliseconds ?? -1) - milliseconds) < 17, "\(key)")
      }
    }
  }

  @Test(.needsExtraCases)
  func `rows prepared by a worker cause no hitches, and the worker is listed`() throws {
    let log = (ExtraCases.folder ?? "") + "/gtk/x11_prefetch.ndjson"
    let analysis = try analysis(of: log)
    #expect(analysis.surfaces.first?.hitchTime == .zero)
    #expect(analysis.surfaces.first?.causes.isEmpty == true)
    let main = try #require(analysis.work.sums.mainBusy)
    let background = try #require(analysis.work.sums.backgroundBusy)
    #expect(background.nanoseconds > main.nanoseconds * 5)
  }
}
