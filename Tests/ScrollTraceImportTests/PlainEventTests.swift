import Foundation
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The quick way over events against the careful one: both must say the same of any bytes.
@Suite struct PlainEventTests {
  /// What became of an event: what it holds and where it ends, or the fault.
  private struct Outcome: Equatable {
    var event: ChromeEvent?
    var end: UInt64 = 0
    var fault: ScanFault.Kind?
    var offset: UInt64?
  }

  private func pass(_ bytes: [UInt8], blockSize: Int, quickly: Bool) -> Outcome {
    var scanner = JSONScanner(MemoryByteSource(bytes), blockSize: blockSize)
    do throws(ScanFault) {
      _ = try scanner.peek()
      scanner.anchor = scanner.position
      let event = quickly ? try scanner.passEvent() : try scanner.passAnyEvent()
      return Outcome(event: event, end: scanner.offset)
    } catch {
      return Outcome(fault: error.kind, offset: error.offset)
    }
  }

  private func expectAgreement(
    _ bytes: [UInt8], blockSizes: [Int] = [128, 1 << 16],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for blockSize in blockSizes {
      let quick = pass(bytes, blockSize: blockSize, quickly: true)
      let careful = pass(bytes, blockSize: blockSize, quickly: false)
      let text = Comment(rawValue: String(decoding: bytes.prefix(500), as: UTF8.self))
      #expect(quick == careful, text, sourceLocation: sourceLocation)
    }
  }

  /// An event with `value` among its members.
  private func event(with value: [UInt8]) -> [UInt8] {
    Array(#"{"name":"a","args":"#.utf8) + value + Array(#","ph":"X","ts":12}"#.utf8)
  }

  private static let values = [
    "1", "-0", "0", "00", "01", "1.5", "1.", ".5", "1e5", "1e", "-", "+1", "12345678", "123456789",
    "1234567890123456", "12345678901234567", "0123456789", "1x", "1 ", " 1", "1 2", "1\"a\"",
    "true", "false", "null", "nul", "truex", "true false", "True", "NaN", "\"\"", "\"a\"b",
    "\"a\" \"b\"", "\"a", "\"\\\"", "\"\\\"\"", "\"\\\\\"", "\"\\\\\\\"\"", "\"\\u00e9\"",
    "\"\\ud800\"", "\"\\x\"", "\"é€😀\"", "\"a\tb\"", "é", "{}", "[]", "{ }", "[ ]", "[1,2]",
    "[1,]", "[,1]", "[1 2]", "[1:2]", "[\"a\":1]", "{\"a\":1}", "{\"a\" :1}", "{\"a\": 1}",
    "{\"a\":}", "{\"a\"}", "{\"a\":1,}", "{,}", "{\"a\":1 \"b\":2}", "{a:1}", "{1:2}",
    "{\"a\"::1}", "{\"a\":1:2}", "{\"a\":{\"b\":[{\"c\":null}]}}", "{\"a\":[}", "{\"a\":[1}}",
    "[{\"a\":1]]", "]", "}", "{", "[", ":", ",", "", "\"a\":1", "/**/1", "'a'", "[[[[[[]]]]]]",
  ]

  @Test func `an event reads the same both ways`() async {
    await forEachCase(of: Self.values, oneCase)
    @Sendable func oneCase(value: String) throws {
      expectAgreement(event(with: Array(value.utf8)))
      expectAgreement(Array(("{\"" + value + "\":1}").utf8))
      expectAgreement(Array(("{" + value + "}").utf8))
      for count in [30, 31, 32, 33, 62, 63, 64, 65] {
        let long = "\"" + String(repeating: "x", count: count) + "\""
        expectAgreement(Array("{\"name\":\(long),\"args\":\(value),\"ph\":\"X\"}".utf8))
      }
    }
  }

  @Test func `an event reads the same both ways, however deep and long`() {
    for depth in [50, 59, 60, 61, 62, 126, 127, 128, 129] {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      expectAgreement(event(with: Array(text.utf8)))
      expectAgreement(event(with: Array(text.utf8.dropLast())))
    }
    for count in [9_000, 40_000, 300_000, 1_200_000] {
      let list = Array("[1\(String(repeating: ",{\"a\":2}", count: count / 8))]".utf8)
      expectAgreement(event(with: list), blockSizes: [128, 1 << 18])
      expectAgreement(event(with: list.dropLast()), blockSizes: [1 << 18])
    }
  }

  @Test func `a byte between tokens reads the same both ways`() async {
    await forEachCase(of: 0...255, oneCase)
    @Sendable func oneCase(byte: UInt8) throws {
      let event = Array(#"{"a":{"b":[1,null],"c":"d"},"ph":"X","ts":12}"#.utf8)
      for place in 1..<event.count {
        expectAgreement(event[..<place] + [byte] + event[place...], blockSizes: [1 << 10])
      }
    }
  }

  @Test func `an event truncated anywhere reads the same both ways`() {
    for text in [
      #"{":a":{"::b":"c\":","d:":[1,"]",null]} , "e" : ":" ,"ts":12345678901}"#, #"{"\":"#, #"{":"#,
    ] {
      let bytes = Array(text.utf8)
      for count in 1...bytes.count { expectAgreement(Array(bytes[..<count])) }
    }
  }

  @Test func `consecutive events are found whatever they contain`() throws {
    var text = "[\n"
    for index in 0..<4000 {
      let value = ["{}", #"{"a":"\u00e9"}"#, "[\"é\"]", #"{"a": 1 , "b":[]}"#][index % 7 % 4]
      text += "{\"name\":\"\(index)\",\"args\":\(value),\"ph\":\"i\",\"ts\":\(index),\"pid\":1},\n"
    }
    text += "{}]"
    for blockSize in [100, 1 << 12, 1 << 18] {
      var scanner = JSONScanner(MemoryByteSource(Array(text.utf8)), blockSize: blockSize)
      scanner.position = 1
      for index in 0..<4000 {
        try #require(try scanner.peek() == UInt8(ascii: "{"))
        let event = try scanner.passEvent()
        let time = scanner.anchored[event.time.start..<event.time.end]
        #expect(String(decoding: time, as: UTF8.self) == "\(index)")
        scanner.anchor = -1
        #expect(try scanner.peek() == UInt8(ascii: ","))
        scanner.position += 1
      }
    }
  }

  @Test func `damaged events read the same both ways`() async {
    await forEachCase(of: 0..<20, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      var generator = SeededGenerator(seed: UInt64(seed))
      let alphabet = Array(#"{}[]:,""\ 0159-.eEtfn"#.utf8) + [0, 10, 0x1F, 0x7F, 0x80, 0xC3, 0xFF]
      let base = event(
        with: Array(
          #"{"a":{"b":"x\"y","c":[1,-2.5e3,true,null],"d":""},"e":12345678901},"id2":{"local":"0x6d"}"#
            .utf8))
      for _ in 0..<(ExtraCases.isThorough ? 1500 : 40) {
        var bytes = base
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let place = Int.random(in: 1..<bytes.count, using: &generator)
          let byte = alphabet.randomElement(using: &generator) ?? 0
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: bytes[place] = byte
          case 1: bytes.insert(byte, at: place)
          default: bytes.remove(at: place)
          }
        }
        expectAgreement(bytes)
      }
    }
  }

  @Test(.needsExtraCases)
  func `JSONTestSuite files read the same both ways`() throws {
    let folder = try SharedCases.path("json")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".json") {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
      expectAgreement(event(with: bytes), blockSizes: [1 << 16])
    }
  }
}
