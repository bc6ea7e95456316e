import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The snapshot of Flutter's DevTools: what no damage to it may do.
@Suite struct FlutterSampleTests {
  private static let bytes = Array(FlutterSample.text.utf8)

  private static func read(_ bytes: [UInt8]) throws(ImportError) -> Trace {
    try TraceFile.read(MemoryByteSource(bytes), path: "unknown")
  }

  @Test func `every truncated sample is rejected or counted`() throws {
    let last = try #require(Self.bytes.lastIndex { [0x5D, 0x7D].contains($0) })
    for count in stride(from: 0, to: last, by: max(1, last / (ExtraCases.isThorough ? 200 : 30))) {
      guard let trace = try? Self.read(Array(Self.bytes[..<count])) else { continue }
      #expect(!trace.losses.isEmpty, "cut at \(count)")
    }
  }

  @Test func `no swapped value stops the reader`() {
    let places = Self.bytes.indices.filter { Self.bytes[$0] == UInt8(ascii: ":") }
    let hostile = [
      "null", "true", "-1", "1e300", "-1e-300", "9223372036854775807", "-9223372036854775808",
      "1e999", "\"\"", "\"NaN\"", "[]", "{}", "[[[[1]]]]", "NaN", "\"\\ud800\"",
      "[null,{},\"x\",1e99]",
      String(repeating: "9", count: 500), String(repeating: "[", count: 200), "0.5", "2",
    ]
    for (index, value) in hostile.enumerated() {
      // Each value stands in other places, all over the file.
      let step = max(1, places.count / (ExtraCases.isThorough ? 15 : 4))
      for place in stride(from: index % step, to: places.count, by: step) {
        let begin = places[place] + 1
        let end = Self.bytes[begin...].firstIndex { [0x2C, 0x7D, 0x5D].contains($0) } ?? begin
        _ = try? Self.read(
          Array(Self.bytes[..<begin]) + Array(value.utf8) + Array(Self.bytes[end...]))
      }
    }
  }
}
