import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// Reports and checks of more runs than are kept whole.
struct ManyTracesTests {
  let console = CapturedConsole()

  /// A folder with runs of three kinds under numbered names, in two folders: with no hitch, two and one.
  private static func folder(_ console: CapturedConsole, count: Int) throws -> String {
    let kinds = [[], [20, 40], [20]].map { CapturedConsole.drag(late: Set($0)) }
    for index in 0..<count {
      _ = try console.file(
        "runs/\(index % 2 == 0 ? "even" : "odd")/\(1000 + index).ndjson", kinds[index % 3])
    }
    return console.folder + "/runs"
  }

  @Test func `a table names the runs, worst first, and counts the rest`() throws {
    let folder = try Self.folder(console, count: 28)
    #expect(console.run("analyze", folder) == .done)
    let lines = console.output.split(separator: "\n").map(String.init)
    let title = try #require(lines.firstIndex(of: "Runs, worst first"))
    let rows = Array(lines[(title + 2)...].prefix(24))
    #expect(rows.allSatisfy { $0.contains(".ndjson") })
    // Runs with equal ratios are in the order of the paths.
    #expect(rows.first?.contains("even/1004.ndjson  33.33 ms/s  critical") == true)
    #expect(rows[17].contains("16.67 ms/s") && rows[18].contains(" 0.00 ms/s"))
    #expect(console.output.contains("  and 4 more\n"))
    #expect(console.output.contains("28 runs: 18 critical, 10 good"))
    #expect(console.output.contains("\nNext   "))
    #expect(lines.dropLast().allSatisfy { $0.count <= 80 })
    let page = console.folder + "/page.html"
    #expect(console.run("analyze", folder, "-o", page, "-o", page + ".md") == .done)
    for name in ["page.html", "page.html.md"] {
      let text = try console.content(name)
      #expect(text.contains("1004.ndjson") && text.contains("1027.ndjson"))
      #expect(text.contains("Runs, worst first"))
    }
  }

  @Test func `a JSON report is written run by run, with the bytes of a whole one`() throws {
    let folder = try Self.folder(console, count: 5)
    let file = console.folder + "/all.json"
    let words = ["analyze", folder, "--format", "json", "--series", "--jobs", "1"]
    #expect(console.run(words) == .done)
    let (output, pieces) = (console.output, console.outputCount)
    #expect(pieces == 6)
    let runs = try ["even/1000", "even/1002", "even/1004", "odd/1001", "odd/1003"]
      .map { TraceAnalyzer().analyze(try TraceFile.open("\(folder)/\($0).ndjson")) }
    #expect(output == JSONRenderer(includesSeries: true).render(Report(runs)))
    #expect(console.run(words + ["-o", file]) == .done)
    #expect(try console.content("all.json") == output)
  }

  @Test func `a JSON report of runs of which some are unreadable has the others`() throws {
    let bad = try console.file("bad.fxt", "bad")
    let file = console.folder + "/all.json"
    #expect(console.run("analyze", bad, "-o", file) == .notEvaluated)
    #expect(!FileManager.default.fileExists(atPath: file))
    let sample = SummarizeCommandTests.path("feed-smooth")
    #expect(console.run("analyze", bad, sample, "-o", file) == .notEvaluated)
    let results = try AnalysisResults(json: try console.content("all.json"))
    #expect(results.runs.map(\.input.path) == [sample])
    let files = try FileManager.default.contentsOfDirectory(atPath: console.folder)
    #expect(files.filter { $0.hasPrefix("all.json") } == ["all.json"])
  }

  @Test func `the number of threads changes nothing`() throws {
    let folder = try Self.folder(console, count: ExtraCases.isThorough ? 30 : 6)
    for command in [["analyze"], ["check"], ["analyze", "--format", "junit"]] {
      _ = console.run(command + [folder, "--jobs", "1"])
      let (output, errors) = (console.output, console.errors)
      _ = console.run(command + [folder, "--jobs", "3"])
      #expect(console.output == output && console.errors == errors)
    }
  }

  @Test func `digests give every format and every limit the values of whole runs`() throws {
    let paths = ["feed-smooth", "feed-commit-hitches", "interactions", "panel-1-on-demand"]
      .map { SummarizeCommandTests.path($0) }
    let whole = try paths.map { TraceAnalyzer().analyze(try TraceFile.open($0)) }
    let digests = whole.map { $0.digest() }
    for (run, digest) in zip(whole, digests) {
      let contexts = [run, digest].map { MetricContext(of: .primary, in: $0) }
      for metric in Metric.all {
        let values = contexts.map { $0.flatMap(metric.number) }
        #expect(values[0] == values[1], "\(metric.name)")
      }
    }
    for renderer in [JUnitRenderer(), OpenMetricsRenderer(), BencherRenderer()]
      as [any ReportRenderer]
    {
      let texts = [whole, digests].map { renderer.render(Report($0)) }
      #expect(texts[0] == texts[1])
    }
    let limits = try Budget(
      json: #"{"limits": {"hitchTimeRatioMsPerS": 1, "commitNs.p95": "1 ms", "hitches": 2}}"#)
    #expect(limits.verdict(on: whole) == limits.verdict(on: digests))
  }

  @Test func `copies of a file are one run, which one line says`() throws {
    let folder = try Self.folder(console, count: 8)
    _ = console.run("check", folder)
    let notes = console.errors.split(separator: "\n").filter { $0.contains("a copy of") }
    #expect(notes.count == 1)
    #expect(console.errors.contains("5 traces were ignored as copies: "))
    #expect(console.output.contains("3 runs"))
  }

  @Test func `bad files among many change nothing else`() throws {
    let folder = try Self.folder(console, count: 6)
    _ = console.run("analyze", folder)
    let expected = console.output
    for (index, content) in ["", "PK", "foreign"].enumerated() {
      _ = try console.file("runs/odd/1500-\(index).fxt", content)
    }
    #expect(console.run("analyze", folder) == .notEvaluated)
    #expect(console.output == expected)
    #expect(console.errors.split(separator: "\n").count == 3)
  }

  @Test func `a list of files is as good as operands, and can contain folders`() throws {
    let folder = try Self.folder(console, count: 6)
    _ = console.run("check", folder)
    let expected = console.output
    let list = try console.file("list", "\(folder)/even\n\n\(folder)/odd\n")
    _ = console.run("check", "--files-from", list)
    #expect(console.output == expected)
  }

  @Test func `of an app's container that Xcode downloaded, only the recordings are read`() throws {
    let folder = console.folder + "/Feed.xcappdata"
    _ = try console.file(
      "Feed.xcappdata/AppData/Library/Caches/ScrollTrace/feed.fxt",
      PackageFiles.bytes(of: "feed-smooth.fxt"))
    _ = try console.file("Feed.xcappdata/AppData/Documents/settings.json", "{}")
    _ = try console.file("Feed.xcappdata/AppDataInfo.plist", "<plist/>")
    for path in [folder, folder + "/"] {
      #expect(console.run("analyze", path) == .done)
      #expect(console.output.contains("GOOD") && console.errors.isEmpty, "\(console.errors)")
    }
  }
}
