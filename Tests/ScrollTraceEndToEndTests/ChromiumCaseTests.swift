import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Traces of a real browser against figures that were worked out independently of this project.
@Suite(.needsExtraCases) struct ChromiumCaseTests {
  /// What is expected of one window set of one trace.
  struct Expectation {
    let windows: Int
    let refreshInterval: Double
    let display: [String: Any]
    let main: [String: Any]
    let mainBusy: Double
    let backgroundBusy: Double
    let total: Double
    /// Whether the trace lost data, so that what is open at the loss cannot be compared.
    let hasLosses: Bool
  }

  func expectation(of file: String) throws -> Expectation {
    let folder = try #require(ExtraCases.folder)
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/chromium/expected.json"))
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let trace = try #require(((all["traces"] ?? all) as? [String: Any])?[file] as? [String: Any])
    let scroll = try #require(trace["scroll"] as? [String: Any])
    let mainThread = try #require(scroll["main_thread"] as? [String: Any])
    return Expectation(
      windows: try #require(scroll["windows_us"] as? [Any]).count,
      refreshInterval: try #require(trace["interval_us"] as? Double) / 1000,
      display: try Self.display(scroll),
      main: try #require(scroll["main_frames"] as? [String: Any]),
      mainBusy: try #require(mainThread["busy_ms"] as? Double),
      backgroundBusy: try #require(scroll["renderer_background_busy_ms"] as? Double),
      total: try #require(scroll["total_ms"] as? Double),
      hasLosses: trace["data_loss"] as? Bool ?? false)
  }

  /// The figures of the screen by M-3: the rule that adds up what gaps are longer than a refresh.
  private static func display(_ scroll: [String: Any]) throws -> [String: Any] {
    if let byRule = scroll["display_by_m3"] as? [String: Any] { return byRule }
    var figures = try #require(scroll["display"] as? [String: Any])
    figures["hitch_ms"] = figures["hitch_ms_by_delta"]
    figures["hitches"] = nil
    return figures
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
      let expected = try expectation(of: file)
      let folder = try #require(ExtraCases.folder)
      let trace = try TraceFile.open(folder + "/chromium/" + file)
      var options = AnalysisOptions()
      options.interactionMarks = marks
      let analysis = TraceAnalyzer(options).analyze(trace)
      // One refresh for each window: a frame at its edge may be counted to either side. In the trace
      // with losses the page's marks and the wheel's input name one window with different ends.
      let windows = expected.windows + (expected.hasLosses ? 1 : 0)
      let slack = expected.refreshInterval * Double(windows) + 0.001
      func check(_ name: String, _ figures: [String: Any], sourceLocation: SourceLocation) throws {
        let surface = try #require(
          analysis.surfaces.first { $0.name == name }, sourceLocation: sourceLocation)
        if let known = Self.motionFigures["\(file) \(name)"] {
          // To the nanosecond.
          #expect(surface.hitchTime?.nanoseconds == known.hitchNs, sourceLocation: sourceLocation)
          #expect(surface.hitchesInMotion == known.hitches, sourceLocation: sourceLocation)
          return
        }
        let hitchTime = try #require(surface.hitchTime).milliseconds
        let expectedTime = try #require(figures["hitch_ms"] as? Double)
        #expect(abs(hitchTime - expectedTime) <= slack, sourceLocation: sourceLocation)
        if let hitches = figures["hitches"] as? Int {
          #expect(
            abs((surface.counts.hitches ?? 0) - hitches) <= expected.windows,
            sourceLocation: sourceLocation)
        }
        #expect(
          abs(surface.measuredTime.duration.milliseconds - expected.total) <= slack,
          sourceLocation: sourceLocation)
      }
      try check("Display", expected.display, sourceLocation: #_sourceLocation)
      try check("Main thread updates", expected.main, sourceLocation: #_sourceLocation)
      let mainBusy = try #require(analysis.work.sums.mainBusy).milliseconds
      #expect(abs(mainBusy - expected.mainBusy) <= slack)
      guard !expected.hasLosses else { return }
      let background = try #require(analysis.work.sums.backgroundBusy).milliseconds
      #expect(abs(background - expected.backgroundBusy) <= slack)
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
      let folder = try #require(ExtraCases.folder)
      let trace = try TraceFile.open(folder + "/chromium/" + file)
      var options = AnalysisOptions()
      options.interactionMarks = marks
      let analysis = TraceAnalyzer(options).analyze(trace)
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
    let name = "chrome-other/lighthouse-timespan-responsiveness-m103.trace.json"
    let folder = try #require(ExtraCases.folder)
    let analysis = TraceAnalyzer().analyze(try TraceFile.open(folder + "/" + name))
    let tasks = try #require(analysis.work.longTasks)
    #expect(tasks.count == 13)
    #expect(tasks.length == TimeSpan(nanoseconds: 1_586_283_000))
    #expect(tasks.blocking == TimeSpan(nanoseconds: 936_283_000))
    #expect(tasks.longest.first?.range.length == TimeSpan(nanoseconds: 275_269_000))
  }
}
