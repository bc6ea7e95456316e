import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// What would go of a late frame, and why nothing would (M-17).
@Suite struct PredictionTests {
  private static func attribution(window: Int64) -> Attribution {
    let end = Timestamp(clamping: window)
    return Attribution(
      window: TimeRange(start: .zero, end: end), causes: [], waiting: .zero, notScheduled: .zero,
      blocked: .zero, notRunning: .zero, lateStart: .zero, idle: .zero, unrecorded: .zero,
      occupants: [], estimated: .zero, thread: nil)
  }

  /// A frame at 50 Hz that missed its deadline by 25 ms, and so two refreshes.
  private static func frame(_ rule: LateFrame.Rule) -> LateFrame {
    let attribution = attribution(window: 20_000_000)
    return LateFrame(
      index: 1, rule: rule, attribution: attribution, commit: attribution, room: .zero,
      followsLateFrame: false, overrun: .milliseconds(25), refreshInterval: .milliseconds(20),
      hitchTime: .milliseconds(40), length: .milliseconds(25))
  }

  private static func removed(_ rule: LateFrame.Rule, without time: Int64) -> [Int64] {
    let removed = [frame(rule)].removedWithMisses { _ in TimeSpan(nanoseconds: time) }
    return [removed.hitchTime.nanoseconds, Int64(removed.misses)]
  }

  @Test func `a frame loses a refresh of its hitch for each whole one that it ends earlier`() {
    #expect(Self.removed(.overrun, without: 4_999_999) == [0, 0])
    #expect(Self.removed(.overrun, without: 5_000_000) == [20_000_000, 0])
    #expect(Self.removed(.overrun, without: 24_999_999) == [20_000_000, 0])
    #expect(Self.removed(.overrun, without: 25_000_000) == [40_000_000, 1])
  }

  @Test func `a hitch without an overrun goes with over half of its window, else in proportion`() {
    #expect(Self.removed(.window, without: 10_000_000)[0] == 20_000_000)
    #expect(Self.removed(.window, without: 10_000_001)[0] == 40_000_000)
  }

  @Test func `a part of the time is a part of a hitch that is judged by its window`() {
    for (part, removed) in [(0.25, 10_000_000), (0.75, 30_000_000), (1.0, 40_000_000)] {
      let all = [Self.frame(.window)].removedWithMisses(part: part) { $0.window.length }
      #expect(all.hitchTime.nanoseconds == Int64(removed))
    }
  }

  @Test func `of frames that pile up, each hitch is what it adds to the lateness before it`() {
    // Commits of 32 ms in refreshes of 20 ms, each beginning when the one before it ends.
    let window = Self.attribution(window: 32_000_000)
    let frames = (1...4).map { index in
      let late = Int64(12 * index)
      return LateFrame(
        index: index, rule: index == 3 ? .none : .overrun, attribution: window, commit: window,
        room: .milliseconds(late - 12), followsLateFrame: index > 1,
        overrun: .milliseconds(late), refreshInterval: .milliseconds(20),
        hitchTime: .milliseconds(index == 3 ? 0 : 20), length: .zero, addsToLateness: index > 1)
    }
    func removed(_ milliseconds: Int64) -> Int64 {
      frames.removed { _ in .milliseconds(milliseconds) }.nanoseconds / 1_000_000
    }
    // Late by 12, 24, 36 and 48 ms, which is 1, 2, 2 and 3 refreshes.
    #expect(removed(1) == 0)
    // By 10, 20, 30 and 40 ms: the third frame adds the second refresh, and nothing the third.
    #expect(removed(2) == 20)
    #expect(removed(7) == 40)
    #expect(removed(12) == 60)
  }

  @Test func `a hitch that nothing in the window made stays`() {
    #expect(Self.removed(.none, without: 20_000_000)[0] == 0)
  }

  @Test func `a prediction says why nothing would go`() {
    func reason(_ subject: Prediction.Subject, upTo: Int64, of whole: Int64) -> PredictionReason? {
      Prediction(
        subject: subject, speedup: nil, upTo: TimeSpan(nanoseconds: upTo),
        whole: TimeSpan(nanoseconds: whole)
      ).reason
    }
    #expect(reason(.removable(.unrecorded), upTo: 0, of: 2) == .staysLate)
    #expect(reason(.removable(.unrecorded), upTo: 1, of: 2) == nil)
    #expect(reason(.removable(.unrecorded), upTo: 0, of: 0) == nil)
    #expect(reason(.other(.notScheduled), upTo: 0, of: 2) == .notOfTheApp)
  }

  @Test func `nothing is predicted for a recording without frames`() {
    let analysis = TraceAnalyzer().analyze(TraceBuilder(format: "test").finish())
    let report = PredictionReport(of: analysis)
    #expect(report.surface == nil)
    #expect(report.predictions.isEmpty && report.requiredSpeedups.isEmpty)
  }

