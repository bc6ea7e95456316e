import ScrollTraceKit
import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `convert --tables` writes tables that can be joined, and the queries of their page run.
@Suite struct TableTests {
  private static let page = "Sources/ScrollTraceCLI/ScrollTraceCLI.docc/Tables.md"

  private let console = CapturedConsole()

  /// The rows of a table by column. Only the last field may contain a comma.
  private func rows(_ table: String) throws -> [[String: String]] {
    let lines = try console.content("tables/\(table).csv").split(separator: "\n")
    let columns = try #require(lines.first).split(separator: ",").map(String.init)
    return lines.dropFirst().map { line in
      let fields = line.split(
        separator: ",", maxSplits: columns.count - 1, omittingEmptySubsequences: false)
      return Dictionary(uniqueKeysWithValues: zip(columns, fields.map(String.init)))
    }
  }

  private func convert(_ trace: String, _ more: String...) -> ScrollTraceCLI.ExitStatus {
    console.run(["convert", trace, "--tables", console.folder + "/tables"] + more)
  }

  @Test func `the tables contain what the report counts, and their keys join them`() throws {
    #expect(convert(PackageFiles.sample("feed-commit-hitches.fxt")) == .done)
    let (frames, hitches, causes) = (try rows("frames"), try rows("hitches"), try rows("causes"))
    #expect(frames.count == 185)
    #expect(frames.map { $0["frame_key"] } == (1...185).map(String.init))
    #expect(hitches.count == 6)
    let inMotion = hitches.compactMap { $0["hitch_in_motion_ns"].flatMap { Int($0) } }
    #expect(abs(inMotion.reduce(0, +) - 100_000_002) < 100)
    for hitch in hitches {
      let frame = frames.first { $0["frame_key"] == hitch["frame_key"] }
      #expect(frame?["frame"] == hitch["frame"])
      let shares = causes.filter { $0["hitch_key"] == hitch["hitch_key"] }
        .compactMap { $0["share"].flatMap { Double($0) } }
      #expect(abs(shares.reduce(0, +) - 1) < 0.001)
    }
    let decode = causes.first { $0["kind"] == "work" && $0["name"] == "decode" }
    #expect(decode?["category"] == "scrolltrace.image" && decode?["item"]?.isEmpty == false)
    let interactions = try rows("interactions")
    #expect(
      hitches.compactMap { $0["interaction_key"] }.filter { !$0.isEmpty }.allSatisfy { key in
        interactions.contains { $0["interaction_key"] == key }
      })
    #expect(try rows("states").contains { $0["key"] == "screen" })
  }

  @Test func `a cell that a spreadsheet could interpret as a formula is quoted`() throws {
    for name in ["=1+2", "+cmd", "-3", "@SUM(A1)", "\tx"] {
      let line = #"{"span":"\#(name)","category":"app","begin":1,"end":2,"thread":"main"}"#
      let lines =
        "{\"scrolltrace\":\"ndjson/1\",\"unit\":\"ms\"}\n"
        + line.replacing("\t", with: "\\t") + "\n"
      let trace = try console.file("run.ndjson", lines)
      #expect(convert(trace, "--overwrite") == .done, "\(console.errors)")
      #expect(try console.content("tables/spans.csv").contains(",app,\"\(name)\","))
    }
  }

  @Test func `a span's own time and the spans in it add up, and it is inside its parent`() throws {
    #expect(convert(PackageFiles.sample("feed-commit-hitches.fxt")) == .done)
    let spans = try rows("spans")
    func number(_ span: [String: String], _ column: String) -> Int {
      span[column].flatMap { Int($0) } ?? -1
    }
    let byKey = Dictionary(uniqueKeysWithValues: spans.map { (number($0, "span_key"), $0) })
    var inside: [Int: Int] = [:]
    for span in spans where span["parent_key"]?.isEmpty == false {
      let parent = try #require(byKey[number(span, "parent_key")])
      inside[number(parent, "span_key"), default: 0] += number(span, "duration_ns")
      #expect(number(parent, "start_ns") <= number(span, "start_ns"))
      #expect(number(parent, "end_ns") >= number(span, "end_ns"))
      #expect(number(parent, "depth") + 1 == number(span, "depth"))
    }
    #expect(inside.count > 100)
    for (key, time) in inside {
      let span = try #require(byKey[key])
      #expect(number(span, "self_ns") + time == number(span, "duration_ns"))
    }
  }

  @Test func `no time of a thread is counted twice if spans cross`() throws {
    let lines = #"""
      {"scrolltrace":"ndjson/1"}
      {"span":"a","category":"x","begin":0,"end":100}
      {"span":"b","category":"x","begin":50,"end":150}
      {"span":"c","category":"x","begin":60,"end":80}
      """#
    #expect(convert(try console.file("crossing.ndjson", lines)) == .done)
    #expect(try rows("spans").map { $0["self_ns"] } == ["50", "80", "20"])
  }

  @Test func `hostile names are fields, and nothing is overwritten without --overwrite`() throws {
    let lines = #"""
      {"scrolltrace":"ndjson/1","unit":"ms"}
      {"frame":1,"begin":0,"commitEnd":9,"interval":16}
      {"span":"a,\"b\"\n=c;d","category":"x","begin":1,"end":2,"note":"e\"f","ratio":0.5}
      {"state":"k,","value":"","at":1}
      """#
    let trace = try console.file("hostile.ndjson", lines)
    #expect(convert(trace) == .done)
    let text = try console.content("tables/spans.csv")
    #expect(text.contains("\"a,\"\"b\"\"\n=c;d\""))
    #expect(text.contains(#""{""note"": ""e\""f"", ""ratio"": 0.5}""#))
    #expect(convert(trace) == .notEvaluated)
    #expect(console.errors.contains("frames.csv: already exists; replace it with --overwrite"))
    #expect(convert(trace, "--overwrite") == .done)
    #expect(console.run("convert", trace, "--tables", trace) == .notEvaluated)
    #expect(console.run("convert", trace, "--tables", "x", "-o", "y.csv") == .usage)
  }

  @Test func `the page describes every table and column`() throws {
    let text = try PackageFiles.text(Self.page)
    for table in TraceTable.all {
      #expect(text.contains("### \(table.name)"))
      for column in table.columns { #expect(text.contains("`\(column)`"), "\(column)") }
    }
  }

  @Test(
    .needs("the duckdb package of Python", if: ShellRun.succeeds("python3 -c 'import duckdb'")))
  func `the queries of the page run, and find what the trace has`() throws {
    let queries = try PackageFiles.blocks(of: "sql", in: Self.page)
    #expect(queries.count == 13)
    #expect(convert(PackageFiles.sample("feed-commit-hitches.fxt")) == .done)
    let script = """
      import duckdb, sys
      database = duckdb.connect()
      for index, query in enumerate(sys.argv[1:], 1):
          rows = database.execute(query).fetchall()
          print(index, len(rows))
      """
    let run = try ShellRun("python3 -c \"$@\"", [script] + queries, in: console.folder)
    #expect(run.status == 0, "\(run.output)")
    // This trace has no sampled stacks and decodes no image twice; all other queries have an answer.
    let empty = run.output.split(separator: "\n").filter { $0.hasSuffix(" 0") }
    #expect(empty.count <= 2, "\(run.output)")
  }
}
