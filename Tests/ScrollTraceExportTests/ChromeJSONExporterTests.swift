import Foundation
import ScrollTraceAnalysis
import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Copies as Chrome's JSON.
struct ChromeJSONExporterTests {
  @Test func `spans, marks and samples of a sample survive the round trip`() async {
    await forEachCase(of: SampleFiles.some, oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try SampleFiles.trace(name)
      let (bytes, leftOut) = trace.exported(as: .chromeJSON)
      #expect(leftOut[.span] == 0)
      _ = try JSONSerialization.jsonObject(with: Data(bytes))
      let copy = try TraceFile.read(bytes)
      #expect(copy.losses.isEmpty)
      #expect(firstDifference(trace.work, copy.work) == nil)
      #expect(firstDifference(trace.timestamps, copy.timestamps) == nil)
      #expect(firstDifference(trace.counterSamples, copy.counterSamples) == nil)
      if leftOut[.listedHitch] == 0 {
        #expect(firstDifference(trace.frameLines, copy.frameLines) == nil)
      }
      #expect(trace.interactions.map(\.start) == copy.interactions.map(\.start))
      #expect(trace.interactions.map(\.end) == copy.interactions.map(\.end))
      #expect(trace.states == copy.states)
    }
  }

  @Test(arguments: TraceFormat.all.map { $0.name })
  func `a recording that was converted has the same findings`(format: String) throws {
    let exporter = try #require(TraceFormat.named(format))
    let trace = try SampleFiles.trace("feed-commit-hitches.fxt")
    let copy = try trace.copied(as: exporter).copy
    let analyses = [trace, copy].map { TraceAnalyzer().analyze($0) }
    #expect(analyses[0].findings.map(\.id) == analyses[1].findings.map(\.id))
    #expect(
      analyses[0].primarySurface?.hitchTime == analyses[1].primarySurface?.hitchTime)
  }
}

extension Trace {
  /// The spans, thread by thread.
  var work: [String] {
    tracks.filter { $0.spans.count > 0 }.flatMap { track in
      track.spans.map { span in
        let range = "\(span.range.start.nanoseconds) \(span.range.end.nanoseconds)"
        return "\(track.name) \(range) \(category(of: span.label))/\(name(of: span.label))"
      }.sorted()
    }.sorted()
  }

  /// The spans of no thread's stack, as those that are of one.
  var asyncWork: [String] {
    asyncSpans.map { span in
      let range = "\(span.range.start.nanoseconds) \(span.range.end.nanoseconds)"
      let name = tracks[span.track.index].name
      return "\(name) \(range) \(category(of: span.label))/\(self.name(of: span.label))"
    }
  }

  /// The marks that are no states, and the points of flows.
  var timestamps: [String] {
    let points = flows.map {
      "\($0.time.nanoseconds) \(name(of: $0.label)) \($0.id) \($0.kind)"
    }
    let all = marks.filter { category(of: $0.label) != "scrolltrace.state" }.map {
      "\($0.time.nanoseconds) \(category(of: $0.label))/\(name(of: $0.label))"
    }
    return (all + points).sorted()
  }

  /// The samples of the counters.
  var counterSamples: [String] {
    counters.flatMap { counter in
      zip(counter.times, counter.values).map { "\(name(of: counter.label)) \($0) \($1)" }
    }.sorted()
  }
}
