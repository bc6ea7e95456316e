import Testing

@testable import ScrollTraceImport

/// Small JSON files: budgets and baselines.
@Suite struct JSONDocumentTests {
  @Test func `a document keeps its values and their order`() throws {
    let text = #" {"b": [1, -2.5e1, "a\u0041\n"], "a": {"x\"y": null, "t": true}, "f": false} "#
    let document = try JSONDocument(text)
    #expect(document.members?.map(\.name) == ["b", "a", "f"])
    #expect(document["b"]?.elements?.compactMap(\.double) == [1, -25])
    #expect(document["b"]?.elements?.last?.text == "aA\n")
    #expect(document["a"]?.members?.map(\.name) == ["x\"y", "t"])
    #expect(document["c"] == nil && document["b"]?["x"] == nil)
    #expect(try JSONDocument("7").double == 7)
    #expect(try JSONDocument("[]").elements?.isEmpty == true)
  }

  @Test func `truncated, duplicate, deep or invalid JSON is an error`() throws {
    let text = #"{"limits": {"hitches": ["warn", 10]}, "rules": [{"state": "a=b"}]}"#
    for count in 0..<text.count {
      #expect(throws: ImportError.self) { try JSONDocument(String(text.prefix(count))) }
    }
    for wrong in [
      #"{"a": 1, "a": 2}"#, "{} {}", "[1,]", "{,}", "nul", "1e999", "\u{0}", "'a'", "{\"a\" 1}",
      String(repeating: "[", count: 18) + String(repeating: "]", count: 18),
      String(repeating: "[", count: 100_000),
    ] {
      #expect(throws: ImportError.self, "\(wrong.prefix(20))") { try JSONDocument(wrong) }
    }
  }
}
