import ScrollTraceKit
import Foundation
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

@Suite struct AnalyzeCommandTests {
  let console = CapturedConsole()

  @Test func `help and version are results and work at any level`() {
    for arguments in [["--help"], ["-h"], ["help"], []] {
      #expect(console.run(arguments) == .done)
      #expect(console.output.hasPrefix("Measure scrolling smoothness from frame traces.\n"))
      #expect(console.output.contains("\n  analyze"))
      let isWhole = arguments.first?.hasSuffix("help") ?? false
      #expect(console.output.contains("EXIT STATUS") == isWhole)
    }
    for arguments in [["help", "analyze"], ["analyze", "-h"], ["analyze", "x", "--help"]] {
      #expect(console.run(arguments) == .done)
      #expect(console.output.contains("USAGE: scrolltrace analyze [<options>] <trace> ..."))
    }
    #expect(console.run(["--version"]) == .done)
    #expect(console.output == "0.1.0\n")
    #expect(console.errors.isEmpty)
  }

  @Test func `misuse exits with 64 and prints the usage on standard error`() {
    for (arguments, message) in [
      (["analize"], "scrolltrace: error: Unknown command 'analize'. Did you mean 'analyze'?"),
      (["a.fxt"], "error: 'a.fxt' is neither a command nor a readable trace"),
      (["analyze"], "scrolltrace: error: Missing expected argument '<trace>'"),
      (["convert", "x"], "scrolltrace: error: Missing required option '--output <file>'\n"),
      (
        ["analyze", "--widht", "80", "x"],
        "scrolltrace: error: Unknown option '--widht'. Did you mean '--width'?"
      ),
      (
        ["analyze", "x", "--width", "\u{1B}[31m20\n"],
        "scrolltrace: error: --width: '^[[31m20^J' is not a number of columns from 60"
      ),
      (
        ["analyze", "x", "--width", "20"],
        "scrolltrace: error: --width: '20' is not a number of columns from 60 to 10000\n"
      ),
      (["analyze", "x", "--format", "jsn"], "(values: text, brief, json, markdown, junit"),
      (["analyze", "x", "--define", "a"], "NAME=FROM..TO"),
      (["analyze", "x", "--refresh-rate", "0"], "60000/1001"),
      (["analyze", "x", "--format", "text,json", "-o", "r.bin"], ".txt, .json"),
    ] {
      #expect(console.run(arguments) == .usage)
      #expect(console.output.isEmpty)
      #expect(console.errors.contains(message), "\(console.errors)")
      #expect(console.errors.contains("\nUsage: scrolltrace"))
      #expect(console.errors.contains(" --help' for more information.\n"))
    }
  }

