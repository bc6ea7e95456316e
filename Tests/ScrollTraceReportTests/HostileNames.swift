import ScrollTraceTestSupport

/// Names as attackers and accidents make them.
enum HostileNames {
  static let all: [String] = [
    "\u{1B}]0;pwn\u{07}", "\u{1B}]8;;http://e\u{1B}\\x", "\u{1B}]52;c;cHdu\u{07}", "\u{9B}31m",
    "\u{202E}gnp.exe", "\u{2066}a\u{2067}b\u{2068}c\u{2069}", "line\u{2028}separator\u{2029}",
    "zero\u{200B}width\u{FEFF}", "</script><script>", "\"><img onerror=x>", "a|b", "`x`",
    "[x](javascript:alert)", "<!--", "]]>", "&#0;", "::error::x", "  ::warning file=a::x",
    "x ::error::y", "##[error]x", "%0A::set-output name=a::b", "a\r::error::b", "a\n::error::b",
    "=cmd|'/c calc'!A1", "@x", String(decoding: [0xFF, 0xFE, 0x41] as [UInt8], as: UTF8.self),
    String(repeating: "long ", count: ExtraCases.isThorough ? 200_000 : 2_000),
    String(repeating: "x", count: ExtraCases.isThorough ? 1_000_000 : 10_000), "",
    "nul\u{0}byte", "../../x", "%s%n", "日本語のとても長い名前をもつ仕事の列",
    "e" + String(repeating: "\u{301}", count: ExtraCases.isThorough ? 5_000 : 500), "👨‍👩‍👧‍👦 family",
  ]
}
