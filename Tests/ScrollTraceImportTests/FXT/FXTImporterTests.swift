import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct FXTImporterTests {
  @Test func `a trace in the other byte order is rejected by name`() {
    let magic: [UInt8] = [0x00, 0x16, 0x54, 0x78, 0x46, 0x04, 0x00, 0x10]
    #expect {
      try TraceFile.read(MemoryByteSource(magic + [UInt8](repeating: 0, count: 64)))
    } throws: { error in
      "\(error)".contains("big-endian")
    }
  }

  @Test func `a recording is recognized by its chunks if its first page is lost`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("unknown").path
    let recorder = try TraceRecorder(writingTo: path)
    recorder.withSpan("layout") {}
    try recorder.finish()

    let whole = try TraceFile.open(path)
    #expect(whole.source.format == "fxt")
    #expect(whole.source.wasClosed == true)
    #expect(whole.spanCount == 1)

    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let torn = [UInt8](repeating: 0, count: 4096) + bytes[4096...]
    let trace = try TraceFile.read(MemoryByteSource(torn))
    #expect(trace.spanCount == 1)
    #expect(!trace.losses.isEmpty)
  }

  @Test(.needsExtraCases)
  func `the compressed recording of a killed host can be opened`() throws {
    let trace = try TraceFile.open(SharedCases.path("fxt/killed0.fxt.gz"))
    #expect(trace.source.format == "fxt")
    #expect(trace.spanCount == 51_157)
  }
}