  /// Frames at 60 Hz, each with so much work on the main thread, which begins at the refresh after the frame before.
  private static func analysis(work: Double, selected: ClosedRange<Int>? = nil) -> Analysis {
    let interval = 16_666_667.0
    var builder = TraceBuilder(format: "built")
    let display = builder.surface("display")
    let main = builder.mainThread()
    let layout = builder.label(category: "app", name: "layout")
    func time(_ refresh: Double) -> Timestamp { Timestamp(clamping: Int64(refresh * interval)) }
    let refreshes = (work * 1e6 / interval).rounded(.up)
    for index in 0..<60 {
      let begin = Double(index) * refreshes
      let end = begin + work * 1e6 / interval
      builder.addSpan(on: main, from: time(begin), to: time(end), label: layout)
      builder.updateFrame(
        index, of: display, start: time(begin), commitStart: time(begin), commitEnd: time(end),
        deadline: time(begin + 1), target: time(begin + 2), presented: time(begin + refreshes + 1),
        refreshInterval: TimeSpan(nanoseconds: Int64(interval)))
    }
    builder.addInteraction("scroll", from: .zero, to: time(60 * refreshes + 1))
    var options = AnalysisOptions()
    if let selected {
      options.selection.from = time(Double(selected.lowerBound)) - .zero
      options.selection.to = time(Double(selected.upperBound)) - .zero
    }
    return TraceAnalyzer(options).analyze(builder.finish())
  }

  @Test func `the required speedup at the recorded rate is of all hitch time`() throws {
    for selected in [nil, 0...30] as [ClosedRange<Int>?] {
      let report = PredictionReport(of: Self.analysis(work: 20, selected: selected))
      let required = try #require(report.requiredSpeedups.first)
      #expect(required.hitchTime == report.surface?.hitchTime)
      #expect(required.lateCommits == report.surface?.hitchesInMotion)
      #expect(required.parts.first?.percent == 83)
    }
  }

  @Test func `the selected part of a hitch counts at any rate`() {
    // The second commit begins in refresh 6; its picture, due in 8, comes in 13. At twice the rate it is due
    // half a refresh earlier.
    let report = PredictionReport(
      of: Self.analysis(work: 99, selected: 9...13),
      refreshIntervals: [16_666_667, 8_333_333].map { TimeSpan(nanoseconds: $0) })
    let part = TimeSpan(nanoseconds: 16_666_667) * 4
    #expect(report.surface?.hitchTime == part)
    #expect(report.requiredSpeedups.map(\.hitchTime) == [part, part])
  }

  @Test
  func `at twice the rate, each frame that begins after the one before is late by itself`() throws {
    let analysis = Self.analysis(work: 9)
    #expect(analysis.surfaces.first?.hitchTime == .zero)
    let report = PredictionReport(
      of: analysis, refreshIntervals: [TimeSpan(nanoseconds: 8_333_333)])
    let required = try #require(report.requiredSpeedups.first)
    #expect(required.lateCommits == 60)
    #expect(required.hitchTime == TimeSpan(nanoseconds: 8_333_333) * 60)
  }

  /// Frames at 120 Hz, each with work of 5 and of 4 ms and a commit that ends 0.87 ms after its
  /// deadline, so that its picture is a refresh late. Every second frame is later by `rounding`.
  private static func lateFrames(rounding: Int64) -> Analysis {
    let interval: Int64 = 8_333_333
    var builder = TraceBuilder(format: "built")
    let display = builder.surface("display")
    let main = builder.mainThread()
    for index in 0..<Int64(60) {
      let begin = index * 2 * interval + index % 2 * rounding
      func time(_ offset: Int64) -> Timestamp { Timestamp(clamping: begin + offset) }
      for (name, from, to) in [
        ("matrix", 100_000, 5_100_000), ("filters", 5_100_000, 9_100_000),
      ] as [(String, Int64, Int64)] {
        builder.addSpan(
          on: main, from: time(from), to: time(to),
          label: builder.label(category: "app", name: name))
      }
      builder.updateFrame(
        index, of: display, start: time(0), commitStart: time(0), commitEnd: time(9_200_000),
        deadline: time(interval), target: time(2 * interval), presented: time(3 * interval),
        refreshInterval: TimeSpan(nanoseconds: interval))
    }
    let end = Timestamp(clamping: 121 * interval)
    builder.addInteraction("scroll", from: .zero, to: end)
    return TraceAnalyzer().analyze(builder.finish())
  }

  @Test func `times rounded by a few nanoseconds change nothing of what would go`() throws {
    for rounding in [0, 3] as [Int64] {
      let report = PredictionReport(of: Self.lateFrames(rounding: rounding))
      let whole = try #require(report.surface?.hitchTime)
      #expect(report.surface?.hitchesInMotion == 60)
      #expect(report.predictions.prefix(2).map(\.upTo) == [whole, whole])
      #expect(report.requiredSpeedups.first?.lateCommits == 60)
      #expect(report.requiredSpeedups.first?.hitchTime == whole)
    }
  }
}
