import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// XML as the scanner gives it, and what it refuses.
@Suite struct XMLScannerTests {
  /// The tokens of `text`: `<name a=b`, `>` and texts, with blocks of the smallest size.
  static func tokens(_ bytes: [UInt8], blockSize: Int = 16) throws(ScanFault) -> String {
    var scanner = XMLScanner(MemoryByteSource(bytes), blockSize: blockSize)
    var shown = ""
    while true {
      switch try scanner.next() {
      case .start:
        shown += "<" + String(decoding: scanner.name, as: UTF8.self)
        for attribute in scanner.attributes {
          shown += " " + String(decoding: scanner.view[attribute.name], as: UTF8.self)
          shown += "=" + String(decoding: scanner.view[attribute.value], as: UTF8.self)
        }
        shown += "("
      case .end: shown += ")"
      case .text: shown += String(decoding: scanner.text, as: UTF8.self)
      case .finish: return shown
      }
    }
  }

  static func fault(_ text: String, blockSize: Int = 16) -> ScanFault? {
    do throws(ScanFault) {
      _ = try tokens(Array(text.utf8), blockSize: blockSize)
      return nil
    } catch {
      return error
    }
  }

  @Test func `elements, attributes and texts come in order, whatever the block size`() throws {
    let text =
      "\u{FEFF}<?xml version='1.0' encoding=\"UTF-8\"?>\n<!-- a > b -->\n<a x='1' y = \"&lt;2\">"
      + "some text&#33;<b/><c:d-e.f >é&amp;&#x1F600;</c:d-e.f ><![CDATA[<&]]>]]&gt;</a>\n"
    let expected = "<a x=1 y=<2(some text!<b()<c:d-e.f(é&😀)<&]]>)"
    for size in [16, 17, 31, 64, 4096] {
      #expect(try Self.tokens(Array(text.utf8), blockSize: size) == expected)
    }
  }

  @Test func `several documents are read as one`() throws {
    let one = "<?xml version=\"1.0\"?><a>1</a>\n"
    #expect(try Self.tokens(Array((one + one).utf8)) == "<a(1)<a(1)")
  }

  @Test func `unsupported XML is rejected with its position`() async {
    await forEachCase(of: [
      ("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "DOCTYPE", 21),
      ("<a><!DOCTYPE a></a>", "DOCTYPE", 3),
      ("<a><!ENTITY b 'c'></a>", "declaration", 3),
      ("<a>&b;</a>", "entity", 3),
      ("<a>&;</a>", "entity", 3),
      ("<a>&#0;</a>", "entity", 3),
      ("<a>&#xD800;</a>", "entity", 3),
      ("<a>&#+5;</a>", "entity", 3),
      ("<a>&longerthanany;</a>", "entity", 3),
      ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "ISO-8859-1", 0),
      ("<a><?xml version='1.0'?></a>", "inside", 5),
      ("<a b=1/>", "quotes", 5),
      ("<a b/>", "'='", 4),
      ("<a b='1'c='2'/>", "white space", 8),
      ("<a b='1' b='2'/>", "repeated", 10),
      ("<a b='<'/>", "'<'", 6),
      ("<a></b>", "no start tag", 6),
      ("</a>", "no start tag", 3),
      ("< a/>", "name", 1),
      ("<1/>", "name", 1),
      ("<a/ >", "'>'", 3),
      ("<a>\u{1}</a>", "control", 3),
      ("<a>\0</a>", "control", 3),
      ("x<a/>", "outside", 0),
      ("<a/><![CDATA[x]]>", "outside", 4),
    ]) { try oneCase($0, $1, $2) }
    @Sendable func oneCase(_ text: String, _ word: String, _ offset: UInt64) throws {
      for size in [16, 4096] {
        let fault = try #require(Self.fault(text, blockSize: size), "\(text)")
        #expect(fault.kind == .invalid)
        #expect(fault.reason.contains(word), "\(text): \(fault.reason)")
        #expect(fault.offset == offset, "\(text)")
      }
    }
  }

  @Test func `text that is not UTF-8 is rejected`() async {
    await forEachCase(
      of: [
        [0xC3, 0x28], [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
        [0xE0, 0x80, 0x80],
      ], oneCase)
    @Sendable func oneCase(bad: [UInt8]) throws {
      for wrap in [("<a>", "</a>"), ("<a b='", "'/>")] {
        for size in [16, 4096] {
          #expect(throws: ScanFault.self) {
            try Self.tokens(Array(wrap.0.utf8) + bad + Array(wrap.1.utf8), blockSize: size)
          }
        }
      }
    }
  }

  @Test func `every truncation is distinguished from damage`() throws {
    let text = Array("<a b='1'>é&amp;<c/><!-- d --><![CDATA[e]]></a>".utf8)
    for count in 1..<text.count {
      do throws(ScanFault) {
        _ = try Self.tokens(Array(text[..<count]))
        Issue.record("cut at \(count)")
      } catch {
        #expect(error.kind == .cutAtEnd, "cut at \(count): \(error.reason)")
      }
    }
  }

  @Test func `every excess meets a limit`() {
    let deep = String(repeating: "<a>", count: 1_000)
    let wide = "<a" + (0..<1_000).map { " b\($0)='1'" }.joined() + "/>"
    let name = "<" + String(repeating: "a", count: 1_000_000)
    let value = "<a b='" + String(repeating: "c", count: 5 << 18) + "'/>"
    let text = "<a>" + String(repeating: "c", count: 5 << 18) + "</a>"
    let section = "<a><![CDATA[" + String(repeating: "c", count: 5 << 18) + "]]></a>"
    let references = "<a>" + String(repeating: "&lt;", count: 5 << 18) + "</a>"
    for text in [deep, wide, name, value, text, section, references] {
      // Small blocks are slow.
      for size in [1 << 18, 16]
      where size > 16 || text == deep || text == wide || text == name || ExtraCases.isThorough {
        #expect(Self.fault(text, blockSize: size)?.kind == .limit, "\(text.prefix(20))")
      }
    }
  }

  @Test(.needsExtraCases)
  func `hostile XML is rejected at its first harmful byte`() throws {
    for name in ["badutf8", "laughs", "nul", "quad", "xxe"] {
      let data = try Data(
        contentsOf: URL(fileURLWithPath: SharedCases.path("xml-hostile/\(name).xml")))
      #expect(throws: ScanFault.self, "\(name)") { try Self.tokens([UInt8](data)) }
    }
  }
}