  @Test func `what is said about a wrong option fits 80 columns`() {
    let wrong: [[String]] = [
      ["analyze", "--format", "jsn"], ["analyze", "--thresholds", "organizer"],
      ["analyze", "--refresh-rate", "5000"], ["analyze", "--from", "abc"],
      ["analyze", "--from", "2s", "--to", "1s"], ["analyze", "--state", "zzz"],
      ["analyze", "--define", "zzz"], ["analyze", "--frame", "abc"], ["analyze", "--at", "abc"],
      ["analyze", "--hitches", "abc"], ["analyze", "--width", "1"],
      ["analyze", "--charset", "zzz"],
      ["analyze", "--color", "zzz"], ["analyze", "-o", "r.pdf"], ["analyze", "--jobs", "abc"],
      ["analyze", "--format", "text,json", "-o", "r.bin"], ["analyze", "--max-line-bytes", "abc"],
      ["analyze", "--max-decompressed-bytes", "abc"],
      ["analyze", "--always-moving", "--define", "a"],
      ["check", "--thresholds", "zzz"], ["check", "--max-ratio", "abc"],
      ["check", "--max-hitch-time", "abc"], ["check", "--max-longest-hitch", "abc"],
      ["check", "--max-deadline-misses", "abc"], ["check", "--detect", "abc"],
      ["check", "--budget", #"{"zzz": 1}"#],
      ["check", "--budget", #"{"limits": {"commitNs.p95": "12"}}"#],
      ["predict", "--speedup", "cell=0"], ["predict", "--target-hz", "5000"],
      ["convert"], ["convert", "-o", "r.pdf"], ["convert", "-o", "r", "--format", "zzz"],
      ["convert", "-o", "r.json", "--hitches-only"], ["inspect", "--format", "zzz"],
      ["summarize", "--attribute", "zzz"], ["summarize", "--weight", "abc"],
      ["merge", "--by", "zzz"], ["trend", "--metric", "zzz"], ["trend", "--only", "zzz"],
      ["trend", "--split", "a:b"], ["watch", "--duration", "abc"], ["compare"],
    ]
    let others: [[String]] = [
      ["a.fxt"], ["demo"], ["demo", "--items", "0"], ["demo", "--ring-size", "abc"],
      ["demo", "--policy", "zzz"],
    ]
    for arguments in wrong.map({ $0 + ["x"] }) + others {
      #expect(console.run(arguments) == .usage, "\(arguments)")
      #expect(
        console.errors.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(console.errors)")
    }
  }

  @Test func `a file that is given twice is one run, with a warning`() throws {
    let path = PackageFiles.sample("feed-smooth.fxt")
    for command in ["analyze", "predict"] {
      #expect(console.run(command, path, path, "-f", "json") == .done)
      #expect(console.output.components(separatedBy: #""path": "#).count == 2)
      #expect(console.errors.contains("warning: 1 trace was ignored as already given"))
    }
  }

  @Test func `a readable trace exits with 0, even if nothing can be evaluated`() throws {
    #expect(console.run("analyze", try console.trace("a.json")) == .done)
    #expect(console.output.contains("NOT MEASURABLE"))
    #expect(console.errors.isEmpty)
  }

  @Test func `a file instead of a command is analyzed`() throws {
    #expect(console.run(try console.trace("a.json"), "--width", "100") == .done)
    #expect(console.output.contains("scrolltrace 0.1.0\n"))
  }

  @Test func `an unreadable file exits with 2, and the others are reported`() throws {
    let good = try console.trace("good.json")
    let missing = console.folder + "/missing.fxt"
    let bad = try console.file("bad.fxt", "this is no trace")
    #expect(console.run("analyze", missing, good, bad, "--format", "json") == .notEvaluated)
    try console.json().expect(["runs.count": 1])
    let lines = console.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("scrolltrace: error: \(missing): "))
    #expect(lines[1].hasPrefix("scrolltrace: error: \(bad): "))
  }

  @Test func `a trace that lost data exits with 3 unless loss is allowed`() throws {
    let cut = try console.trace("cut.json", isCut: true)
    #expect(console.run("analyze", cut) == .lossy)
    #expect(console.output.contains("lost: "))
    #expect(console.run("analyze", cut, "--allow-loss") == .done)
    #expect(console.run("analyze", cut, console.folder + "/missing") == .notEvaluated)
  }

  @Test func `a directory expands to its traces in ascending order of name`() throws {
    _ = try console.trace("b.json")
    _ = try console.trace("a.json")
    _ = try console.file("notes.md", "no trace")
    _ = try console.file("a.txt", "a report on a.json")
    _ = try console.file(".hidden.json", "no trace")
    #expect(console.run("analyze", console.folder) == .done)
    let first = try #require(console.output.firstRange(of: "/a.json"))
    let second = try #require(console.output.firstRange(of: "/b.json"))
    #expect(first.lowerBound < second.lowerBound)
    #expect(console.output.contains("2 runs"))
  }

  @Test func `reports next to traces are not taken for traces`() throws {
    _ = try console.trace("a.json")
    let reports = ["json", "xml", "bmf.json", "benchmark.json"].flatMap {
      ["-o", "\(console.folder)/report.\($0)"]
    }
    #expect(console.run(["analyze", console.folder] + reports) == .done)
    #expect(console.run("analyze", console.folder) == .done, "\(console.errors)")
    #expect(!console.output.contains("2 runs"))
  }

  @Test func `an empty directory is an error that lists the expected files`() {
    #expect(console.run("analyze", console.folder) == .notEvaluated)
    #expect(console.errors.contains("no traces found"))
  }

  @Test func `the file extension selects the format, and the rest goes to standard output`() throws
  {
    let trace = try console.trace("a.json")
    let json = console.folder + "/report.json"
    #expect(console.run("analyze", trace, "--format", "text,json", "-o", json) == .done)
    #expect(console.output.contains("scrolltrace 0.1.0\n"))
    #expect(
      try console.content("report.json").hasPrefix("{\n  \"schema\": \"scrolltrace.report/2\""))
    #expect(console.run("analyze", trace, "-o", console.folder + "/r.json") == .done)
    #expect(console.output.isEmpty)
    #expect(try console.content("r.json") == console.content("report.json"))
    let both = ["-o", console.folder + "/both.txt", "-o", console.folder + "/both.json"]
    #expect(console.run(["analyze", trace] + both) == .done)
    #expect(console.output.isEmpty)
    #expect(try console.content("both.txt").contains("scrolltrace 0.1.0\n"))
    #expect(try console.content("both.json") == console.content("report.json"))
    #expect(console.run("analyze", trace, "-o", "-") == .done)
    #expect(console.output.contains("scrolltrace 0.1.0\n"))
  }

