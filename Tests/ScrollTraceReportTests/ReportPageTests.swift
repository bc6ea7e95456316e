import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// Schema and page of the JSON report are made from the declarations of results.
@Suite struct ReportPageTests {
  private static let schema = "Sources/ScrollTraceReport/Schemas/report.schema.json"
  private static let page = "Sources/ScrollTraceReport/ScrollTraceReport.docc/JSONReport.md"

  private let declarations: ResultDeclarations

  init() throws { declarations = try ResultDeclarations() }

  @Test func `the schema is that of the declarations`() throws {
    try compare(schemaText, with: Self.schema)
  }

  @Test func `the page lists each key of the declarations`() throws {
    let page = try PackageFiles.text(Self.page)
    let start = try #require(page.firstRange(of: "\n## The keys of a report\n")).lowerBound
    var text = page[..<start] + "\n## The keys of a report\n"
    for name in reachable(from: "AnalysisResults") { text += section(name) }
    text += "\n## The keys of one frame\n\nThe objects that a report has too are above.\n"
    let known = Set(reachable(from: "AnalysisResults"))
    for name in reachable(from: "FrameResults") where !known.contains(name) {
      text += section(name)
    }
    try compare(String(text), with: Self.page)
  }

  /// Compares with a file, or records it and fails if RECORD_GOLDENS is set.
  private func compare(_ text: String, with path: String) throws {
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try Data(text.utf8).write(to: PackageFiles.url(path))
      Issue.record("recorded \(path); run again without RECORD_GOLDENS")
      return
    }
    let recorded = try PackageFiles.text(path)
    #expect(text == recorded, "RECORD_GOLDENS=1 swift test --filter ReportPageTests writes \(path)")
  }

  // MARK: - Types

  /// Types whose JSON is no object of their properties: the type in the schema, and in words.
  private static let special = [
    "TimeSpan": (#""type": "integer""#, "integer"), "String": (#""type": "string""#, "string"),
    "Int": (#""type": "integer""#, "integer"), "Int64": (#""type": "integer""#, "integer"),
    "UInt64": (#""type": "integer""#, "integer"), "Double": (#""type": "number""#, "number"),
    "Bool": (#""type": "boolean""#, "Boolean"),
    "AnalysisResults.Number": (#""type": "number""#, "number"),
    "AnalysisResults.Evidence": (
      #""type": "object", "additionalProperties": true"#, "object with keys by kind"
    ),
    "AnalysisResults.ComparedMetrics": (
      #""type": "object", "additionalProperties": true"#, "object of `Compared` by metric"
    ),
    "AnalysisResults.ListDifference": (
      #""type": "object", "additionalProperties": true"#,
      "object of `name` and `Compared` by metric"
    ),
    "AnalysisResults.FrameWork": (
      #""type": "array", "items": {"type": ["integer", "null"]}"#, "array of three integers"
    ),
  ]

  /// A type as a source writes it, taken apart.
  private struct Shape {
    var name: String
    var isOptional = false
    var isArray = false
    var areElementsOptional = false

    init(_ type: String) {
      name = type
      if name.hasSuffix("?") {
        isOptional = true
        name.removeLast()
      }
      guard name.hasPrefix("[") else { return }
      isArray = true
      name = String(name.dropFirst().dropLast())
      if name.hasSuffix("?") {
        areElementsOptional = true
        name.removeLast()
      }
    }
  }

  private func special(_ name: String, in scope: String) -> (schema: String, words: String)? {
    let full = declarations.type(name, in: scope)?.name ?? name
    return Self.special[full]
  }

  /// The objects that an object contains, each once, after it.
  private func reachable(from root: String) -> [String] {
    var (found, waiting) = ([String](), [root])
    while let name = waiting.popLast() {
      guard !found.contains(name), let type = declarations.types[name] else { continue }
      found.append(name)
      let inner = type.members.compactMap { member -> String? in
        let shape = Shape(member.type)
        guard special(shape.name, in: name) == nil else {
          return member.type.contains("ComparedMetrics") ? "AnalysisResults.Compared" : nil
        }
        let type = declarations.type(shape.name, in: name)
        return type?.words.isEmpty == true ? type?.name : nil
      }
      waiting += inner.reversed()
    }
    return found
  }

  /// The name of an object in schema and page.
  private func shortName(_ name: String) -> String {
    let parts = name.split(separator: ".")
    if parts.first == "FrameResults" { return "Frame" + parts.dropFirst().joined(separator: ".") }
    return parts.first == "AnalysisResults" ? parts.dropFirst().joined(separator: ".") : name
  }

  // MARK: - Schema

  private var schemaText: String {
    let objects = reachable(from: "AnalysisResults")
    let definitions = objects.dropFirst().map { name in
      "    \"\(shortName(name))\": {\n" + body(of: name, indent: 6) + "\n    }"
    }
    return """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The JSON report of scrolltrace: \(AnalysisResults.schema)",
        "description": "What analyze, check, compare and predict print with --format json. Later versions \
      may add keys, so a reader ignores those that it does not know.",
      \(body(of: objects[0], indent: 2)),
        "$defs": {
      \(definitions.joined(separator: ",\n"))
        }
      }

      """
  }

  private func body(of name: String, indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    let members = declarations.types[name]?.members ?? []
    let lines = members.map { member in
      let type =
        name == "AnalysisResults" && member.key == "schema"
        ? "\"const\": \"\(AnalysisResults.schema)\"" : schema(of: member.type, in: name)
      let text = member.text.replacing("\"", with: "'").replacing("`", with: "")
      return "\(space)  \"\(member.key)\": {\(type), \"description\": \"\(text)\"}"
    }
    let required = members.map { "\"\($0.key)\"" }.joined(separator: ", ")
    return "\(space)\"type\": \"object\",\n\(space)\"required\": [\(required)],\n"
      + "\(space)\"properties\": {\n" + lines.joined(separator: ",\n") + "\n\(space)}"
  }

  /// The members of the schema of a type.
  private func schema(of type: String, in scope: String) -> String {
    let shape = Shape(type)
    if shape.isArray {
      let items = schema(of: shape.name + (shape.areElementsOptional ? "?" : ""), in: scope)
      let types = shape.isOptional ? #"["array", "null"]"# : #""array""#
      return "\"type\": \(types), \"items\": {\(items)}"
    }
    if let special = special(shape.name, in: scope)?.schema {
      guard shape.isOptional else { return special }
      return special.replacing(/"type": ("\w+")/) { "\"type\": [\($0.1), \"null\"]" }
    }
    guard let found = declarations.type(shape.name, in: scope) else {
      Issue.record("\(scope) has the unknown type \(type)")
      return ""
    }
    if !found.words.isEmpty {
      let words = found.words.map { "\"\($0)\"" } + (shape.isOptional ? ["null"] : [])
      return "\"enum\": [\(words.joined(separator: ", "))]"
    }
    let reference = "\"$ref\": \"#/$defs/\(shortName(found.name))\""
    return shape.isOptional ? "\"anyOf\": [{\(reference)}, {\"type\": \"null\"}]" : reference
  }

  // MARK: - Page

  /// The section of an object: what it is, and a table of its keys.
  private func section(_ name: String) -> String {
    guard let type = declarations.types[name] else { return "" }
    let rows = type.members.map { member in
      "| `\(member.key)` | \(words(for: member.type, in: name)) | \(member.text) |"
    }
    let isRoot = name == "AnalysisResults" || name == "FrameResults"
    let title = isRoot ? "The report" : shortName(name)
    return "\n### \(title)\n\n\(type.text)\n\n| Key | Value | Meaning |\n|-|-|-|\n"
      + rows.joined(separator: "\n") + "\n"
  }

  private func words(for type: String, in scope: String) -> String {
    let shape = Shape(type)
    var text = ""
    if let special = special(shape.name, in: scope)?.words {
      text = special
    } else if let found = declarations.type(shape.name, in: scope) {
      text =
        found.words.isEmpty
        ? "`\(shortName(found.name))`" : found.words.map { "`\($0)`" }.joined(separator: ", ")
    }
    if shape.isArray { text = "array of " + text }
    return text + (shape.isOptional ? " or null" : "")
  }
}
