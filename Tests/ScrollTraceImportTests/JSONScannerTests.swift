import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct JSONScannerTests {
  /// What became of a text: accepted, or the kind of its fault.
  private func scan(_ bytes: [UInt8], blockSize: Int = 1 << 16) -> ScanFault.Kind? {
    var scanner = JSONScanner(MemoryByteSource(bytes), blockSize: blockSize)
    do throws(ScanFault) {
      _ = try scanner.passValue()
      guard try scanner.peek() == 0, scanner.isAtEnd else {
        throw scanner.fault("more after the value")
      }
      return nil
    } catch {
      return error.kind
    }
  }

  private static let valid = [
    #"{"a":[1,-0,2.5e+3,"x\u00e9\ud83d\ude00\n",true,false,null,{}],"é€😀":[[]]}"#,
    #"  [ 1 , 2 ]  "#, "0", "\"\"", "-1.0E-2", "\"a string that is longer than a word of eight\"",
  ]

  private static let invalid = [
    "", "[1,]", "{\"a\":1,}", "[1 2]", "{\"a\" 1}", "{a:1}", "01", "1.", ".5", "+1", "1e", "-",
    "NaN", "Infinity", "tru", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "[1]]", "]", "'a'", "[\"a\0\"]",
    "\u{FEFF}[]",
  ]

  @Test func `valid JSON is accepted whatever the block size`() async {
    await forEachCase(of: Self.valid, oneCase)
    @Sendable func oneCase(text: String) throws {
      for blockSize in [16, 17, 19, 23, 31, 1 << 16] {
        #expect(scan(Array(text.utf8), blockSize: blockSize) == nil)
      }
    }
  }

  @Test func `invalid JSON is rejected`() async {
    await forEachCase(of: Self.invalid, oneCase)
    @Sendable func oneCase(text: String) throws {
      #expect(scan(Array(text.utf8)) != nil)
      #expect(scan(Array(text.utf8), blockSize: 16) != nil)
    }
  }

  @Test func `every truncation is distinguished from damage`() async {
    await forEachCase(of: Self.valid.dropLast(4), oneCase)
    @Sendable func oneCase(text: String) throws {
      let bytes = Array(text.utf8)
      for count in 1..<(bytes.count - 2) {
        #expect(scan(Array(bytes[..<count]), blockSize: 16) == .cutAtEnd, "cut at \(count)")
      }
    }
  }

  @Test func `text that is not UTF-8 is rejected`() async {
    await forEachCase(
      of: [
        [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80], [0x80], [0xC3, 0x41], [0xF0, 0x80, 0x80, 0x80],
      ] as [[UInt8]], oneCase)
    @Sendable func oneCase(bytes: [UInt8]) throws {
      #expect(scan([0x22] + bytes + [0x22]) == .invalid)
    }
  }

  @Test func `depth is limited and uses no stack`() async {
    await forEachCase(of: ["[", "{\"a\":"], oneCase)
    @Sendable func oneCase(opening: String) throws {
      let deep = Array(String(repeating: opening, count: 100_000).utf8)
      #expect(scan(deep) == .limit)
      #expect(scan(Array(String(repeating: "[", count: 128).utf8)) == .cutAtEnd)
    }
  }

  @Test(.needsExtraCases)
  func `JSONTestSuite files are accepted or rejected as their names require`() throws {
    let folder = try SharedCases.path("json")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    var counts: [Character: Int] = [:]
    for name in names where name.hasSuffix(".json") {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
      for blockSize in [16, 1 << 16] {
        let fault = scan(bytes, blockSize: blockSize)
        switch name.first {
        case "y": #expect(fault == nil, "\(name)")
        case "n": #expect(fault != nil, "\(name)")
        default: break
        }
      }
      counts[name.first ?? " ", default: 0] += 1
    }
    #expect((counts["y"] ?? 0) > 90)
    #expect((counts["n"] ?? 0) > 180)
  }
}
