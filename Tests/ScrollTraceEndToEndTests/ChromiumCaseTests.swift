import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Traces of a real browser against figures that were worked out independently of this project.
@Suite(.needsExtraCases) struct ChromiumCaseTests {
  private func analysis(of file: String, marks: String? = nil) throws -> Analysis {
    let folder = try #require(ExtraCases.folder)
    var options = AnalysisOptions()
    options.interactionMarks = marks
    return TraceAnalyzer(options).analyze(try TraceFile.open("\(folder)/\(file)"))
  }

  /// Figures by the rules for the head, the tail and the jitter of a motion, which the others leave
  /// out; worked out apart as well.
  private static let motionFigures: [String: (hitchNs: Int64, hitches: Int)] = [
    "heavy.json.gz Main thread updates": (5_188_413_000, 152),
    "heavy_main_min.json.gz Display": (2_645_566_000, 71),
    "heavy_main_min.pftrace.gz Display": (2_755_921_000, 81),
  ]

  @Test func `a browser's hitches and work agree with the independently computed values`() async {
    await forEachCase(of: [
      ("heavy.json.gz", nil), ("heavy_devtools.json.gz", "g*"), ("heavy_main_min.json.gz", "g*"),
      ("heavy_main_min.pftrace.gz", "g*"), ("heavy_full_lossy.pftrace.gz", "g*"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ file: String, _ marks: String?) throws {
      let folder = try #require(ExtraCases.folder)
      let path = folder + "/chromium/expected.json"
      let expected = try JSONNode(String(contentsOfFile: path, encoding: .utf8))[file]
      let scroll = expected["scroll"]
      let analysis = try analysis(of: "chromium/" + file, marks: marks)
      // One refresh for each window: a frame at its edge may be counted to either side. In the trace
      // with losses the page's marks and the wheel's input name one window with different ends.
      let hasLosses = expected["data_loss"].flag == true
      let windows = try #require(scroll["windows_us"].count)
      let interval = try #require(expected["interval_us"].number) / 1000
      let slack = interval * Double(windows + (hasLosses ? 1 : 0)) + 0.001
      func isNear(_ time: TimeSpan?, _ expected: JSONNode) throws -> Bool {
        try abs(#require(time).milliseconds - #require(expected.number)) <= slack
      }
      func check(_ name: String, _ figures: JSONNode, sourceLocation: SourceLocation) throws {
        let surface = try #require(
          analysis.surfaces.first { $0.name == name }, sourceLocation: sourceLocation)
        if let known = Self.motionFigures["\(file) \(name)"] {
          // To the nanosecond.
          #expect(surface.hitchTime?.nanoseconds == known.hitchNs, sourceLocation: sourceLocation)
          #expect(surface.hitchesInMotion == known.hitches, sourceLocation: sourceLocation)
          return
        }
        #expect(
          try isNear(surface.hitchTime, figures["hitch_ms"]), sourceLocation: sourceLocation)
        let hitches = try #require(figures["hitches"].integer)
        #expect(
          abs((surface.counts.hitches ?? 0) - hitches) <= windows, sourceLocation: sourceLocation)
        #expect(
          try isNear(surface.measuredTime.duration, scroll["total_ms"]),
          sourceLocation: sourceLocation)
      }
      // The figures of the screen by M-3: the rule that adds up what gaps are longer than a refresh.
      try check("Display", scroll["display_by_m3"], sourceLocation: #_sourceLocation)
      try check("Main thread updates", scroll["main_frames"], sourceLocation: #_sourceLocation)
      let work = analysis.work.sums
      #expect(try isNear(work.mainBusy, scroll["main_thread"]["busy_ms"]))
      guard !hasLosses else { return }
      #expect(try isNear(work.backgroundBusy, scroll["renderer_background_busy_ms"]))
    }
  }

  @Test func `the script that builds rows is the cause of a page's hitches`() async {
    await forEachCase(of: [
      ("heavy.json.gz", nil, "update (heavy.html:15)"),
      ("heavy_devtools.json.gz", "g*", "update (heavy.html:15)"),
      ("heavy_main_min.json.gz", "g*", "f (heavy_main.html:23)"),
      ("heavy_main_min.pftrace.gz", "g*", "f (heavy_main.html:23)"),
    ]) { try oneCase($0, $1, $2) }
    @Sendable func oneCase(_ file: String, _ marks: String?, _ caller: String) throws {
      let analysis = try analysis(of: "chromium/" + file, marks: marks)
      let surface = try #require(analysis.surfaces.first { $0.name == "Main thread updates" })
      let whole = try #require(surface.hitchTime).milliseconds
      let rows = try #require(surface.causes.first)
      #expect(rows.kind == .work(category: "blink.user_timing", name: "row"))
      // The machine was shared: what Chrome says was not on a core is no row's.
      let off = surface.causes.first { $0.kind == .notRunning }?.hitchTime.milliseconds ?? 0
      #expect(rows.hitchTime.milliseconds > 0.7 * (whole - off))
      #expect(rows.itemCount > 100)
      // The call they were built in keeps the little that is its own.
      let kind = CauseSummary.Kind.work(category: "devtools.timeline", name: caller)
      let call = try #require(surface.causes.first { $0.kind == kind })
      #expect(call.hitchTime.milliseconds < 0.1 * whole)
      for hitch in surface.hitches where hitch.refreshesMissed ?? 0 > 2 {
        #expect(hitch.attribution?.causes.first?.name == "row")
      }
      let charged = surface.causes.reduce(TimeSpan.zero) { $0 + $1.hitchTime }
      #expect(charged == surface.hitchTime)
    }
  }

  @Test func `M-11: long tasks are the independently computed ones`() throws {
    let analysis = try analysis(
      of: "chrome-other/lighthouse-timespan-responsiveness-m103.trace.json")
    let tasks = try #require(analysis.work.longTasks)
    #expect(tasks.count == 13)
    #expect(tasks.length == TimeSpan(nanoseconds: 1_586_283_000))
    #expect(tasks.blocking == TimeSpan(nanoseconds: 936_283_000))
    #expect(tasks.longest.first?.range.length == TimeSpan(nanoseconds: 275_269_000))
  }
}
