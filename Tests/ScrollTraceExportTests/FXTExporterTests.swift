import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Copies in our own format.
struct FXTExporterTests {
  @Test func `the copy of a sample equals the sample`() async {
    await forEachCase(of: SampleFiles.some, oneCase)
    @Sendable func oneCase(name: String) throws {
      try check(name)
    }
  }

  @Test(.needsExtraCases)
  func `the copy of a real trace equals the trace`() async {
    await forEachCase(of: SampleFiles.extra, oneCase)
    @Sendable func oneCase(name: String) throws {
      try check(name)
    }
  }

  @Test func `a surface whose frames were presented stays one in the copy (M-24)`() throws {
    var builder = TraceBuilder(format: "drawn")
    for name in ["page", "screen"] {
      var frame = Frame(id: 1)
      frame.start = .zero
      builder.addFrame(frame, of: builder.surface(name))
    }
    builder.setDisplayStream(builder.surface("screen"))
    let (bytes, _) = builder.finish().exported(as: FXTExporter.self)
    let copy = try TraceFile.read(MemoryByteSource(bytes))
    #expect(copy.surfaces.map(\.name) == ["page", "screen"])
    #expect(copy.surfaces.map(\.isDisplayStream) == [false, true])
  }

  private func check(_ name: String) throws {
    let trace = try SampleFiles.trace(name)
    let (bytes, leftOut) = trace.exported(as: FXTExporter.self)
    for kind in ExportOmissions.Kind.allCases {
      #expect(leftOut[kind] == 0, "\(leftOut.text)")
    }
    let copy = try TraceFile.read(MemoryByteSource(bytes))
    #expect(firstDifference(trace.result, copy.result) == nil)
    // The copy of a copy is the same file.
    var again = copy
    again.source.format = trace.source.format
    let isSameAgain = again.exported(as: FXTExporter.self).bytes == bytes
    #expect(isSameAgain)
  }
}
