import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Waiting is no work (M-11).
@Suite struct WaitingTests {
  private func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }

  /// A main track that works for 20 ms and waits for 60 ms, and a loader that downloads for 90 ms and
  /// decodes for 10 ms.
  private func trace() -> Trace {
    var builder = TraceBuilder(format: "drawn")
    let main = builder.mainThread(isHost: true)
    let loader = builder.track(2, of: builder.process(1))
    let work = builder.label(category: "work", name: "layout")
    let wait = builder.label(category: "scrolltrace.waiting", name: "vsync")
    let download = builder.label(category: "scrolltrace.image", name: "download")
    let decode = builder.label(category: "scrolltrace.image", name: "decode")
    builder.addSpan(on: main, from: .zero, to: time(20), label: work)
    builder.addSpan(on: main, from: time(20), to: time(80), label: wait)
    builder.addSpan(on: loader, from: .zero, to: time(90), label: download)
    builder.addSpan(on: loader, from: time(90), to: time(100), label: decode)
    builder.extend(to: time(100))
    return builder.finish()
  }

  @Test func `a category's work and its waiting are reported separately`() throws {
    let work = TraceAnalyzer().analyze(trace()).work
    let loader = try #require(work.tracks.first { !$0.isMain })
    let image = try #require(loader.byCategory.first)
    #expect(loader.byCategory.count == 1)
    #expect(image.category == "scrolltrace.image")
    #expect(image.selfTime == .milliseconds(10))
    #expect(image.waiting == .milliseconds(90))
    for track in work.tracks {
      #expect(track.byCategory.reduce(.zero) { $0 + $1.selfTime } == track.busy)
      #expect(track.byCategory.reduce(.zero) { $0 + $1.waiting } == track.waiting)
    }
  }

  @Test func `running, waiting and idle add up to each part of a range`() throws {
    let trace = trace()
    let activity = try #require(MainActivity(of: trace, in: trace.range, parts: 10))
    #expect(
      activity.parts.map(\.running).prefix(3) == [.milliseconds(10), .milliseconds(10), .zero])
    #expect(activity.parts.map(\.waiting)[7...] == [.milliseconds(10), .zero, .zero])
    #expect(activity.parts.reduce(.zero) { $0 + $1.waiting } == .milliseconds(60))
    #expect(activity.parts.allSatisfy { $0.running + $0.waiting <= $0.range.length })
    #expect(activity.parts.last?.range.end == trace.range.end)
  }

  @Test func `if the main thread never waited, running and waiting are not reported separately`() {
    var builder = TraceBuilder(format: "drawn")
    let main = builder.mainThread()
    let label = builder.label(category: "work", name: "layout")
    builder.addSpan(on: main, from: .zero, to: time(20), label: label)
    let trace = builder.finish()
    #expect(MainActivity(of: trace, in: trace.range, parts: 10) == nil)
  }
}
