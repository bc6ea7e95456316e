import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-25: what the main thread did while frames were late, and what follows from it. Frame 20 commits from
/// 200 to 215 ms and has a span for all of it.
@Suite struct ThreadTimeTests {
  private func analyze(
    late: Set<Int> = [20], _ change: (inout FindingTrace) -> Void
  ) -> Analysis {
    var trace = FindingTrace(late: late)
    change(&trace)
    return TraceAnalyzer().analyze(trace.trace())
  }

  private func attribution(_ analysis: Analysis) throws -> Attribution {
    try #require(analysis.surfaces.first?.hitches.first?.attribution)
  }

  @Test func `a span is attributed the time its thread ran, the rest is not scheduled`() throws {
    let analysis = analyze { $0.count(200, 215, cpu: 3, ready: 12) }
    let attribution = try attribution(analysis)
    #expect(attribution.causes.map(\.selfTime) == [.milliseconds(3)])
    #expect(attribution.notScheduled == .milliseconds(12))
    #expect(attribution.unrecorded + attribution.idle == .zero)
    let finding = try #require(analysis.findings.first)
    #expect(finding.id == .machineOverloaded)
    #expect(finding.measures.total == .milliseconds(12))
    #expect(analysis.findings.allSatisfy { $0.id != .longTask })
  }

  @Test(arguments: [(570.0, true), (540, false)])
  func `CPU time per frame is known if no more than a tenth of the motion is not`(
    counted: Double, isKnown: Bool
  ) throws {
    let analysis = analyze { $0.count(0, counted, cpu: 122) }
    let surface = try #require(analysis.surfaces.first)
    let metric = try #require(Metric.named("mainCpuPerFrameNs"))
    #expect((metric.number(in: MetricContext(surface, in: analysis)) != nil) == isKnown)
  }

