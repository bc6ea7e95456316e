@testable import ScrollTraceCLI
import Foundation
import ScrollTraceTestSupport
import Testing

/// The JSON report is what its schema says.
@Suite struct ReportSchemaTests {
  private let console = CapturedConsole()

  private static func schema() throws -> JSONSchema {
    try JSONSchema(
      Data(
        contentsOf: PackageFiles.url(
          "Sources/ScrollTraceReport/Schemas/report.schema.json")))
  }

  private static func sample(_ name: String) -> String { PackageFiles.sample(name + ".fxt") }

  @Test func `every golden JSON report is valid, and each of its keys is declared`() throws {
    let schema = try Self.schema()
    #expect(PackageFiles.jsonReports.count >= 3)
    for name in PackageFiles.jsonReports {
      let report = try Data(contentsOf: PackageFiles.url("SampleTraces/Reports/\(name)"))
      #expect(try schema.problems(with: report).prefix(5) == [], "\(name)")
    }
  }

  @Test func `the reports of every command are valid`() throws {
    let schema = try Self.schema()
    let (before, after) = (Self.sample("panel-1-on-demand"), Self.sample("panel-3-background"))
    for arguments in [
      ["analyze", before, "--series"], ["analyze", before, "--from", "0.5s", "--to", "1s"],
      ["analyze", Self.sample("stall-without-frames"), Self.sample("killed-mid-scroll")],
      ["predict", before, "--target-hz", "120"], ["compare", before, after],
      ["check", before, after, "--max-ratio", "5", "--max-hitch-time", "10ms"],
    ] {
      _ = console.run(arguments + ["--format", "json"])
      #expect(try schema.problems(with: Data(console.output.utf8)).prefix(5) == [], "\(arguments)")
    }
  }

  @Test func `what does not fit a schema is found with its place`() throws {
    let schema = try JSONSchema(
      Data(
        #"""
        {"type": "object", "required": ["a"], "properties": {
          "a": {"type": ["integer", "null"]}, "b": {"type": "array", "items": {"$ref": "#/$defs/d"}},
          "c": {"anyOf": [{"$ref": "#/$defs/d"}, {"type": "null"}]}, "e": {"const": 1}},
         "$defs": {"d": {"enum": ["x", "y"]}}}
        """#.utf8))
    func problems(_ text: String) throws -> [String] {
      try schema.problems(with: Data(text.utf8))
    }
    #expect(try problems(#"{"a": 1, "b": ["x", "y"], "c": null, "e": 1}"#) == [])
    #expect(try problems(#"{"a": null, "c": "x"}"#) == [])
    let wrong = [
      #"{}"#: ".a:", #"{"a": 1.5}"#: ".a:", #"{"a": true}"#: ".a:", #"{"a": 1, "b": {}}"#: ".b:",
      #"{"a": 1, "b": ["x", "z"]}"#: ".b[1]:", #"{"a": 1, "c": 2}"#: ".c:",
      #"{"a": 1, "e": 2}"#: ".e:", #"{"a": 1, "f": 2}"#: ".f:",
    ]
    for (document, place) in wrong {
      let found = try problems(document)
      #expect(found.count == 1 && found.first?.hasPrefix(place) == true, "\(document)")
    }
  }
}
