@testable import ScrollTraceCLI
import Testing

@testable import ScrollTraceTerminal

@Suite struct LiveKeyTests {
  private func keys(_ text: String, isComplete: Bool = true) -> [LiveKey] {
    var parser = LiveKeyParser()
    parser.append(text.utf8)
    var keys: [LiveKey] = []
    while let key = parser.next(isComplete: isComplete) { keys.append(key) }
    return keys
  }

  @Test func `keys match the sequences that terminals send for them`() {
    #expect(keys("f?1 \r") == [.character("f"), .character("?"), .character("1"), .space, .enter])
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D") == [.up, .down, .right, .left])
    #expect(keys("\u{1B}OA\u{1B}OB\u{1B}OH\u{1B}OF") == [.up, .down, .home, .end])
    #expect(keys("\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[4~") == [.pageUp, .pageDown, .home, .end])
    #expect(keys("\u{1B}[1;5A\u{1B}[5;2~") == [.up, .pageUp], "with modifiers, too")
    #expect(keys("\u{03}\u{1A}") == [.interrupt, .suspend])
  }

  @Test func `an escape is a key only if nothing follows it`() {
    #expect(keys("\u{1B}", isComplete: false) == [])
    #expect(keys("\u{1B}", isComplete: true) == [.escape])
    #expect(keys("\u{1B}\u{1B}[A", isComplete: false) == [.escape, .up])
    #expect(keys("\u{1B}\u{03}", isComplete: false) == [.escape, .interrupt])
  }

  @Test func `a sequence can arrive byte by byte`() {
    for sequence in ["\u{1B}[A", "\u{1B}OA", "\u{1B}[1;5A"] {
      var parser = LiveKeyParser()
      var keys: [LiveKey] = []
      for byte in sequence.utf8 {
        parser.append([byte])
        while let key = parser.next(isComplete: false) { keys.append(key) }
      }
      #expect(keys == [.up])
      #expect(!parser.isWaiting)
    }
  }

  @Test func `pasted text contains no keys, and Control-C ends even a paste`() {
    #expect(keys("\u{1B}[200~quit\rqq\u{1B}[A\u{1B}[201~f") == [.character("f")])
    var parser = LiveKeyParser()
    for byte in "\u{1B}[200~qqq\u{1B}[201~t".utf8 {
      parser.append([byte])
      let key = parser.next(isComplete: false)
      #expect(key == (byte == UInt8(ascii: "t") ? .character("t") : nil))
      #expect(byte != UInt8(ascii: "q") || !parser.isWaiting)
    }
    #expect(keys("\u{1B}[200~qqq\u{03}q") == [.interrupt, .character("q")])
  }

  @Test func `an unsupported sequence is skipped as a whole`() {
    #expect(keys("\u{1B}[[Aq") == [.character("q")], "a function key of the Linux console")
    #expect(keys("\u{1B}[15~\u{1B}[?1;2c\u{1B}[<0;1;1Mq") == [.character("q")])
    #expect(keys("\u{1B}xq") == [.character("q")], "with the alt key")
    #expect(keys("é日\u{00}\u{7F}q") == [.character("q")])
    #expect(keys("\u{1B}[12\u{03}") == [.interrupt], "a control ends a sequence")
    let endless = "\u{1B}[" + String(repeating: "1", count: 5000)
    #expect(keys(endless, isComplete: false) == [])
  }

  @Test func `no bytes make the parser hang or fail`() {
    var random: UInt64 = 1
    let some: [UInt8] = [0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30, 0x31, 0x3B, 0x41, 0x03, 0xC3, 0x71]
    for _ in 0..<2000 {
      var parser = LiveKeyParser()
      for _ in 0..<12 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        parser.append([some[Int(random >> 40) % some.count]])
        while parser.next(isComplete: random >> 60 == 0) != nil {}
      }
      while parser.next(isComplete: true) != nil {}
      #expect(!parser.isWaiting)
    }
  }
}

@Suite struct LiveLineDiffTests {
  @Test func `only changed lines are written, in one update`() {
    #expect(
      LiveLineDiff.text(from: ["a", "b", "c"], to: ["a", "x", "c"])
        == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2Kx\u{1B}[?2026l")
    #expect(LiveLineDiff.text(from: ["a", "b"], to: ["a", "b"]) == "")
  }

  @Test func `an unknown screen is cleared, and so are removed lines`() {
    let first = LiveLineDiff.text(from: nil, to: ["a", ""])
    #expect(first == "\u{1B}[?2026h\u{1B}[0m\u{1B}[2J\u{1B}[1;1H\u{1B}[2Ka\u{1B}[?2026l")
    #expect(
      LiveLineDiff.text(from: ["a", "b"], to: ["a"])
        == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2K\u{1B}[?2026l")
  }
}