  @Test func `the parts of a window add up to it, whatever the counts`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<(ExtraCases.isThorough ? 500 : 20) {
      let analysis = analyze { trace in
        trace.span("lock", 201, 5)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          let start = Double(Int.random(in: 190...214, using: &random))
          let length = Double(Int.random(in: 1...12, using: &random))
          let cpu = Double.random(in: 0...length, using: &random)
          let ready =
            Bool.random(using: &random) ? Double.random(in: 0...length, using: &random) : nil
          if Bool.random(using: &random) {
            trace.count(start, start + length, cpu: cpu, ready: ready)
          } else {
            trace.slice(.ready, start, start + cpu)
            trace.slice(.running, start + cpu, start + length)
          }
        }
      }
      for hitch in analysis.surfaces.flatMap(\.hitches) {
        guard let attribution = hitch.attribution else { continue }
        let work = attribution.causes.reduce(TimeSpan.zero) { $0 + $1.selfTime }
        let rest = attribution.rest.reduce(TimeSpan.zero) { $0 + $1.time }
        #expect(work + rest == attribution.window.length)
        if let thread = attribution.thread {
          #expect(thread.length == attribution.window.length)
          #expect(attribution.rest.allSatisfy { $0.time >= .zero })
        }
      }
    }
  }

  @Test func `spans that share one count say how much of it may be another's`() throws {
    func estimated(_ change: (inout FindingTrace) -> Void) throws -> TimeSpan {
      try attribution(
        analyze { trace in
          trace.span("lock", 201, 5)
          change(&trace)
        }
      ).estimated
    }
    #expect(try estimated { $0.count(200, 215, cpu: 4, ready: 0) } == .milliseconds(4))
    #expect(try estimated { $0.count(200, 215, cpu: 12, ready: 0) } == .milliseconds(3))
    #expect(try estimated { $0.count(200, 215, cpu: 15, ready: 0) } == .zero)
    let isCounted = try estimated { trace in
      trace.slice(.running, 200, 203)
      trace.slice(.blocked, 203, 213)
      trace.slice(.running, 213, 215)
    }
    #expect(isCounted == .zero)
    let one = try attribution(analyze { $0.count(200, 215, cpu: 3, ready: 12) })
    #expect(one.estimated == .zero)
  }

  @Test
  func `the totals of a long window equal the sum of its parts, however many there are`() throws {
    var random = SeededGenerator(seed: 11)
    for hasSchedule in [false, true] {
      var trace = FindingTrace()
      var now = 0.0
      while now < 500 {
        let length = Double(Int.random(in: 0...3, using: &random))
        if hasSchedule {
          trace.slice(Bool.random(using: &random) ? .running : .blocked, now, now + length)
          now += Double(Int.random(in: 0...1, using: &random))
        } else {
          trace.count(now, now + length, cpu: length / 2, ready: length / 4)
        }
        now += length
      }
      let timeline = try #require(ThreadTimeline(of: trace.trace().tracks[0]))
      for _ in 0..<300 {
        let start = Int64.random(in: 0...600_000_000, using: &random)
        let end = Int64.random(in: start...600_000_000, using: &random)
        let window = TimeRange(start: Timestamp(clamping: start), end: Timestamp(clamping: end))
        var parts = ThreadTimes()
        timeline.forEachPart(of: window) { parts += $2 }
        #expect(timeline.times(in: window) == parts)
        #expect(parts.length == window.length)
      }
    }
  }

  @Test
  func `a thread that waits inside a span is blocked, on disk I/O if it page-faulted`() throws {
    let analysis = analyze { $0.count(200, 215, cpu: 3, ready: 0, diskFaults: 40) }
    let attribution = try attribution(analysis)
    #expect(attribution.blocked == .milliseconds(12))
    let wait = Wait(span: WorkName(category: "scrolltrace.phase", name: "commit"), kind: .disk)
    #expect(attribution.waits.map(\.wait) == [wait])
    let finding = try #require(analysis.findings.first)
    #expect(finding.id == .waitOnMainThread && finding.cause == .wait(wait))
    #expect(finding.fact("diskFaults") == .count(40))
  }

  @Test func `pages count if the samples lie shortly before and after the commit`() throws {
    for (start, kind) in [(199.9, WaitKind.disk), (190, .unknown)] {
      let analysis = analyze { $0.count(start, 215.2, cpu: 3, ready: 0, diskFaults: 40) }
      #expect(try attribution(analysis).waits.first?.wait.kind == kind)
    }
  }

  @Test func `the thread that ended a wait is named with its work`() throws {
    let analysis = analyze { trace in
      trace.slice(.running, 200, 203)
      trace.slice(.blocked, 203, 213)
      trace.slice(.ready, 213, 214, isWokenByLoader: true)
      trace.slice(.running, 214, 215)
      trace.span("write journal", 202, 11, isOnMain: false)
    }
    let attribution = try attribution(analysis)
    #expect(attribution.blocked == .milliseconds(10))
    #expect(attribution.notScheduled == .milliseconds(1))
    let finding = try #require(analysis.findings.first { $0.id == .waitOnMainThread })
    #expect(finding.fact("heldByThread") == .name("thread 2"))
    #expect(finding.fact("heldByWork") == .name("write journal"))
  }

  @Test func `the schedule of a frame is part of its details`() throws {
    let analysis = analyze { trace in
      trace.slice(.running, 190, 203)
      trace.slice(.blocked, 203, 213)
      trace.slice(.running, 250, 260)
    }
    let detail = try #require(analysis.detail(ofFrame: 20))
    #expect(detail.mainStates.map(\.state) == [.running, .blocked])
  }

  @Test func `without a schedule, the work that lasted as long as the wait is named`() throws {
    let analysis = analyze { trace in
      trace.count(200, 215, cpu: 3, ready: 0)
      trace.span("write journal", 200.5, 14, isOnMain: false)
    }
    let finding = try #require(analysis.findings.first { $0.id == .waitOnMainThread })
    #expect(finding.fact("heldByThread") == .name("thread 2"))
    #expect(finding.fact("heldByWork") == .name("write journal"))
  }

  @Test func `background threads that occupy the cores are the finding, not more background work`()
    throws
  {
    let analysis = analyze { trace in
      trace.slice(.running, 200, 201)
      trace.slice(.ready, 201, 214)
      trace.slice(.running, 214, 215)
      trace.slice(.running, 200, 214, isOnMain: false)
      trace.span("image.decode", 200, 15)
    }
    let finding = try #require(analysis.findings.first)
    #expect(finding.id == .backgroundHoldsCores)
    #expect(finding.fact("threads") == .names(["thread 2"]))
    #expect(analysis.findings.allSatisfy { $0.id != .decodeOnMainThread })
  }

  @Test func `CPU time alone shows that the thread did not run, not why`() throws {
    let attribution = try attribution(analyze { $0.count(200, 215, cpu: 3) })
    #expect(attribution.notRunning == .milliseconds(12))
    #expect(attribution.thread?.readyShare == nil)
  }

  @Test func `a window that cuts a segment gets the certain part, the rest is unknown`() throws {
    // 20 ms with 12 on a core: at least 7 of the 15 from 200 to 215 ran.
    let attribution = try attribution(analyze { $0.count(195, 215, cpu: 12, ready: 2) })
    #expect(attribution.thread?.ran == .milliseconds(7))
    #expect(attribution.thread?.ready == .zero)
    #expect(attribution.thread?.blocked == .milliseconds(1))
    #expect(attribution.thread?.unknown == .milliseconds(7))
  }

  @Test func `counters that run backwards or exceed wall time are unknown, with a notice`() throws {
    for (first, cpu) in [(0.0, -25.0), (0.0, 40.0)] {
      let analysis = analyze { trace in
        trace.count(50, 90, cpu: 40, ready: 0)
        trace.count(100, 101 + first, cpu: 1, ready: 0)
        trace.count(200, 215, cpu: cpu, ready: 0)
      }
      #expect(try attribution(analysis).thread == nil)
      #expect(
        analysis.notices.contains(.trace(.implausibleThreadTimes(track: "thread 1", count: 1))))
    }
  }

  @Test func `a main thread without a core makes only the rating of hitches uncertain`() throws {
    func run(late: Set<Int>) -> Analysis {
      analyze(late: late) { trace in
        for frame in 0..<60 where !late.contains(frame - 1) {
          let start = Double(frame) * 10
          let end = start + (late.contains(frame) ? 15 : 10)
          trace.count(start, end, cpu: 3, ready: late.contains(frame) ? 12 : 2)
          if late.contains(frame) { trace.count(end, end + 5, cpu: 0, ready: 0) }
        }
      }
    }
    #expect(run(late: []).surfaces.first?.rated(by: .scroll).rating == .good)
    let starved = run(late: [30])
    let surface = try #require(starved.surfaces.first)
    let rated = surface.rated(by: .scroll)
    #expect(rated.rating == .uncertain)
    guard case .starved(let share)? = rated.reason else {
      Issue.record("the reason is \(String(describing: rated.reason))")
      return
    }
    #expect(abs(share - 128.0 / 620) < 0.001)
    let calm = analyze(late: []) { trace in
      for frame in 0..<60 {
        trace.count(Double(frame) * 10, Double(frame) * 10 + 10, cpu: 6, ready: 0.9)
      }
    }
    #expect(calm.surfaces.first?.rated(by: .scroll).rating == .good)
    #expect(
      Metric.mainCPUPerFrame.number(in: MetricContext(calm.surfaces.first, in: calm)) == 6_000_000)
  }
}
