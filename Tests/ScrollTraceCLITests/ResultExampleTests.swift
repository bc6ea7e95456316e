import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

/// Returns the three largest causes of hitch time in the traces of a folder.
func largestCauses(inFolder path: String) throws -> [String] {
  var times: [String: Double] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  where name.hasSuffix(".fxt") {
    let results = TraceAnalyzer().analyze(try TraceFile.open(path + "/" + name)).results
    for cause in results.surfaces.flatMap(\.causes) {
      times[cause.name ?? cause.kind.rawValue, default: 0] += cause.hitchTime.milliseconds
    }
  }
  let largest = times.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
  return largest.map { "\($0.key): \($0.value) ms" }
}

/// The hitches of a trace, as a server takes them.
struct HitchUpload: Codable {
  let trace: String
  let hitches: [AnalysisResults.Hitch]
}

/// Returns what to upload about a trace.
func hitchUpload(ofTraceAt path: String) throws -> Data {
  let results = TraceAnalyzer().analyze(try TraceFile.open(path)).results
  let upload = HitchUpload(trace: path, hitches: results.surfaces.flatMap(\.hitches))
  return try JSONEncoder().encode(upload)
}

/// The examples of the guide to results, with the imports that they need.
@Suite struct ResultExampleTests {
  @Test func `the guide's examples are those executed here`() throws {
    let guide = try PackageFiles.text(
      "Sources/ScrollTraceKit/ScrollTraceKit.docc/ReadingResults.md")
    let source = try PackageFiles.text("Tests/ScrollTraceCLITests/ResultExampleTests.swift")
    let examples = guide.components(separatedBy: "```swift\nimport Foundation\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first?.split(separator: "\n\n") }
    #expect(examples.count == 2)
    #expect(examples.joined().dropFirst().allSatisfy { source.contains($0) })
  }

  @Test func `the largest causes of a folder are those of its reports`() throws {
    let folder = TemporaryFolder()
    for name in ["feed-commit-hitches.fxt", "item-reload.fxt"] {
      try folder.write(PackageFiles.bytes(of: name), to: name)
    }
    let causes = try largestCauses(inFolder: folder.path)
    #expect(causes.count == 3 && causes.allSatisfy { $0.hasSuffix(" ms") }, "\(causes)")
  }

  @Test func `hitches are uploaded with their causes`() throws {
    let data = try hitchUpload(ofTraceAt: PackageFiles.sample("feed-commit-hitches.fxt"))
    let upload = try JSONDecoder().decode(HitchUpload.self, from: data)
    #expect(upload.hitches.count >= 5)
    #expect(upload.hitches.contains { $0.causes.first?.selfTime.nanoseconds ?? 0 > 0 })
    let hitches = try JSONNode(String(decoding: data, as: UTF8.self))["hitches"].array
    #expect(hitches.allSatisfy { $0["hitchNs"].integer != nil && $0["causes"].count != nil })
  }
}
