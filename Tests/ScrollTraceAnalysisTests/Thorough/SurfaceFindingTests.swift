import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-19: what is found of surfaces and of the recording, each with a near miss that is not.
@Suite struct SurfaceFindingTests {
  private func findings(_ drawn: DrawnTrace) -> [Finding] {
    TraceAnalyzer().analyze(drawn.trace()).findings
  }

  @Test func `a clean trace has no finding`() {
    #expect(FindingTrace().findings() == [])
  }

  @Test func `work that most of the hitch time is attributed to is found, at a third it is not`() {
    var long = FindingTrace(late: [20])
    long.span("write log", 201, 6)
    long.span("write log", 208, 6)
    let found = long.findings()
    #expect(
      found.map(\.summary) == [
        FindingSummary(.longTask) {
          ($0.work, $0.share) = (WorkName(category: "host", name: "write log"), 0.8)
        }
      ])
    #expect(found.first?.evidence.total == .milliseconds(12))
    #expect(found.first?.evidence.hitchTime == .milliseconds(8))
    #expect(found.first?.evidence.worst?.frame == 20)
    var short = FindingTrace(late: [20])
    short.span("write log", 201, 5)
    #expect(short.findings().map(\.id) == [.unrecordedWork])
    // One late frame of three does not make most of them late.
    var rare = FindingTrace(late: [20, 40, 50])
    rare.span("write log", 201, 13)
    #expect(rare.findings().map(\.id) == [.unrecordedWork])
  }

  @Test func `work done while a cell is displayed is found if it makes a frame late`() {
    var late = FindingTrace(late: [20])
    late.span("tableView willDisplay", 201, 6)
    late.span("layoutSubviews", 202, 4)
    late.span("draw feed", 208, 3)
    let found = late.findings()
    #expect(
      found.map(\.summary) == [
        FindingSummary(.heavyWillDisplay) {
          $0.work = WorkName(category: "host", name: "tableView willDisplay")
        }
      ])
    // With all that is inside.
    #expect(found.first?.evidence.total == .milliseconds(6))
    var onTime = FindingTrace(late: [20])
    onTime.span("tableView willDisplay", 221, 1)
    onTime.span("tableView willDisplay", 201, 1)
    #expect(onTime.findings().map(\.id) == [.unrecordedWork])
  }

  @Test func `frames presented late after on-time commits are found`() {
    let found = FindingTrace(lateOnScreen: [20, 30]).findings()
    #expect(
      found.map(\.summary) == [
        FindingSummary(.renderHitches) {
          $0.share = 1
          $0.isMainCause = true
        }
      ])
    #expect(found.first?.evidence.count == 2)
    // Two of five are not what to begin with.
    let few = FindingTrace(late: [5, 10, 15], lateOnScreen: [20, 30]).findings()
    #expect(few.map(\.id) == [.unrecordedWork] && few.first?.evidence.hitches == 3)
  }

  @Test func `a late frame in which nothing ran is found, a late frame with work is not`() {
    let found = FindingTrace(late: [20], hasPhases: false).findings()
    #expect(found.map(\.summary) == [FindingSummary(.hitchesWhileIdle) { $0.share = 1 }])
    #expect(found.first?.evidence.total == .milliseconds(15))
    var half = FindingTrace(late: [20], hasPhases: false)
    half.span("layout", 201, 8)
    #expect(half.findings().allSatisfy { $0.id != .hitchesWhileIdle })
  }

  @Test func `steadily slow frames are found (E-20), a single slip is not (E-15)`() throws {
    let found = findings(WorkedExamples.e20())
    let run = try #require(
      found.first { $0.id == .steadilySlowFrames })
    #expect(run.evidence.count >= StreakPass.steadyFrames)
    #expect(run.evidence.hitches > 0)
    #expect(
      !findings(WorkedExamples.e15()).contains {
        $0.id == .steadilySlowFrames
      })
  }

  @Test func `low headroom is found if nothing hitches`() {
    let found = FindingTrace(commit: 9.5).findings()
    #expect(
      found.map(\.summary) == [
        FindingSummary(.lowHeadroom) {
          ($0.time, $0.refreshInterval) = (TimeSpan(nanoseconds: 500_000), .milliseconds(10))
        }
      ])
    #expect(found.first?.evidence.count == 60)
    #expect(FindingTrace(commit: 9).findings() == [])
  }

  @Test func `low headroom counts only the selected frames`() {
    var options = AnalysisOptions()
    options.selection.from = .milliseconds(200)
    let found = FindingTrace(commit: 9.5).findings(options)
    #expect(found.first?.evidence.count == 40)
    #expect(found.first?.evidence.worst?.frame == 20)
  }

  @Test func `too few frames are found (M-8)`() {
    #expect(FindingTrace(frames: 29).findings().map(\.id) == [.fewFrames])
    #expect(FindingTrace(frames: 30).findings() == [])
  }

  @Test func `data lost by the recorder is found, file damage is a notice`() {
    var lost = FindingTrace()
    lost.lose(.recorderOutOfSpace, 3)
    lost.lose(.sourceDroppedRecords, UInt64.max)
    #expect(lost.findings().map(\.id) == [.dataLoss])
    #expect(lost.findings().first?.evidence.count == Int.max)
    var damaged = FindingTrace()
    damaged.lose(.checksumMismatch, 3)
    #expect(damaged.findings() == [])
  }

  @Test func `work counts to the window that contains it, even if another window lies inside`() {
    var builder = TraceBuilder(format: "built")
    let process = builder.process(1)
    let main = builder.track(1, of: process)
    builder.setMain(main)
    builder.setHost(process)
    let surface = builder.surface("display")
    func time(_ milliseconds: Int64) -> Timestamp {
      Timestamp(clamping: milliseconds * 1_000_000)
    }
    for (begin, length) in [(0, 100), (10, 10), (30, 10)] as [(Int64, Int64)] {
      builder.addListedHitch(
        ListedHitch(start: time(begin), length: .milliseconds(length)), of: surface)
    }
    let decode = builder.label(category: "scrolltrace.image", name: "decode")
    builder.addSpan(on: main, from: time(50), to: time(80), label: decode)
    builder.addSpan(on: main, from: time(12), to: time(18), label: decode)
    let findings = TraceAnalyzer().analyze(builder.finish()).findings
    #expect(findings.map(\.id) == [.unrecordedWork, .decodeOnMainThread])
    let found = findings.last
    #expect(found?.summary == FindingSummary(.decodeOnMainThread))
    #expect(found?.evidence.count == 2 && found?.evidence.hitches == 2)
    #expect(found?.evidence.hitchTime == .milliseconds(110))
  }
}
