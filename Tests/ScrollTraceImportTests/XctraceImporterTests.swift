import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// What the tables of an export become, and what they may not be.
@Suite struct XctraceImporterTests {
  /// A table of `columns`, each `mnemonic:type`.
  static func table(
    _ schema: String, _ columns: String, _ rows: String, run: Int = 1, number: Int = 1
  ) -> String {
    let all = columns.split(separator: " ").map { column in
      let parts = column.split(separator: ":")
      return "<col><mnemonic>\(parts[0])</mnemonic><engineering-type>\(parts[1])"
        + "</engineering-type></col>"
    }
    return "<node xpath='//trace-toc[1]/run[\(run)]/data[1]/table[\(number)]'>"
      + "<schema name=\"\(schema)\">\(all.joined())</schema>\(rows)</node>"
  }

  static func export(_ tables: String...) -> String {
    "<?xml version=\"1.0\"?>\n<trace-query-result>\(tables.joined())</trace-query-result>"
  }

  /// A list of hitches with these rows.
  static func hitches(_ rows: String) -> String {
    export(table("hitches", "start:start-time duration:duration swap-id:uint32", rows))
  }

  private static func row(_ start: String, _ duration: String) -> String {
    "<row><start-time>\(start)</start-time><duration>\(duration)</duration><uint32>1</uint32></row>"
  }

  private static let good = row("5", "7")

  // MARK: - Columns and references

  @Test
  func `columns are recognized by their order, and a value can be defined in any row`() throws {
    let trace = try read(
      Self.export(
        Self.table(
          "hitches", "swap-id:uint32 duration:duration extra:uint32 start:start-time",
          """
          <row><uint32 id="1">10</uint32><duration id="2">7</duration><uint32 id="3">99</uint32>
          <start-time id="4">100</start-time></row>
          <row><uint32 ref="3"/><duration ref="2"/><uint32 ref="1"/>
          <start-time id="5">200</start-time></row>
          <row><uint32 ref="1"/><sentinel/><uint32 ref="1"/><start-time ref="4"/></row>
          """)))
    let hitches = trace.surfaces[0].listedHitches
    #expect(hitches.map(\.start.nanoseconds) == [100, 200])
    #expect(hitches.map(\.length.nanoseconds) == [7, 7])
    // A hitch without a length is none that can be counted.
    #expect(trace.losses.map(\.reason) == [.malformedRecord])
  }

  @Test func `an unreadable row is counted, and the others are kept`() async {
    await forEachCase(of: [
      (Self.row("+5", "7"), Loss.Reason.invalidValue), (Self.row("0x10", "7"), .invalidValue),
      (Self.row(" 5", "7"), .invalidValue), (Self.row("5 5", "7"), .invalidValue),
      (Self.row("99999999999999999999", "7"), .invalidValue), (Self.row("5.5", "7"), .invalidValue),
      (Self.row("-5", "7"), .timeOutOfRange), (Self.row("5", "-7"), .endBeforeBegin),
      (Self.row("5", ""), .invalidValue), (Self.row("--5", "7"), .invalidValue),
      ("<row/>", .malformedRecord),
      ("<row><sentinel/><sentinel/><sentinel/></row>", .malformedRecord),
      (
        "<row><duration>5</duration><start-time>7</start-time><uint32>1</uint32></row>",
        .malformedRecord
      ),
      (
        "<row><start-time>5</start-time><duration>7</duration><uint32>1</uint32><uint32>1</uint32>"
          + "</row>", .malformedRecord
      ),
      (
        "<row><start-time ref=\"77\"/><duration>7</duration><uint32>1</uint32></row>",
        .undefinedReference
      ),
      (
        "<row><start-time id=\"1\" ref=\"1\"/><duration>7</duration><uint32>1</uint32></row>",
        .undefinedReference
      ),
      (
        "<row><start-time id=\"1\">8</start-time><duration ref=\"1\"/><uint32>1</uint32></row>",
        .undefinedReference
      ),
      (
        "<row><start-time id=\"1\">5</start-time><duration id=\"1\">7</duration><uint32>2</uint32>"
          + "</row>", .invalidValue
      ),
      (
        "<row><start-time ref=\"-1\"/><duration>7</duration><uint32>1</uint32></row>",
        .undefinedReference
      ),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ row: String, _ cause: Loss.Reason) throws {
      let trace = try read(Self.hitches(Self.good + row + Self.row("50", "7")))
      #expect(trace.losses.contains { $0.reason == cause }, "\(trace.losses)")
      #expect(trace.surfaces[0].listedHitches.contains { $0.start.nanoseconds == 5 })
      #expect(trace.surfaces[0].listedHitches.contains { $0.start.nanoseconds == 50 })
    }
  }

  @Test func `value numbers that jump cost no memory`() throws {
    let rows = (0..<2000).map {
      "<row><start-time id=\"\(9_000_000_000 - $0 * 1_000_000)\">\($0 * 100)</start-time>"
        + "<duration id=\"\($0 * 17 + 18)\">7</duration><uint32>\($0)</uint32></row>"
    }
    let trace = try read(Self.hitches(rows.joined()))
    #expect(trace.surfaces[0].listedHitches.count == 2000)
    #expect(trace.losses.isEmpty)
  }

  // MARK: - Several tables

  @Test func `the second of two lists of the same hitches is counted`() throws {
    let summary = Self.table(
      "hitches-summary", "start:start-time duration:duration",
      "<row><start-time>5</start-time><duration>7</duration></row>", number: 2)
    let list = Self.table(
      "hitches", "start:start-time duration:duration",
      "<row><start-time>5</start-time><duration>7</duration></row>")
    let trace = try read(Self.export(list, summary))
    #expect(trace.surfaces.map(\.listedHitches.count) == [1])
    #expect(trace.notices.contains(.source("unused rows: hitches-summary (1)")))
    // The same table twice, and the same hitch in two tables of one schema.
    #expect(try read(Self.export(list, list)).surfaces.map(\.listedHitches.count) == [1])
    let other = list.replacing("table[1]", with: "table[9]")
    let twice = try read(Self.export(list, other))
    #expect(twice.surfaces.map(\.listedHitches.count) == [1])
    #expect(
      twice.notices.contains(
        .source("hitches listed in several tables, counted once: 1")))
  }

