import Testing

@testable import ScrollTraceImport

@Suite struct GlobPatternTests {
  @Test(arguments: [
    ("g*", "g1", true), ("g*", "g", true), ("g*", "h1", false), ("?", "é", true),
    ("*a*b", "xaxb", true), ("*a*b", "xbxa", false), ("", "", true), ("", "a", false),
    ("**", "", true), ("g1", "g11", false),
  ])
  func `a pattern fits all of a name or nothing`(pattern: String, name: String, fits: Bool) {
    #expect(GlobPattern(pattern).matches(name) == fits)
  }

  @Test func `many stars do not explode`() {
    let pattern = GlobPattern(String(repeating: "*a", count: 50) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 10_000)))
  }
}
