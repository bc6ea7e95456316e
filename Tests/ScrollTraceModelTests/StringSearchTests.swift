import ScrollTraceModel
import Testing

@Suite struct StringSearchTests {
  @Test func `a text is found at its first occurrence`() throws {
    let text = "abcabc"
    let found = try #require(text.firstOccurrence(of: "bc"))
    #expect(text[..<found.lowerBound] == "a" && text[found] == "bc")
    #expect(text.includes("abc") && text.includes("c") && text.includes(""))
    #expect(!text.includes("cb") && !text.includes("abcabca") && !"".includes("a"))
    #expect("größer".includes("öß") && text.dropFirst(4).includes("bc"))
  }

  @Test func `every occurrence is replaced, and none of what replaces it`() {
    #expect("a-b-c".replacingAll("-", with: "--") == "a--b--c")
    #expect("it's".replacingAll("'", with: #"'\''"#) == #"it'\''s"#)
    #expect("aaa".replacingAll("aa", with: "b") == "ba")
    #expect("".replacingAll("a", with: "b") == "" && "a".replacingAll("", with: "b") == "a")
  }
}
