import Foundation
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Recordings of which only the number of spans is wanted.
@Suite struct SpanCountTests {
  private static let folder = PackageFiles.url("SampleTraces")

  /// All recordings among the samples, damaged ones too.
  private static let samples: [String] = ["", "Conformance/"].flatMap { folder in
    let path = Self.folder.appendingPathComponent(folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".fxt") }.sorted().map { folder + $0 }
  }

  /// What is known of a trace without its spans.
  private static func facts(_ trace: Trace) -> [String] {
    [
      "\(trace.source) \(trace.range) \(trace.spanCount) \(trace.processes)",
      "\(trace.tracks.map { "\($0.systemID) \($0.name) \($0.isMain) \($0.isCompletelyRecorded)" })",
      "\(trace.surfaces) \(trace.interactions) \(trace.states) \(trace.openSpans)",
      "\(trace.marks.map(\.time)) \(trace.asyncSpans.map(\.range)) \(trace.flows.count)",
      "\(trace.losses) \(trace.notices)",
    ]
  }

  private static func read(_ bytes: [UInt8], onlyCounts: Bool) throws -> Trace {
    var options = ImportOptions()
    options.onlyCountsSpans = onlyCounts
    return try TraceFile.read(MemoryByteSource(bytes), options: options)
  }

  @Test func `everything but the spans is the same if they are only counted`() async {
    #expect(Self.samples.count > 30)
    await forEachCase(of: ExtraCases.some(15, of: Self.samples), oneCase)
    @Sendable func oneCase(name: String) throws {
      let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
      guard let whole = try? Self.read(bytes, onlyCounts: false) else { return }
      let counted = try Self.read(bytes, onlyCounts: true)
      #expect(Self.facts(counted) == Self.facts(whole))
    }
  }

  @Test func `spans are not stored if only their number is wanted`() throws {
    let path = Self.folder.appendingPathComponent("feed-smooth.fxt")
    let trace = try Self.read([UInt8](try Data(contentsOf: path)), onlyCounts: true)
    #expect(trace.spanCount > 0)
    #expect(trace.tracks.allSatisfy { $0.spans.count == 0 })
  }

  @Test func `what commits repeat of their frames is left out if it is not wanted`() throws {
    let bytes = [UInt8](
      try Data(contentsOf: Self.folder.appendingPathComponent("feed-commit-hitches.fxt")))
    var options = ImportOptions()
    let whole = try TraceFile.read(MemoryByteSource(bytes), options: options)
    options.keepsFrameArguments = false
    let short = try TraceFile.read(MemoryByteSource(bytes), options: options)
    #expect(Self.facts(short) == Self.facts(whole))
    var left = 0
    for (track, shorter) in zip(whole.tracks, short.tracks) {
      for index in 0..<track.spans.count {
        let span = track.spans[index]
        let arguments = whole.arguments[span.arguments]
        guard short.arguments[shorter.spans[index].arguments] != arguments else { continue }
        #expect(shorter.spans[index].arguments == .none)
        #expect(whole.category(of: span.label) == "scrolltrace.frame")
        #expect(whole.strings[try #require(arguments.first).key] == "frame")
        left += 1
      }
    }
    #expect(left > 100)
  }

  @Test func `a damaged time is found although spans are only counted`() throws {
    var bytes = [UInt8](
      try Data(contentsOf: Self.folder.appendingPathComponent("killed-mid-scroll.fxt")))
    // The last word of the first complete event of three words is its end.
    let header = try #require(
      stride(from: 4096, to: bytes.count - 24, by: 8).first {
        bytes[$0] == 0x34 && bytes[$0 + 1] == 0 && bytes[$0 + 2] & 0xF == 4
      })
    bytes[header + 22] = 0x40
    let whole = try Self.read(bytes, onlyCounts: false)
    let counted = try Self.read(bytes, onlyCounts: true)
    #expect(whole.losses.contains { $0.reason == .timeOutOfRange })
    #expect(Self.facts(counted) == Self.facts(whole))
  }
}
