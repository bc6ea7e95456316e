import Foundation
import ScrollTraceTestSupport
import Testing

/// The files of `SampleTraces/Conformance`, read by the walker that shares no code with the reader.
@Suite struct ConformanceWalkTests {
  private struct Expected: Decodable {
    struct Case: Decodable {
      var file: String
      var keeps: Bool
      var answer: [String]?
    }
    var cases: [Case]
  }

  private static let folder = PackageFiles.url("SampleTraces/Conformance")

  /// Files that break a rule in a way that the walker does not look for.
  private static let unseen: Set = [
    "F-7-later-major-version.fxt", "F-7-incompatible-flag.fxt", "F-8-lost-chunk.fxt",
    "R6-time-out-of-range.fxt", "R10-two-chunks-of-one-number.fxt",
    "R12-missing-chunk.fxt", "R15-frame-without-its-number.fxt",
    "R19-time-outside-the-recording.fxt",
  ]

  @Test func `a file that keeps the rules is walked, and no other is`() throws {
    let data = try Data(contentsOf: Self.folder.appendingPathComponent("expected.json"))
    let cases = try JSONDecoder().decode(Expected.self, from: data).cases
    #expect(cases.count > 30)
    for file in cases {
      let bytes = [UInt8](
        try Data(contentsOf: Self.folder.appendingPathComponent(file.file)))
      let walk = Result { try StrictWalker(bytes, mayEndInPad: true) }
      guard file.keeps else {
        let isWalked = if case .success = walk { true } else { false }
        #expect(isWalked == Self.unseen.contains(file.file), "\(file.file)")
        continue
      }
      let walker = try walk.get()
      // The walker knows neither flight recorders nor frames: what it finds, the answer counts.
      let answer = file.answer ?? []
      let spans = answer.count { $0.hasPrefix("span ") }
      let marks = answer.count { $0.hasPrefix("mark ") }
      guard !file.file.hasPrefix("W8"), !file.file.hasPrefix("F-4-"), !file.file.hasPrefix("F-6")
      else { continue }
      #expect(walker.events.count { $0.type == 4 } == spans, "\(file.file)")
      #expect(walker.events.count { $0.type == 0 } == marks, "\(file.file)")
    }
  }
}
