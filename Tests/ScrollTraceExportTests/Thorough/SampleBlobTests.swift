import ScrollTraceImport
import ScrollTraceModel
import Testing

@testable import ScrollTraceExport

/// Sampled stacks in a converted recording (F-9).
@Suite struct SampleBlobTests {
  /// A trace with samples of two threads: named functions, and code of a module.
  static func trace(depth: Int = 3, count: Int = 5_000) throws -> Trace {
    var builder = TraceBuilder(format: "test")
    let process = builder.process(100)
    let label = builder.label(category: "a", name: "b")
    for thread in [101, 102] as [UInt64] {
      let track = builder.track(thread, of: process)
      builder.addSpan(
        on: track, from: .zero, to: Timestamp(clamping: Int64(count) * 1000), label: label)
      let series = builder.sampleSeries(of: track, reach: .medianGaps)
      for index in 0..<count {
        var stack = StackID.empty
        for level in 0..<depth {
          let place = builder.string("app")
          let code = SampledCode(
            path: builder.string("/bin/app"), buildID: builder.string("01ab"),
            address: UInt64(index % 700 * depth + level))
          let function =
            level == 0
            ? builder.sampledFunction(of: code, in: place)
            : builder.sampledFunction(builder.string("f\(index % 300) \(level)"), in: place)
          stack = builder.stack(of: function, calledBy: stack) ?? stack
        }
        builder.addSample(of: stack, at: Timestamp(clamping: Int64(index) * 1000), to: series)
      }
    }
    return builder.finish()
  }

  static func stacks(_ trace: Trace) -> [String] {
    trace.samples.flatMap { series in
      series.times.indices.map { index in
        let path = trace.stackTree.path(of: series.stack(at: index))
        let thread = trace.tracks[series.track.index].systemID
        return "\(thread) \(series.times[index]) "
          + path.map { "\(trace.strings[$0.name])/\(trace.strings[$0.place])" }.joined(
            separator: " ")
      }
    }
  }

  static func codes(_ trace: Trace) -> Set<String> {
    Set(
      trace.stackTree.codes.values.map {
        "\(trace.strings[$0.path]) \(trace.strings[$0.buildID]) \($0.address)"
      })
  }

  @Test func `a copy has the same samples, names and code`() throws {
    let trace = try Self.trace()
    let (bytes, leftOut) = trace.exported(as: FXTExporter.self)
    #expect(leftOut.isEmpty)
    let copy = try TraceFile.read(bytes)
    #expect(copy.losses.isEmpty)
    #expect(Self.stacks(copy) == Self.stacks(trace))
    #expect(Self.codes(copy) == Self.codes(trace))
  }

  @Test func `a stack that no blob can hold is counted as omitted`() throws {
    let trace = try Self.trace(depth: 9_000, count: 2)
    #expect(trace.exported(as: FXTExporter.self).leftOut[.stackSample] == 4)
  }
}
