import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What a copy lacks is counted.
struct ExportOmissionsTests {
  private typealias Kind = ExportOmissions.Kind

  /// The objects of a trace that not every format has.
  private static func counts(_ trace: Trace) -> [Kind: Int] {
    [
      .frame: trace.surfaces.reduce(0) { $0 + $1.frames.count },
      .listedHitch: trace.surfaces.reduce(0) { $0 + $1.listedHitches.count },
      .stackSample: trace.samples.reduce(0) { $0 + $1.count },
      .asyncSpan: trace.asyncSpans.count,
      .flowPoint: trace.flows.count,
    ]
  }

  private static func sampled() throws -> Trace {
    var builder = TraceBuilder(format: "sampled")
    let series = builder.sampleSeries(
      of: builder.track(1, of: builder.process(1)), reach: .medianGaps)
    let function = builder.sampledFunction(builder.string("layout"))
    let made = builder.stack(of: function, calledBy: .empty)
    let stack = try #require(made)
    for time in 0..<5 {
      builder.addSample(of: stack, at: Timestamp(clamping: Int64(time) * 1000), to: series)
    }
    return builder.finish()
  }

  @Test func `whatever a copy lacks is counted, in every format`() async {
    await forEachCase(of: SampleFiles.some, oneCase)
    @Sendable func oneCase(name: String) throws {
      try check(SampleFiles.trace(name), name)
    }
  }

  @Test func `sampled stacks that a format cannot hold are counted`() throws {
    let trace = try Self.sampled()
    try check(trace, "sampled")
    for type in TraceFormat.all {
      #expect(trace.exported(as: type).leftOut[.stackSample] == 5, "\(type.name)")
    }
  }

  @Test func `surfaces stay apart in every format`() throws {
    var builder = TraceBuilder(format: "surfaces")
    for name in ["list", "detail"] {
      let surface = builder.surface(name)
      builder.updateFrame(1, of: surface, start: .zero, commitEnd: Timestamp(clamping: 1_000))
    }
    let trace = builder.finish()
    for type in TraceFormat.all {
      let copy = try trace.copied(as: type).copy
      #expect(copy.surfaces.map(\.name) == ["detail", "list"], "\(type.name)")
    }
  }

  private func check(_ trace: Trace, _ name: String) throws {
    for type in TraceFormat.all {
      let (bytes, leftOut) = trace.exported(as: type)
      guard let copy = try? TraceFile.read(bytes) else { continue }
      let copied = Self.counts(copy)
      for (kind, count) in Self.counts(trace) {
        let missing = count - (copied[kind] ?? 0)
        #expect(missing <= Int(leftOut[kind]), "\(name) as \(type.name): \(kind) \(leftOut.text)")
      }
    }
  }
}