  @Test func `JSON lists all hitches, whether that is asked for or not`() throws {
    let trace = try console.trace("a.json")
    #expect(console.run("analyze", trace, "--format", "json") == .done)
    let plain = console.output
    #expect(console.run("analyze", trace, "--format", "json", "--hitches", "all") == .done)
    #expect(console.output == plain)
    #expect(console.run("analyze", trace, "--format", "json", "--hitches", "3") == .usage)
    #expect(console.errors.contains("'--hitches' requires the format text"))
    #expect(console.run("analyze", trace, "--format", "markdown", "--hitches", "all") == .usage)
  }

  @Test func `every format has its own extension, and the longest match counts`() throws {
    let trace = try console.trace("a.json")
    let beginnings = [
      "md": "### scrolltrace: ", "xml": "<?xml version=\"1.0\"", "github.txt": "::warning title=",
      "prom": "# ", "benchmark.json": "[", "bmf.json": "{", "html": "<!DOCTYPE html>",
      "brief.txt": "NOT MEASURABLE  ", "txt": trace, "json": "{\n  \"schema\"",
    ]
    #expect(Set(beginnings.keys) == Set(ReportFormat.allCases.map(\.ending)))
    let files = beginnings.keys.sorted().flatMap { ["-o", console.folder + "/r.\($0)"] }
    #expect(console.run(["analyze", trace] + files) == .done, "\(console.errors)")
    #expect(console.output.isEmpty)
    for (ending, beginning) in beginnings {
      #expect(try console.content("r.\(ending)").hasPrefix(beginning), "\(ending)")
    }
  }

  @Test func `the page on formats has a row for each, with its extension`() throws {
    let text = try PackageFiles.text(
      "Sources/ScrollTraceReport/ScrollTraceReport.docc/ReportFormats.md")
    for format in ReportFormat.allCases {
      let row = text.split(separator: "\n").first {
        $0.hasPrefix("| `\(format.rawValue)` | `.\(format.ending)` |")
      }
      let isForAll = ReportFormat.forReading.contains(format)
      #expect(row?.hasSuffix(isForAll ? "| yes | yes |" : "| yes | no |") == true, "\(format)")
    }
  }

