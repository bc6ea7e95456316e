import Foundation
import ScrollTraceFormat
import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

@Suite struct FXTImporterTests {
  @Test func `a trace in the other order of bytes is refused by name`() {
    let magic: [UInt8] = [0x00, 0x16, 0x54, 0x78, 0x46, 0x04, 0x00, 0x10]
    #expect {
      try TraceFile.read(MemoryByteSource(magic + [UInt8](repeating: 0, count: 64)))
    } throws: { error in
      "\(error)".contains("big-endian")
    }
  }

  @Test(.enabled(if: SharedCases.areAvailable))
  func `a killed recording opens compressed, and with its first page lost`() throws {
    let path = try SharedCases.path("fxt/killed0.fxt.gz")
    let whole = try TraceFile.open(path)
    #expect(whole.source.format == "fxt")
    #expect(whole.tracks.map(\.spans.count).reduce(0, +) == 51_157)

    let gzip = try GzipByteSource(FileByteSource(path: path), maximumByteCount: 1 << 30)
    var bytes = [UInt8](repeating: 0, count: 1 << 26)
    var count = 0
    while true {
      let got = try bytes[count...].withUnsafeMutableBytes { try gzip.read(into: $0) }
      guard got > 0 else { break }
      count += got
    }
    let torn = [UInt8](repeating: 0, count: 4096) + bytes[4096..<count]
    let trace = try TraceFile.read(MemoryByteSource(torn))
    #expect(trace.source.format == "fxt")
    #expect(trace.tracks.map(\.spans.count).reduce(0, +) > 50_000)
    #expect(!trace.losses.isEmpty)
  }
}
