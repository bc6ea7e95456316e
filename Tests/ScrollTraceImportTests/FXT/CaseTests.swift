import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Files that other writers made, with what Perfetto's trace processor or the file's maker says of
/// them.
@Suite(.needsExtraCases) struct CaseTests {
  struct Expectation: Sendable, CustomTestStringConvertible {
    let file: String
    let spans: Int
    var losses: [Loss.Reason: UInt64] = [:]
    var testDescription: String { file }
  }

  static let all = [
    Expectation(file: "valid.fxt", spans: 250),
    Expectation(file: "outoforder.fxt", spans: 250),
    Expectation(file: "killed0.fxt.gz", spans: 51_157),
    Expectation(file: "zerotail.fxt", spans: 250, losses: [.damagedBytes: 65_536]),
    Expectation(file: "zeromid.fxt", spans: 250, losses: [.damagedBytes: 32_760]),
    Expectation(file: "trunc.fxt", spans: 228, losses: [.cutAtEnd: 1]),
    Expectation(file: "noblobpad.fxt", spans: 100, losses: [.cutAtEnd: 1]),
    Expectation(file: "dropped.fxt", spans: 150, losses: [.sourceDroppedRecords: 1]),
    Expectation(file: "large.fxt", spans: 250),
    Expectation(file: "unknown.fxt", spans: 250),
    Expectation(file: "logrec.fxt", spans: 150),
    Expectation(file: "badref.fxt", spans: 103, losses: [.undefinedReference: 2]),
    Expectation(file: "neg.fxt", spans: 1, losses: [.endBeforeBegin: 1, .timeOutOfRange: 1]),
    Expectation(file: "overlap.fxt", spans: 3),
    Expectation(file: "lanes.fxt", spans: 120),
    Expectation(file: "async.fxt", spans: 0),
    Expectation(file: "unfinished.fxt", spans: 100),
    Expectation(file: "tps.fxt", spans: 1),
    Expectation(file: "koid64.fxt", spans: 1),
    Expectation(file: "pblob.fxt", spans: 0),
    Expectation(file: "esc.fxt", spans: 1),
  ]

  private static func path(_ name: String) throws -> String {
    try SharedCases.path("fxt/" + name)
  }

  @Test func `each file yields all intact data and reports its losses`() async {
    await forEachCase(of: Self.all, oneCase)
    @Sendable func oneCase(expected: Expectation) throws {
      let trace = try TraceFile.open(Self.path(expected.file))
      #expect(trace.spanCount == expected.spans)
      #expect(trace.lossCounts == expected.losses)
      #expect(trace.losses.allSatisfy { $0.offset != nil })
    }
  }

  @Test func `ticks become nanoseconds exactly, even at 24 MHz after 30 days`() throws {
    let trace = try TraceFile.open(Self.path("tps.fxt"))
    let span = try #require(trace.tracks.first { $0.spans.count > 0 }).spans[0]
    #expect(span.range.start.nanoseconds == 2_592_000_000_000_041)
  }

  @Test func `64-bit thread numbers stay intact`() throws {
    let trace = try TraceFile.open(Self.path("koid64.fxt"))
    #expect(trace.track(1 << 32 + 101)?.spans.count == 1)
  }

  @Test func `asynchronous spans of a foreign file belong to no thread`() throws {
    let trace = try TraceFile.open(Self.path("async.fxt"))
    #expect(trace.asyncSpans.count == 5)
  }

  @Test func `a begin without an end is an open span`() throws {
    let trace = try TraceFile.open(Self.path("unfinished.fxt"))
    #expect(trace.openSpans.count == 1)
    #expect(trace.notices.contains(.unfinishedSpans(count: 1)))
  }

  @Test func `a log line is a mark`() throws {
    let trace = try TraceFile.open(Self.path("logrec.fxt"))
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["hello"])
  }

  @Test func `names reach the trace unchanged, control characters included`() throws {
    let trace = try TraceFile.open(Self.path("esc.fxt"))
    let track = try #require(trace.tracks.first { $0.spans.count > 0 })
    #expect(trace.name(of: track.spans.labels[0]).contains("\u{1b}]0;"))
  }
}
