import ScrollTraceAnalysis
import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Copies as lines of JSON.
struct LineExporterTests {
  @Test func `NDJSON holds everything of a sample that it can express`() async {
    await forEachCase(of: SampleFiles.some, oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try SampleFiles.trace(name)
      let (copy, leftOut) = try trace.copied(as: .ndjson)
      #expect(leftOut[.span] == 0 && leftOut[.frame] == 0 && leftOut[.mark] == 0)
      #expect(copy.losses.isEmpty)
      #expect(leftOut[.listedHitch] == 0)
      // Lines cannot hold losses, nor the number of a process without a name.
      guard trace.losses.isEmpty, name != "Foreign/feed.systrace" else { return }
      #expect(firstDifference(trace.result.figures, copy.result.figures) == nil)
    }
  }

  @Test func `hitches listed by the source have their own lines (M-2)`() throws {
    var trace = try SampleFiles.trace("Foreign/hitches.xml")
    let (bytes, leftOut) = trace.exported(as: .ndjson)
    #expect(leftOut[.listedHitch] == 0)
    let copy = try TraceFile.read(bytes)
    for (surface, other) in zip(trace.surfaces, copy.surfaces) {
      #expect(other.basis == .hitchList)
      #expect(
        other.listedHitches.map { [$0.start.nanoseconds, $0.length.nanoseconds] }
          == surface.listedHitches.map { [$0.start.nanoseconds, $0.length.nanoseconds] })
      #expect(
        other.listedHitches.map(\.refreshInterval) == surface.listedHitches.map(\.refreshInterval))
      #expect(
        other.listedHitches.map { $0.sourceLabel.map { copy.strings[$0] } }
          == surface.listedHitches.map { $0.sourceLabel.map { trace.strings[$0] } })
    }
    #expect(copy.source.hasKnownLength)
    trace.source.hasKnownLength = false
    let unknown = trace.exported(as: .ndjson).bytes
    #expect(try !TraceFile.read(unknown).source.hasKnownLength)
  }

  @Test func `lines keep counters with one name separate`() throws {
    var builder = TraceBuilder(format: "counters")
    let labels = [("a", "fps"), ("b", "fps"), ("a", "fps/b//0"), ("b", "fps/b//0 (2)")]
    for (category, name) in labels {
      let label = builder.label(category: category, name: name)
      builder.addSample(1, of: label, at: Timestamp(clamping: 5))
    }
    let copy = try builder.finish().copied(as: .ndjson).copy
    #expect(copy.counters.count == 4)
    #expect(copy.counterSamples.count == 4)
  }
}
