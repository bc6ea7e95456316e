import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct JSONNumberTests {
  private func nanoseconds(_ text: String) -> Int64? {
    Array(text.utf8).withUnsafeBytes { JSONNumber.nanoseconds(fromMicroseconds: $0) }
  }

  @Test func `microseconds become nanoseconds without losing a digit`() async {
    await forEachCase(
      of: [
        ("0", 0), ("1", 1000), ("3812062481", 3_812_062_481_000), ("-1", -1000), ("0.001", 1),
        ("1750244461563845.0", 1_750_244_461_563_845_000),
        ("9007199254740993.123", 9_007_199_254_740_993_123),
        ("9223372036854775.807", Int64.max), ("9223372036854775.808", nil), ("1e3", 1_000_000),
        ("1.5e-2", 15), ("2.9999", 2999), ("-0", 0), ("1e999", nil), ("1e-999", 0), ("0e999", 0),
        ("12345.678", 12_345_678), ("148984136.313", 148_984_136_313), ("-1.500", -1500),
        ("1.2e3", 1_200_000), ("1x.000", nil), ("1.x00", nil), (".500", nil),
        ("100a", nil), ("", nil), ("-", nil), ("1.", nil), ("1e99999999999999999999", nil),
      ] as [(String, Int64?)]
    ) { try oneCase($0, $1) }
    @Sendable func oneCase(_ text: String, _ expected: Int64?) throws {
      #expect(nanoseconds(text) == expected)
    }
  }

  @Test func `four hundred digits overflow without harm`() {
    #expect(nanoseconds(String(repeating: "9", count: 400)) == nil)
    #expect(nanoseconds("1." + String(repeating: "9", count: 400)) == 1999)
  }

  @Test func `a whole number can be written with a fraction of zero`() async {
    await forEachCase(
      of: [("5.0", 5), ("5.5", nil), ("1e2", 100), ("-7", -7)] as [(String, Int64?)]
    ) { try oneCase($0, $1) }
    @Sendable func oneCase(_ text: String, _ expected: Int64?) throws {
      #expect(Array(text.utf8).withUnsafeBytes { JSONNumber.integer($0) } == expected)
    }
  }

  @Test func `escapes become the characters they stand for`() {
    let raw = Array(#"a\"\\\/\b\n\u00e9\ud83d\ude00\ud800x"#.utf8)
    let text = raw.withUnsafeBytes { JSONText.unescape($0) }
    #expect(String(decoding: text, as: UTF8.self) == "a\"\\/\u{8}\né😀\u{FFFD}x")
  }
}
