import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Copies in our own format.
struct FXTExporterTests {
  @Test func `the copy of a sample says what the sample says`() async {
    await forEachCase(of: SampleFiles.some, oneCase)
    @Sendable func oneCase(name: String) throws {
      try check(name)
      let trace = try SampleFiles.trace(name)
      let isSame =
        trace.exported(as: FXTExporter.self).bytes == trace.exported(as: FXTExporter.self).bytes
      #expect(isSame)
    }
  }

  @Test(.needsExtraCases)
  func `the copy of a real trace says what the trace says`() async {
    await forEachCase(of: SampleFiles.extra, oneCase)
    @Sendable func oneCase(name: String) throws {
      try check(name)
    }
  }

  private func check(_ name: String) throws {
    let trace = try SampleFiles.trace(name)
    let (bytes, leftOut) = trace.exported(as: FXTExporter.self)
    for kind in ExportOmissions.Kind.allCases where kind != .aggregate {
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
