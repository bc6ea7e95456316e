import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// A frame that was open when the recording ended.
@Suite struct OpenFrameTests {
  /// Frames in time, and a last one that is open for some milliseconds.
  private func trace(
    openFor length: Int64, inside span: String? = nil, samples function: String? = nil,
    drags: Bool = false, isOfDisplay: Bool = false
  ) -> Trace {
    var builder = TraceBuilder(format: "fxt")
    let main = builder.track(7, of: builder.process(7))
    builder.setMain(main)
    let surface = builder.surface("feed")
    if isOfDisplay { builder[surface].isDisplayStream = true }
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    if drags {
      builder.addInteraction(
        Interaction(kind: "drag", start: time(0), end: nil, surface: surface))
    }
    builder.extend(to: time(0))
    for index in Int64(0)...40 {
      builder.updateFrame(
        index, of: surface, start: time(index * 10), commitStart: time(index * 10),
        commitEnd: index < 40 ? time(index * 10 + 4) : nil, deadline: time(index * 10 + 10),
        refreshInterval: .milliseconds(10))
    }
    builder.addOpenSpan(
      on: main, since: time(400), label: builder.label(category: "scrolltrace.frame", name: "feed"))
    if let span {
      builder.addOpenSpan(
        on: main, since: time(401), label: builder.label(category: "app", name: span))
    }
    if let function {
      let series = builder.sampleSeries(of: main, reach: .middle)
      let code = builder.sampledFunction(builder.string(function), in: builder.string("app"))
      let stack = builder.stack(of: code, calledBy: .empty) ?? .empty
      for at in 400..<(400 + length) { builder.addSample(of: stack, at: time(at), to: series) }
    }
    builder.extend(to: time(400 + length))
    return builder.finish()
  }

  @Test func `a frame in which the recording ends after long is found, with its function`() throws {
    let analysis = TraceAnalyzer().analyze(trace(openFor: 1800, samples: "hang"))
    let finding = try #require(analysis.findings.first)
    #expect(finding.id == .endlessFrame)
    #expect(finding.fact("name") == .name("hang") && finding.fact("samples") == .count(1800))
    #expect(finding.measures.total == .milliseconds(1800))
    #expect(finding.measures.worst?.frame == 40)
    let surface = try #require(analysis.primarySurface)
    #expect(surface.openFrame?.window.length == .milliseconds(1800))
    #expect(surface.hitchTime == .zero)
    let account = try #require(analysis.samples?.openFrames[surface.surface])
    #expect(account.samples == 1800)
  }

  @Test func `a picture of the display that never came is no frame in which the app hung`() {
    let findings = TraceAnalyzer().analyze(trace(openFor: 1800, isOfDisplay: true)).findings
    #expect(!findings.contains { $0.id == .endlessFrame })
  }

  @Test func `without samples, the innermost open span is what it was in`() {
    let finding = TraceAnalyzer().analyze(trace(openFor: 900, inside: "layout")).findings.first
    #expect(finding?.id == .endlessFrame)
    #expect(finding?.fact("name") == .name("layout"))
    let alone = TraceAnalyzer().analyze(trace(openFor: 900)).findings.first
    #expect(alone?.id == .endlessFrame && alone?.fact("name") == .name(nil))
  }

  @Test(arguments: [(249, "hang"), (1800, "epoll_wait"), (1800, "(idle)")])
  func `a recording that just ends in a frame, or waits in it, has no such finding`(
    length: Int64, function: String
  ) {
    let findings = TraceAnalyzer().analyze(trace(openFor: length, samples: function)).findings
    #expect(!findings.contains { $0.id == .endlessFrame })
  }

  @Test func `while it goes on, watching names its function`() throws {
    let live = LiveAnalysis(of: trace(openFor: 1800, samples: "hang", drags: true))
    let stall = try #require(live.stall(at: live.trace.range.end))
    let window = TimeRange(start: stall.start, end: live.trace.range.end)
    #expect(live.sampleTimeline?.heaviestFunction(in: window) == "hang")
  }

  @Test func `in motion, a hitch stands for it`() {
    let analysis = TraceAnalyzer().analyze(trace(openFor: 1800, samples: "hang", drags: true))
    #expect(analysis.primarySurface?.openFrame == nil)
    #expect(analysis.primarySurface?.hitches.last?.frame == 40)
    #expect(analysis.findings.first?.id == .unrecordedCode)
  }
}