  @Test func `tables of two runs have no common time and are rejected`() {
    let tables = [1, 2].map {
      Self.table("hitches", "start:start-time duration:duration", "", run: $0)
    }
    #expect(refusal(of: Self.export(tables.joined())).contains("runs 1 and 2"))
  }

  @Test func `the length of a recording is that of its own run`() throws {
    let contents =
      "<trace-toc><run number=\"1\"><info><summary><duration>5.5</duration></summary></info></run>"
      + "<run number=\"2\"><info><summary><duration>0.000000250</duration></summary></info></run>"
      + "</trace-toc>"
    let table = Self.table("hitches", "start:start-time duration:duration", "", run: 2)
    let trace = try read(contents + Self.export(table))
    #expect(trace.range.length.nanoseconds == 250)
    #expect(trace.source.hasKnownLength)
    #expect(trace.surfaces.map(\.basis) == [.hitchList])
  }

  @Test func `a file without supported tables is reported`() async {
    await forEachCase(of: [
      ("<trace-query-result/>", "contains no table"),
      ("<trace-query-result><node xpath='x'><row/></node></trace-query-result>", "no table"),
      ("<trace-toc><run number='1'/></trace-toc>", "without a list of hitches"),
      ("<trace-toc><run><data><table schema='hitches'/></data></run></trace-toc>", "only a table"),
      (
        "<trace-query-result><node><schema name='hitches'><col><mnemonic>start</mnemonic>"
          + "<engineering-type>a</engineering-type></col></schema></node></trace-query-result>",
        "has no column 'duration'"
      ),
      ("<?xml version='1.0' encoding='latin1'?><trace-query-result/>", "latin1"),
      ("<!DOCTYPE trace-query-result [<!ENTITY a 'b'>]><trace-query-result/>", "DOCTYPE"),
      ("<trace-query-result><node>", "ends in the middle"),
      ("<trace-query-result/><other/>", "does not export"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ text: String, _ words: String) throws {
      let error = refusal(of: text)
      #expect(error.contains(words) && !error.contains("\n"))
    }
  }

  @Test func `other XML is left to other importers`() async {
    await forEachCase(
      of: [
        "<testsuites/>", "<a><trace-query-result/></a>", "<!DOCTYPE html><html/>", "<trace-t",
        "<?xml",
      ], oneCase)
    @Sendable func oneCase(text: String) throws {
      #expect(refusal(of: text).lowercased().contains("run `scrolltrace formats`"))
    }
  }

  // MARK: - Other tables

  @Test func `a run loop's busy time is work of its thread, but waiting is not`() throws {
    let thread =
      #"<thread id="9" fmt="Main Thread (0x1b86) (Finder, pid: 873)"><tid>7046</tid>"#
      + #"<process id="11" fmt="Finder (873)"><pid>873</pid></process></thread>"#
    func row(_ start: Int, _ kind: String, _ thread: String) -> String {
      "<row><start-time>\(start)</start-time><duration>10</duration><short-string>\(kind)"
        + "</short-string><boolean>1</boolean>\(thread)</row>"
    }
    let trace = try read(
      Self.export(
        Self.table(
          "runloop-intervals",
          "start:start-time duration:duration interval-type:short-string is-main:boolean "
            + "thread:thread",
          row(0, "Individual Iteration", thread) + row(0, "Busy", #"<thread ref="9"/>"#)
            + row(10, "Waiting For Events", #"<thread ref="9"/>"#)
            + row(20, "Busy", "<sentinel/>"))))
    #expect(trace.tracks.map(\.name) == ["Main Thread"])
    #expect(trace.tracks.map(\.systemID) == [7046])
    #expect(trace.tracks.map(\.isMain) == [true])
    #expect(trace.tracks.map(\.spans.count) == [1])
    #expect(trace.processes.map(\.name) == ["Finder"])
    #expect(trace.notices.contains(.source("unused rows: runloop-intervals (1)")))
    #expect(trace.losses.isEmpty)
  }

  @Test func `each new image on a display is a presented frame`() throws {
    let rows = [0, 16, 16, 33, 66].map {
      "<row><start-time>\($0)</start-time><display-name>D</display-name></row>"
    }
    let trace = try read(
      Self.export(
        Self.table(
          "displayed-surfaces-interval", "start:start-time display-name:display-name",
          rows.joined())))
    #expect(trace.surfaces.map(\.name) == ["presented frames on D"])
    #expect(trace.surfaces.map(\.basis) == [.cadence])
    let frames = trace.surfaces[0].frames
    #expect((0..<frames.count).map { frames[$0].presented?.nanoseconds } == [0, 16, 33, 66])
    #expect(frames[0].refreshInterval == nil)
  }

  @Test func `a display with a variable rate gives no refresh interval`() throws {
    func trace(_ gaps: [Int]) throws -> Trace {
      var time = 0
      let rows = ([0] + gaps).map { gap in
        time += gap
        return "<row><start-time>\(time)</start-time><display-name>D</display-name>"
          + "<vsync-event>VSYNC</vsync-event></row>"
      }
      return try read(
        Self.export(
          Self.table(
            "hitches", "start:start-time duration:duration display:display-name",
            "<row><start-time>5</start-time><duration>7</duration><display-name>D</display-name>"
              + "</row>"),
          Self.table(
            "display-vsyncs-interval",
            "timestamp:start-time display-name:display-name event:vsync-event", rows.joined(),
            number: 2)))
    }
    let steady = try trace(Array(repeating: 16, count: 20) + [900])
    #expect(steady.surfaces[0].listedHitches[0].refreshInterval?.nanoseconds == 16)
    let varying = try trace(Array(repeating: 8, count: 10) + Array(repeating: 16, count: 10))
    #expect(varying.surfaces[0].listedHitches[0].refreshInterval == nil)
    #expect(varying.says("refresh rate of D varies"))
    #expect(try trace([16, 16]).surfaces[0].listedHitches[0].refreshInterval == nil)
  }

  @Test func `hitches of one process on two displays are two surfaces, and so are two processes`()
    throws
  {
    func row(_ start: Int, _ process: String, _ system: Int, _ display: String) -> String {
      "<row><start-time>\(start)</start-time><duration>7</duration>\(process)<boolean>\(system)"
        + "</boolean><display-name>\(display)</display-name></row>"
    }
    func process(_ name: String, _ pid: Int) -> String {
      "<process fmt=\"\(name) (\(pid))\"><pid>\(pid)</pid></process>"
    }
    let trace = try read(
      Self.export(
        Self.table(
          "hitches",
          "start:start-time duration:duration process:process is-system:boolean "
            + "display:display-name",
          row(1, process("A", 1), 0, "D1") + row(2, process("A", 1), 0, "D2")
            + row(3, process("B", 2), 0, "D1") + row(4, process("B", 3), 0, "D1")
            + row(5, "<sentinel/>", 1, "D1") + row(6, process("C", 4), 1, "D1")
            + row(7, "<sentinel/>", 0, "D1"))))
    #expect(
      trace.surfaces.map(\.name) == [
        "A on D1", "A on D2", "B (2)", "B (3)", "C (system)", "system", "unknown process",
      ])
  }

  @Test func `the reader takes linear time`() throws {
    let row =
      "<row><start-time>5</start-time><duration>7</duration><uint32>1</uint32></row>"
    let text = Self.hitches(
      String(repeating: row, count: ExtraCases.isThorough ? 20_000 : 5_000))
    let trace = try read(text)
    #expect(trace.surfaces[0].listedHitches.count == 1)
    let names = (0..<2000).map {
      "<row><start-time>\($0)</start-time><duration>7</duration>"
        + "<process fmt=\"P\($0)\"><pid>\($0)</pid></process></row>"
    }
    let many = try read(
      Self.export(
        Self.table(
          "hitches", "start:start-time duration:duration process:process", names.joined())))
    #expect(many.surfaces.count <= TraceBuilder.maximumSurfaceCount + 1)
    #expect(many.losses.map(\.reason) == [.limitReached])
  }
}
