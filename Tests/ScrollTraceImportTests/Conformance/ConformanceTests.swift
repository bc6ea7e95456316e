import Foundation
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The files in `SampleTraces/Conformance`, one or more for each rule of the trace file.
@Suite struct ConformanceTests {
  private static let folder = PackageFiles.url("SampleTraces/Conformance")

  /// All files of the suite, byte for byte.
  private static var files: [(name: String, bytes: [UInt8])] {
    let expected = """
      {"schema": "scrolltrace.conformance/1", "cases": [
      \(ConformanceCases.all.map(\.json).joined(separator: ",\n"))
      ]}

      """
    return ConformanceCases.all.map { ("\($0.name).fxt", $0.bytes) }
      + [("expected.json", Array(expected.utf8))]
  }

  @Test func `the files are what the cases say`() throws {
    guard ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == nil else {
      try FileManager.default.createDirectory(
        at: Self.folder, withIntermediateDirectories: true)
      for (name, bytes) in Self.files {
        try Data(bytes).write(to: Self.folder.appendingPathComponent(name))
      }
      Issue.record("wrote \(Self.files.count) files; run again without RECORD_GOLDENS")
      return
    }
    for (name, bytes) in Self.files {
      let there = FileManager.default.contents(
        atPath: Self.folder.appendingPathComponent(name).path)
      let isSame = there.map { [UInt8]($0) == bytes } ?? false
      #expect(
        isSame,
        "RECORD_GOLDENS=1 swift test --filter ConformanceTests writes \(name)"
      )
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set(Self.files.map(\.name) + ["README.md"]))
  }

  @Test func `the reader gives the expected answers`() async {
    await forEachCase(of: ConformanceCases.all, oneCase)
    @Sendable func oneCase(file: ConformanceCase) throws {
      switch file.answer {
      case .trace(let lines):
        let trace = try readTrace(file.bytes)
        #expect(trace.dump == lines, "\(file.name)")
      case .refused(let reason):
        let error = #expect(throws: ImportError.self) { try readTrace(file.bytes) }
        #expect(error?.description.contains(reason) == true, "\(file.name)")
      }
    }
  }

  @Test func `no file that breaks a rule reads as whole unless nothing is lost`() throws {
    // Rules whose breach costs other readers something, and ours nothing.
    let harmless: Set = [
      "F-2-crossing-spans", "F-2-large-record", "F-6-equal-starts", "R3-unknown-record",
      "W5-index-of-two-texts", "R17-two-files",
    ]
    for file in ConformanceCases.all where !file.isKept {
      guard case .trace(let lines) = file.answer else { continue }
      let isCounted = lines.contains { $0.hasPrefix("loss ") }
      #expect(isCounted != harmless.contains(file.name), "\(file.name)")
    }
  }

  @Test func `each rule that a file can keep or break has one`() {
    let rules = Set(
      ConformanceCases.all.map { file in
        file.name.hasPrefix("F-")
          ? String(file.name.prefix(3)) : String(file.name.prefix { $0 != "-" })
      })
    let expected =
      (1...8).map { "F-\($0)" } + [1, 3, 4, 5, 7, 8, 9].map { "W\($0)" }
      + [1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 15, 17, 19].map { "R\($0)" }
    #expect(rules == Set(expected))
  }
}
