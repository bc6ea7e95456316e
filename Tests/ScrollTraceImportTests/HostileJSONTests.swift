import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// JSON that is valid and means nothing good, or is not valid at all: read as far as it goes, with
/// what is lost counted, or refused with one line.
@Suite struct HostileJSONTests {
  /// A text, and what it must come to.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var losses: [Loss.Reason: UInt64] = [:]
    var spans = 0
    var open = 0
    var isRefused = false

    var testDescription: String { name }
  }

  private static let span = #"{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a"}"#

  /// An event of thread 1 with these members.
  private static func event(_ members: String) -> String {
    #"{"pid":1,"tid":1,"name":"a",\#(members)}"#
  }

  private static func deep(_ opening: String) -> String {
    "[\(span),{\"args\":" + String(repeating: opening, count: 100_000)
  }

  static let cases: [Case] = [
    Case(name: "deep arrays", text: deep("["), losses: [.limitReached: 1], spans: 1),
    Case(name: "deep objects", text: deep(#"{"a":"#), losses: [.limitReached: 1], spans: 1),
    Case(
      name: "deep outside of the events", text: #"{"traceEvents":[],"a":\#(deep("["))"#,
      isRefused: true),
    Case(name: "cut in an event", text: "[\(span),{\"ph\":\"X", losses: [.cutAtEnd: 1], spans: 1),
    Case(name: "a time of -0", text: "[\(event(#""ph":"X","ts":-0,"dur":-0"#))]", spans: 1),
    Case(
      name: "a time of NaN", text: "[\(span),\(event(#""ph":"X","ts":NaN"#))]",
      losses: [.damagedBytes: 1],
      spans: 1),
    Case(
      name: "a time of Infinity", text: "[\(span),\(event(#""ph":"X","ts":Infinity"#))]",
      losses: [.damagedBytes: 1], spans: 1),
    Case(
      name: "a time of 400 digits",
      text: "[\(event("\"ph\":\"X\",\"dur\":1,\"ts\":" + String(repeating: "9", count: 400)))]",
      losses: [.timeOutOfRange: 1]),
    Case(
      name: "a time in quotes", text: #"[\#(event(#""ph":"X","ts":"1","dur":"2""#))]"#, spans: 1),
    Case(name: "a null duration", text: "[\(event(#""ph":"X","ts":1,"dur":null"#))]", open: 1),
    Case(
      name: "half a surrogate", text: #"[\#(span),{"ph":"X","ts":1,"dur":1,"name":"\ud800"}]"#,
      spans: 2),
    Case(
      name: "NUL in a member's name", text: "[\(span),{\"p\0h\":\"X\"}]",
      losses: [.damagedBytes: 1],
      spans: 1),
    Case(
      name: "an escaped NUL in a name", text: #"[{"ph":"X","ts":1,"dur":1,"name":"\u0000"}]"#,
      spans: 1),
    Case(
      name: "an end without a begin",
      text: "[\(event(#""ph":"B","ts":1,"name":"a""#)),\(event(#""ph":"E","ts":1,"name":"b""#))]",
      losses: [.unmatchedEnd: 1], open: 1),
    Case(
      name: "the same id twice",
      text: "[\(event(#""ph":"b","ts":1,"id":1"#)),\(event(#""ph":"b","ts":2,"id":1"#))]", open: 2),
    Case(
      name: "spans that overlap and do not nest",
      text: "[\(event(#""ph":"X","ts":1,"dur":5"#)),\(event(#""ph":"X","ts":3,"dur":9"#))]",
      spans: 2),
    Case(
      name: "times in no order",
      text: "[\(event(#""ph":"X","ts":9,"dur":5"#)),\(event(#""ph":"X","ts":3,"dur":9"#))]",
      spans: 2),
    Case(
      name: "the ends of time",
      text: "[\(event(#""ph":"X","ts":0,"dur":5"#)),\(event(#""ph":"X","ts":9e18,"dur":9"#))]",
      losses: [.timeOutOfRange: 1], spans: 1),
    Case(
      name: "threads that are fractions and texts",
      text: #"[{"ph":"X","ts":1,"dur":1,"pid":1.5,"tid":"main"},{"ph":"X","ts":1,"dur":1}]"#,
      spans: 2),
    Case(
      name: "no event at all", text: "[1,null,\"a\",[],{\"ph\":1}]",
      losses: [.invalidValue: 1, .unknownRecord: 4]),
    Case(name: "a byte order mark", text: "\u{FEFF}[\(span)]", spans: 1),
    Case(name: "lines of a PC", text: "[\r\n\(span),\r\n\(span)\r\n]\r\n", spans: 2),
  ]

  @Test func `readable parts are kept, and the rest is counted`() async {
    await forEachCase(of: Self.cases, oneCase)
    @Sendable func oneCase(item: Case) throws {
      do throws(ImportError) {
        let trace = try read(item.text)
        #expect(trace.lossCounts == item.losses)
        #expect(trace.spanCount == item.spans)
        #expect(trace.openSpans.count == item.open)
        #expect(!item.isRefused)
      } catch {
        #expect(item.isRefused, "\(error)")
        #expect(!error.description.contains("\n"))
      }
    }
  }

  @Test func `a string without an end costs limited memory, and the rest`() throws {
    let start = Array("[\(Self.span),{\"name\":\"".utf8)
    let trace = try TraceFile.read(EndlessByteSource(start: start, then: UInt8(ascii: "a")))
    #expect(trace.losses.map(\.reason) == [.limitReached])
    #expect(trace.spanCount == 1)
  }
}

/// Some bytes, and then one byte a hundred million times.
private final class EndlessByteSource: ByteSource {
  private let start: [UInt8]
  private let filler: UInt8
  private var position = 0
  private let size = 100_000_000

  init(start: [UInt8], then filler: UInt8) {
    self.start = start
    self.filler = filler
  }

  var byteCount: UInt64? { nil }

  func rewind() throws(ImportError) -> Bool { false }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    let count = min(buffer.count, size - position)
    guard count > 0 else { return 0 }
    buffer.initializeMemory(as: UInt8.self, repeating: filler)
    if position < start.count { buffer.copyBytes(from: start[position...].prefix(count)) }
    position += count
    return count
  }
}
