import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Names with a number, an address or a query in them that stand for one kind of work.
@Suite struct WorkNameGroupTests {
  @Test(
    arguments: [
      ("render post #110866", "render post #…"), ("GET https://a.com/v2/posts/11?x=1", nil),
      ("deliverInputEvent src=0x1002 eventTimeNano=7919 id=0x3d9", nil),
      ("SELECT * FROM posts WHERE id = 7 AND name = 'a b'", nil), ("utf8 decode", "utf8 decode"),
      ("load 7f3a-9c01", "load …-…"), ("don't", "don't"), ("layout", "layout"), ("", ""),
    ] as [(String, String?)])
  func `a template has no numbers, addresses, queries and literals`(
    name: String, expected: String?
  ) {
    let others = [
      "GET https://a.com/v2/posts/11?x=1": "GET https://a.com/v2/posts/…",
      "deliverInputEvent src=0x1002 eventTimeNano=7919 id=0x3d9":
        "deliverInputEvent src=… eventTimeNano=… id=…",
      "SELECT * FROM posts WHERE id = 7 AND name = 'a b'":
        "SELECT * FROM posts WHERE id = … AND name = '…'",
    ]
    let template = NameTemplate(name, of: .empty)?.name ?? name
    #expect(template == expected ?? others[name])
  }

  private static let late = [20, 40, 60, 80, 100, 120, 140, 160, 180]

  private static func findings(_ name: (Int) -> String) -> [Finding] {
    var trace = FindingTrace(frames: 200, late: Set(late))
    for number in late {
      trace.span(category: "app", name: name(number), Double(number) * 10 + 0.5, 14)
    }
    return TraceAnalyzer().analyze(trace.trace()).findings
  }

  @Test func `what an engine has around its frames is no work of its own`() {
    for name in ["VsyncProcessCallback", "Animator::BeginFrame", "RunTask"] {
      #expect(WorkName(category: "Embedder", name: name).isFrameOfOtherWork, "\(name)")
    }
    #expect(!WorkName(category: "Dart", name: "BUILD").isFrameOfOtherWork)
  }

  @Test func `names that are used once each are one cause`() throws {
    let finding = try #require(Self.findings { "render post #\($0 * 7919)" }.first)
    #expect(finding.id == .longTask)
    #expect(finding.fact("name") == .name("render post #…"))
    #expect(finding.fact("names") == .count(9))
    #expect(finding.fact("medianNs") == .time(.milliseconds(14)))
    #expect(finding.measures.hitches == 9)
    #expect(finding.removable == finding.whole)
  }

  @Test func `a few names with numbers, used again and again, stay what they are`() throws {
    let finding = try #require(Self.findings { "pass \($0 / 20 % 3)" }.first)
    #expect(finding.fact("name") != .name("pass …"))
    #expect(finding.fact("names") == .count(nil))
  }

  @Test func `very many names with numbers are one, also if each is used again`() throws {
    var trace = FindingTrace(frames: 200, late: Set(Self.late))
    for number in Self.late {
      for index in 0..<64 {
        let start = Double(number) * 10 + 0.5 + Double(index) * 0.2
        trace.span(category: "app", name: "view #\(index)", start, 0.2)
      }
    }
    let finding = try #require(TraceAnalyzer().analyze(trace.trace()).findings.first)
    #expect(finding.fact("name") == .name("view #…") && finding.fact("names") == .count(64))
  }

  @Test
  func `the function that runs a phase of a page has the name of the phase, if that is known`()
    throws
  {
    for hasPhase in [true, false] {
      var trace = FindingTrace(late: [20, 40])
      for start in [200.0, 400] {
        if hasPhase { trace.span(category: "devtools.timeline", name: "Layout", start + 0.4, 14.2) }
        trace.span(category: "blink", name: "LocalFrameView::performLayout", start + 0.5, 14)
      }
      let finding = try #require(TraceAnalyzer().analyze(trace.trace()).findings.first)
      let name = hasPhase ? "Layout" : "LocalFrameView::performLayout"
      #expect(finding.fact("name") == .name(name) && finding.fact("names") == .count(nil))
      let median = TimeSpan(nanoseconds: hasPhase ? 14_200_000 : 14_000_000)
      #expect(finding.fact("medianNs") == .time(median))
    }
  }

  @Test func `the steps of a browser's garbage collection are one cause`() throws {
    var trace = FindingTrace(late: [20, 40])
    for start in [200.0, 400] {
      trace.span(category: "devtools.timeline,v8", name: "MajorGC", start + 0.4, 14.2)
      trace.span(category: "v8", name: "V8.GCFinalizeMC", start + 0.5, 14)
      trace.span(category: "cppgc", name: "CppGC.AtomicSweep", start + 8, 6)
    }
    let finding = try #require(TraceAnalyzer().analyze(trace.trace()).findings.first)
    #expect(finding.fact("name") == .name("GC") && finding.fact("topic") == .name("collection"))
    #expect(finding.fact("medianNs") == .time(TimeSpan(nanoseconds: 14_200_000)))
    #expect(finding.removable == finding.whole)
  }

  @Test func `a trace has work by the names of its causes, which a speedup is of`() {
    var drawn = FindingTrace(frames: 200, late: Set(Self.late))
    for number in Self.late {
      drawn.span(category: "app", name: "render post #\(number * 7919)", Double(number) * 10, 7)
      drawn.span(category: "v8", name: "MajorGC", Double(number) * 10 + 7, 6)
      drawn.span(category: "v8", name: "V8.GCFinalizeMC", Double(number) * 10 + 8, 5)
    }
    let trace = drawn.trace()
    #expect(trace.holds(WorkName(category: "app", name: "render post #…")))
    #expect(trace.holds(WorkName(category: "v8", name: "GC")))
    #expect(!trace.holds(WorkName(category: "v8", name: "MajorGC")))
  }
}
