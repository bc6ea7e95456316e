import ScrollTraceAnalysis
import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Copies as lines of JSON and as comma-separated values.
struct LineExporterTests {
  @Test func `NDJSON holds everything of a sample that it can express`() async {
    await forEachCase(of: SampleFiles.some, oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try SampleFiles.trace(name)
      let (bytes, leftOut) = trace.exported(as: NDJSONExporter.self)
      let copy = try TraceFile.read(MemoryByteSource(bytes))
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
    let (bytes, leftOut) = trace.exported(as: NDJSONExporter.self)
    #expect(leftOut[.listedHitch] == 0)
    let copy = try TraceFile.read(MemoryByteSource(bytes))
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
    let unknown = trace.exported(as: NDJSONExporter.self).bytes
    #expect(try !TraceFile.read(MemoryByteSource(unknown)).source.hasKnownLength)
  }

  @Test func `lines keep counters with one name separate`() throws {
    var builder = TraceBuilder(format: "counters")
    let labels = [("a", "fps"), ("b", "fps"), ("a", "fps/b//0"), ("b", "fps/b//0 (2)")]
    for (category, name) in labels {
      let label = builder.label(category: category, name: name)
      builder.addSample(1, of: label, at: Timestamp(clamping: 5))
    }
    let (bytes, _) = builder.finish().exported(as: NDJSONExporter.self)
    let copy = try TraceFile.read(MemoryByteSource(bytes))
    #expect(copy.counters.count == 4)
    #expect(copy.counterSamples.count == 4)
  }

  @Test func `surface data that a table cannot hold is counted`() throws {
    var builder = TraceBuilder(format: "frames")
    builder.setHost(builder.process(1))
    let surface = builder.surface("list")
    builder.setPresentationTolerance(TimeSpan(nanoseconds: 1_000_000), of: surface)
    builder.setOnRefreshGrid(surface)
    builder.setBasis(.none, of: surface)
    var frame = Frame(id: 1)
    frame.start = Timestamp(clamping: 5)
    frame.track = builder.track(7, of: builder.process(2))
    builder.addFrame(frame, of: surface)
    let (_, leftOut) = builder.finish().exported(as: CSVExporter.self)
    #expect(leftOut.text == "1 frame thread, 3 surface properties")
  }

  @Test func `a table holds the frames of a sample`() async {
    await forEachCase(of: SampleFiles.some, oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try SampleFiles.trace(name)
      let (bytes, leftOut) = trace.exported(as: CSVExporter.self)
      let frames = trace.surfaces.reduce(0) { $0 + $1.frames.count }
      #expect(bytes.count { $0 == 0x0A } == frames + 1)
      #expect(leftOut[.frame] == 0)
      guard frames > 0 else { return }
      let copy = try TraceFile.read(MemoryByteSource(bytes))
      #expect(copy.losses.isEmpty)
      let filled = trace.surfaces.filter { $0.frames.count > 0 }
      #expect(copy.surfaces.map(\.name) == filled.map(\.name))
      for (mine, theirs) in zip(filled, copy.surfaces) {
        let count = min(mine.frames.count, theirs.frames.count)
        let isSame = (0..<count).allSatisfy { index in
          mine.frames[index].isSame(as: theirs.frames[index], labels: (trace.strings, copy.strings))
        }
        #expect(isSame && mine.frames.count == theirs.frames.count)
      }
    }
  }
}

extension Frame {
  /// Whether two frames of two traces say the same, but for the track.
  func isSame(as other: Frame, labels: (StringTable, StringTable)) -> Bool {
    id == other.id && start == other.start && commitStart == other.commitStart
      && commitEnd == other.commitEnd && deadline == other.deadline && target == other.target
      && presented == other.presented && refreshInterval == other.refreshInterval
      && outcome == other.outcome
      && sourceLabel.map { labels.0[$0] } == other.sourceLabel.map { labels.1[$0] }
  }
}
