import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The samples of tables of frames: what they are, and what no damage to them may do.
@Suite struct FrameTableSampleTests {
  private static let names = FrameTableSamples.all.map(\.0)

  private static func text(_ name: String) throws -> String {
    try #require(FrameTableSamples.all.first { $0.0 == name }).2
  }

  private static func read(_ bytes: [UInt8]) throws(ImportError) -> Trace {
    try TraceFile.read(MemoryByteSource(bytes), path: "unknown")
  }

  @Test func `every truncated sample is an error, is reported or is shorter`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let bytes = Array(try Self.text(name).utf8)
      let whole = try Self.read(bytes)
      let step = ExtraCases.isThorough ? 13 : 149
      for count in stride(from: 0, to: bytes.count - 1, by: step) {
        guard let trace = try? Self.read(Array(bytes[..<count])) else { continue }
        #expect(
          trace.surfaces.reduce(0) { $0 + $1.frames.count } <= whole.surfaces[0].frames.count,
          "cut at \(count)")
      }
    }
  }

  @Test func `no swapped value stops a reader`() async {
    await forEachCase(of: Self.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let lines = try Self.text(name).split(separator: "\n", omittingEmptySubsequences: false)
      let hostile = [
        "NaN", "inf", "-1", "1e300", "9223372036854775807", "-9223372036854775808",
        "99999999999999999999999", "", "NA", "\"", "\"a,b\"", "\u{FFFD}", "0x10", "1e-400", "-0",
        String(repeating: "9", count: 5000), ",",
      ]
      for value in hostile {
        for line in lines.indices.suffix(20) {
          var fields = lines[line].split(separator: ",", omittingEmptySubsequences: false)
          let step = ExtraCases.isThorough ? 13 : 149
          for field in fields.indices where (line * 7 + field) % step == 0 {
            let old = fields[field]
            fields[field] = Substring(value)
            var copy = lines
            copy[line] = Substring(fields.joined(separator: ","))
            _ = try? Self.read(Array(copy.joined(separator: "\n").utf8))
            fields[field] = old
          }
        }
      }
    }
  }

  @Test func `a hundred thousand columns are read in linear time`() async {
    await forEachCase(
      of: [
        "Application,ProcessID,CPUStartTime", "fps,frametime,elapsed",
        "Flags,IntendedVsync,FrameCompleted",
      ], oneCase)
    @Sendable func oneCase(names: String) throws {
      let wide = names + String(repeating: ",x", count: 100_000)
      let row = "1,1,17000000" + String(repeating: ",1", count: 100_000)
      _ = try? Self.read(Array((wide + "\n" + row + "\n" + row + "\n").utf8))
      let many = (0..<1000).map { ",c\($0)" }.joined()
      _ = try? Self.read(Array((names + many + "\n1,1,17000000\n1,1,17000000" + many).utf8))
    }
  }
}
