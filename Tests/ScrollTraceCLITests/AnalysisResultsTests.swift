import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

/// Results are encoded and decoded alike, with and without Foundation.
@Suite struct AnalysisResultsTests {
  /// The JSON reports among the golden files.
  private static func goldens() throws -> [(name: String, text: String)] {
    try PackageFiles.jsonReports.map { ($0, try PackageFiles.text("SampleTraces/Reports/\($0)")) }
  }

  private static func sorted(_ results: AnalysisResults) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(results)
  }

  @Test func `a report that is read is written with the same bytes`() throws {
    let goldens = try Self.goldens()
    #expect(goldens.count >= 3)
    for (name, text) in goldens {
      #expect(try AnalysisResults(json: text).json == text, "\(name)")
    }
  }

  @Test func `Foundation reads what is written here, and what it writes is read here`() throws {
    for (name, text) in try Self.goldens() {
      let own = try AnalysisResults(json: text)
      let data = try Self.sorted(own)
      let foundation = try JSONDecoder().decode(AnalysisResults.self, from: Data(text.utf8))
      #expect(try Self.sorted(foundation) == data, "\(name)")
      // It omits unknown values where this library writes null, except those of dictionaries.
      let nulls = String(decoding: data, as: UTF8.self).ranges(of: "null").count
      #expect(nulls < text.ranges(of: "null").count, "\(name)")
      let again = try AnalysisResults(json: String(decoding: data, as: UTF8.self))
      #expect(try Self.sorted(again) == data, "\(name)")
    }
  }

  @Test func `what is no report is an error with the place in it`() throws {
    func problem(_ text: String) -> String {
      do throws(ImportError) {
        _ = try AnalysisResults(json: text)
        return ""
      } catch {
        return "\(error)"
      }
    }
    let start = #"{"schema": "scrolltrace.report/2""#
    #expect(problem("{}").contains("scrolltrace.report/2"))
    #expect(problem(#"{"schema": "scrolltrace.report/1"}"#).contains("scrolltrace.report/2"))
    #expect(problem(start + "}").contains("'tool' is missing"))
    #expect(problem(start + #", "tool": 1}"#).contains("tool: an object was expected"))
    let report = try Self.goldens()[0].text
    for (key, wrong, place) in [
      ("\"bytes\": ", "-1, \"x\": ", "runs.0.input.bytes: a whole number"),
      ("\"hitchTimeNs\": ", "1.5, \"x\": ", "hitchTimeNs: a whole number"),
      ("\"rating\": ", "\"splendid\", \"x\": ", "rating: "),
      ("\"surfaces\": ", "7, \"x\": ", "runs.0.surfaces: an array was expected"),
    ] {
      let found = try #require(report.firstRange(of: key), "\(key)")
      let text = report.replacingCharacters(in: found, with: key + wrong)
      #expect(problem(text).contains(place), "\(key): \(problem(text))")
    }
  }
}