  @Test func `a comparison has no number format, whether named or selected by extension`() throws {
    let trace = try console.trace("a.json")
    for arguments in [["--format", "junit"], ["-o", console.folder + "/r.xml"]] {
      #expect(console.run(["compare", trace, trace] + arguments) == .usage)
      #expect(console.errors.contains("--format: 'junit' is not one of its values\n"))
      #expect(console.errors.contains("(values: text, brief, json, markdown, html;"))
    }
    #expect(console.run("compare", trace, trace, "--format", "markdown") == .done)
    #expect(console.output.hasPrefix("### scrolltrace: comparison\n"))
    #expect(console.run("predict", trace, "--format", "html") == .done)
    #expect(console.output.hasPrefix("<!DOCTYPE html>"))
  }

  @Test func `a file gets no colors although the terminal has them`() throws {
    console.environment.isOutputTerminal = true
    console.environment.variables["TERM"] = "xterm-256color"
    let trace = try console.trace("a.json")
    #expect(console.run("analyze", trace) == .done)
    #expect(console.output.contains("\u{1B}["))
    #expect(console.run("analyze", trace, "-o", console.folder + "/r.txt") == .done)
    #expect(try !console.content("r.txt").contains("\u{1B}"))
  }

  @Test func `an input is never overwritten, nor is a link or a directory`() throws {
    let trace = try console.trace("a.json")
    let before = try console.content("a.json")
    #expect(console.run("analyze", trace, "-o", trace) == .notEvaluated)
    #expect(console.errors.contains("is also the input"))
    let link = console.folder + "/link.json"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: trace)
    #expect(console.run("analyze", trace, "-o", link) == .notEvaluated)
    #expect(console.run("analyze", trace, "-o", console.folder) == .notEvaluated)
    #expect(try console.content("a.json") == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: console.folder).sorted()
    #expect(files == ["a.json", "link.json"])
  }

  @Test func `a closed reader is not an error`() throws {
    console.outputError = EPIPE
    #expect(console.run("analyze", try console.trace("a.json")) == .done)
    #expect(console.errors.isEmpty)
    console.outputError = ENOSPC
    #expect(console.run("analyze", try console.trace("a.json")) == .notEvaluated)
    #expect(console.errors.contains("standard output: cannot be written"))
  }

  @Test func `traces after a closed reader are not read`() throws {
    console.outputError = EPIPE
    let (trace, missing) = (try console.trace("a.json"), console.folder + "/missing.json")
    let options = ["analyze", "--format", "json", "--jobs", "1"]
    #expect(console.run(options + [trace, missing]) == .done)
    #expect(console.errors.isEmpty)
    #expect(console.run(options + [missing, trace]) == .notEvaluated)
  }

  @Test func `interactions come from flags and from files with comments`() throws {
    let trace = try console.trace("a.json")
    let list = try console.file(
      "list.txt", "# two of them\ndrag=0s..200ms # first\r\n\n fling=0.3s..0.5s\n")
    #expect(
      console.run("analyze", trace, "--define-from", list, "--define", "more=0ms..1ms", "--full")
        == .done)
    #expect(console.output.contains("Work in 400.0 ms of interaction"))
    let bad = try console.file("bad.txt", "drag=0s..200ms\nnonsense\n")
    #expect(console.run("analyze", trace, "--define-from", bad) == .notEvaluated)
    #expect(console.errors.contains("bad.txt: invalid interaction at line 2"))
  }

  @Test func `a hostile path is printed, not interpreted`() {
    #expect(
      console.run("analyze", console.folder + "/\u{1B}]0;x\u{07}\n::error::y") == .notEvaluated)
    #expect(!console.errors.contains("\u{1B}"))
    #expect(console.errors.split(separator: "\n").count == 1)
  }

  @Test func `of several statuses the most informative one is returned`() {
    #expect(ExitStatus.lossy.merged(with: .exceeded) == .exceeded)
    #expect(ExitStatus.lossy.merged(with: .notEvaluated) == .notEvaluated)
    #expect(ExitStatus.done.merged(with: .lossy) == .lossy)
    #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 64])
  }
}
