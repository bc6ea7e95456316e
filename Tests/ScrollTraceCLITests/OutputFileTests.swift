import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// The files that commands write, and those that they leave alone.
struct OutputFileTests {
  let console = CapturedConsole()

  static let sample = PackageFiles.sample("feed-commit-hitches.fxt")

  @Test func `a report replaces a report and nothing else`() throws {
    let sample = try console.file("run.ndjson", CapturedConsole.drag())
    for format in ReportFormat.allCases {
      let path = "\(console.folder)/report.\(format.ending)"
      for _ in 0..<2 {
        #expect(
          console.run("analyze", sample, "-o", path, "--format", format.rawValue) == .done,
          "\(format): \(console.errors)")
      }
    }
    let notes = try console.file("notes.txt", "mine")
    #expect(console.run("analyze", sample, "-o", notes) == .notEvaluated)
    #expect(
      console.errors
        == "scrolltrace: error: \(notes): already exists; replace it with --overwrite\n")
    #expect(try console.content("notes.txt") == "mine")
    #expect(console.run("analyze", sample, "-o", notes, "--overwrite") == .done)
    #expect(try console.content("notes.txt").contains("scrolltrace 0.1.0\n"))
  }

  @Test func `a report that replaces nothing else is refused before the trace is read`() throws {
    let notes = try console.file("notes.html", "mine")
    let words = ["analyze", "missing.fxt", "-o", notes]
    #expect(console.run(words) == .notEvaluated)
    #expect(
      console.errors
        == "scrolltrace: error: \(notes): already exists; replace it with --overwrite\n")
    // What can be written is.
    let copy = "\(console.folder)/copy.txt"
    #expect(console.run("analyze", Self.sample, "-o", notes, "-o", copy) == .notEvaluated)
    #expect(try console.content("copy.txt").contains("scrolltrace 0.1.0\n"))
  }

  @Test func `a copy that exists is refused before the trace is read`() throws {
    let copy = try console.file("copy.json", "mine")
    #expect(console.run("convert", "missing.fxt", "-o", copy) == .notEvaluated)
    #expect(console.errors.contains("\(copy): already exists; replace it with --overwrite\n"))
  }

  @Test func `a file whose name ends as no report does is a usage error without a format`() throws {
    let path = console.folder + "/report.pdf"
    #expect(console.run("analyze", Self.sample, "-o", path) == .usage)
    #expect(console.errors.contains("Unknown extension of '\(path)'; provide '--format <format>'"))
    #expect(console.run("analyze", Self.sample, "--format", "text", "-o", path) == .done)
    #expect(console.run("analyze", Self.sample, "-o", console.folder + "/report") == .done)
  }

  @Test func `a report never replaces a trace`() async {
    await forEachCase(
      of: ExtraCases.some(
        2,
        of: ["run.fxt", "run.json", "run.json.gz", "run.csv", "run.pftrace", "run.ndjson"]),
      oneCase)
    @Sendable func oneCase(name: String) throws {
      let console = CapturedConsole()
      let trace = "\(console.folder)/\(name)"
      switch name {
      case "run.fxt": try FileManager.default.copyItem(atPath: Self.sample, toPath: trace)
      case "run.csv": _ = try console.file(name, "frame,begin,commitEnd\n1,0,5000000\n")
      default: #expect(console.run("convert", Self.sample, "-o", trace) == .done)
      }
      let before = FileManager.default.contents(atPath: trace)
      for options in [[], ["--overwrite"]] {
        let words = ["analyze", Self.sample, "--format", "text", "-o", trace] + options
        #expect(console.run(words) == .notEvaluated)
        let isSame = FileManager.default.contents(atPath: trace) == before
        #expect(isSame)
      }
      #expect(console.errors.contains("is a trace; name another file"))
      #expect(console.run("baseline", Self.sample, "-o", trace) == .notEvaluated)
      #expect(console.errors.contains("is a trace; name another file"))
      #expect(!console.errors.contains("is replaced"), "\(console.errors)")
      let isSame = FileManager.default.contents(atPath: trace) == before
      #expect(isSame)
    }
  }

  @Test func `a baseline replaces a baseline of any schema and nothing else`() throws {
    let sample = try console.file("run.ndjson", CapturedConsole.drag())
    let path = console.folder + "/base.json"
    for _ in 0..<2 {
      #expect(console.run("baseline", sample, "-o", path) == .done, "\(console.errors)")
    }
    _ = try console.file("base.json", #"{"schema": "scrolltrace.baseline/0"}"#)
    #expect(console.run("baseline", sample, "-o", path) == .done, "\(console.errors)")
    for text in ["mine", #"{"schema": "scrolltrace.report/1"}"#] {
      let notes = try console.file("notes.json", text)
      #expect(console.run("baseline", sample, "-o", notes) == .notEvaluated)
      #expect(
        console.errors.hasSuffix(
          "notes.json: already exists; it is not a baseline, so name another file\n"))
      #expect(try console.content("notes.json") == text)
    }
  }

  @Test func `a saved script replaces a script and nothing else`() throws {
    let script = console.folder + "/scroll.txt"
    for number in 0..<2 {
      let record = "\(console.folder)/\(number).fxt"
      let words = ["demo", "--record", record, "--virtual-time", "--duration", "1s"]
      #expect(console.run(words + ["--save-script", script]) == .done, "\(console.errors)")
    }
    let notes = try console.file("notes.txt", "mine")
    let words = ["demo", "--record", console.folder + "/2.fxt", "--virtual-time", "--duration=1s"]
    #expect(console.run(words + ["--save-script", notes]) == .notEvaluated)
    #expect(try console.content("notes.txt") == "mine")
  }

  @Test func `a budget that is a broken link is an error, not a missing budget`() throws {
    console.environment.workingDirectory = console.folder
    let link = console.folder + "/.scrolltrace.json"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: console.folder + "/none.json")
    #expect(console.run("budget", "--check") == .notEvaluated)
    #expect(console.errors.hasPrefix("scrolltrace: error: \(link): "))
    #expect(console.run("check", Self.sample) == .notEvaluated)
  }
}
