import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// What the command says to files that it cannot read, and `--at`, `--quiet`, `--open` and `formats`.
@Suite struct WrongInputTests {
  private static let sample = PackageFiles.sample("feed-commit-hitches.fxt")
  let console = CapturedConsole()

  @Test func `a file of a common kind is named for what it is`() throws {
    let files: [(bytes: [UInt8], kind: String)] = [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], "a PNG image"),
      (Array("%PDF-1.7\n".utf8), "a PDF document"),
      ([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], "a program or library (ELF)"),
      ([0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1], "a program or library (Mach-O)"),
      ([0x4D, 0x5A, 0x90, 0x00, 3, 0], "a program or library (Windows)"),
      (Array("SQLite format 3\0".utf8), "a SQLite database"),
      (Array("<!DOCTYPE html>\n<html></html>".utf8), "a web page (HTML)"),
      ([0, 0, 0, 0x20] + Array("ftypisom".utf8), "a video"),
      ([UInt8](repeating: 0x61, count: 257) + Array("ustar\u{0}00".utf8), "a tar archive"),
    ]
    for (bytes, kind) in files {
      let path = try console.file("file", bytes)
      #expect(console.run("analyze", path) == .notEvaluated)
      #expect(
        console.errors
          == "scrolltrace: error: \(path): This is \(kind), not a trace. Run `scrolltrace formats`.\n"
      )
    }
    let zip = try console.file("a.zip", "PK\u{3}\u{4}")
    #expect(console.run("analyze", zip) == .notEvaluated)
    #expect(console.errors.contains("is a zip archive; unpack it"))
    let monitor = try console.file("b.csv", "0, 24-10-2025, Hardware monitoring log v1.6 ,,,\n")
    #expect(console.run("analyze", monitor) == .notEvaluated)
    #expect(console.errors.contains("b.csv: is an Afterburner log; record with PresentMon\n"))
    let page = try console.file("a.html", "<html><head><title>Android System Trace</title></head>")
    #expect(console.run("analyze", page) == .notEvaluated)
    #expect(console.errors.contains("is a systrace web page; record with Perfetto"))
    let methods = try console.file("a.trace", Array("SLOW".utf8) + [0xF3, 0, 0x20, 0])
    #expect(console.run("analyze", methods) == .notEvaluated)
    #expect(console.errors.contains("is a method trace of ART: no frames; record with Perfetto"))
    let sysprof = try console.file("a.syscap", [0x5E, 0x97, 0xCA, 0xFD, 0, 0, 0, 0])
    #expect(console.run("analyze", sysprof) == .notEvaluated)
    #expect(console.errors.contains("is a Sysprof capture; record in the app"))
    for (table, missing) in [
      ("ms,frametime_ms\n16.67,16.67\n", "columns frame, begin"),
      ("frame,frametime_ms\n16.67,16.67\n", "column begin"),
      ("begin_ms,frametime_ms\n16.67,16.67\n", "column frame"),
      ("frame_time_ms;fps\r\n16.67;60.0\r\n", "columns frame, begin"),
    ] {
      let path = try console.file("a.csv", table)
      #expect(console.run("analyze", path) == .notEvaluated)
      #expect(console.errors.contains(": is a table without the \(missing); run"))
      #expect(console.errors.contains("; own fields: frame, begin_ms, commitEnd_ms\n"))
    }
    let log = try console.file("a.ETL", [0, 0, 1, 0, 0xE0, 0xB7])
    #expect(console.run("analyze", log) == .notEvaluated)
    #expect(console.errors.contains("is a Windows event log (ETL); record with PresentMon"))
    let text = try console.file("notes.fxt", "this is no trace")
    #expect(console.run("analyze", text) == .notEvaluated)
    #expect(console.errors.contains("unrecognized format; run `scrolltrace formats`"))
  }

  @Test func `an error about a file with a short name fits 80 columns`() throws {
    let texts: [String] = [
      "PK\u{3}\u{4}", "TRACE:\n\u{78}", "<html>systrace</html>",
      #"{"meta":{"preprocessedProfileVersion":48}}"#,
      #"{"recording":{"instrumentTypes":["a"]}}"#, "<trace-query-result/>", "# tracer: nop\n",
      #"{"lighthouseVersion":"13.0.3","audits":{}}"#,
      #"{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}],"samples":[1]}"#,
      #"{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[]}"#,
      "** Graphics info for pid 1 [x] **\n", "PERFILE2", String(repeating: "\0", count: 600),
      #"{"Hash":"x","Info":{},"Runs":[{"CaptureData":{"TimeInSeconds":[0]}}]}"#,
      "0.1% Min FPS,1% Min FPS,97% Percentile FPS,Average FPS\n30,40,100,90\n",
      "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,TimeInQPC,"
        + "MsBetweenPresents\nx,1,0x1,DXGI,1,0,123456,16.6\n",
    ]
    for text in texts {
      let path = try console.file("x.csv", text)
      #expect(console.run("analyze", path) == .notEvaluated)
      let line = console.errors.replacing(path, with: "x.csv")
      #expect(line.contains("; ") && line.dropLast().count <= 80, "\(line)")
    }
    for command in ["merge", "trend", "watch"] {
      let path = try console.file("x.csv", "{}\n")
      #expect(console.run(command, path) == .notEvaluated)
      let line = console.errors.replacing(path, with: "x.csv")
      #expect(line.contains("; ") && line.dropLast().count <= 80, "\(line)")
    }
  }

  @Test func `tables name what frames are evaluated against in words, not by its key`() throws {
    let hitches = PackageFiles.sample("Foreign/hitches.xml")
    #expect(console.run("analyze", hitches, "--full") == .done)
    #expect(console.output.contains("  listed hitches ") && !console.output.contains("hitchList"))
    #expect(console.run("summarize", Self.sample) == .done)
    let lines = try console.file("lines.ndjson", console.output)
    #expect(console.run("analyze", lines) == .done)
    #expect(console.output.contains("evaluated against target times\n"))
  }

  @Test func `a link that leads nowhere is not taken for the file that was meant`() throws {
    let link = console.folder + "/run.fxt"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: console.folder + "/gone")
    #expect(console.run("analyze", link) == .notEvaluated)
    #expect(console.errors.contains("No such file") && !console.errors.contains("Did you mean"))
  }

  @Test func `an Instruments recording says how to export it`() throws {
    let bundle = console.folder + "/run.trace"
    try FileManager.default.createDirectory(
      atPath: bundle + "/Trace1.run", withIntermediateDirectories: true)
    for arguments in [
      [bundle], ["check", bundle], ["summarize", bundle + "/"], ["inspect", bundle],
      ["convert", bundle, "-o", "-", "-f", "ndjson"],
    ] {
      #expect(console.run(arguments) == .notEvaluated)
      #expect(console.errors.contains("is an Instruments recording"))
      #expect(console.errors.contains("xcrun xctrace export --input FILE.trace --output run.xml"))
    }
  }

  @Test func `a misspelt file suggests the one beside it`() throws {
    let good = try console.trace("feed-smooth.json")
    let wrong = console.folder + "/feed-smoth.json"
    for arguments in [
      ["analyze", wrong], ["check", wrong], ["inspect", wrong], ["summarize", wrong],
      ["merge", wrong], ["convert", wrong, "-o", "-", "-f", "ndjson"],
      ["analyze", console.folder + "/feed-smooth"],
    ] {
      #expect(console.run(arguments) == .notEvaluated)
      #expect(console.errors.contains(". Did you mean '\(good)'?"), "\(console.errors)")
    }
    #expect(console.run(wrong) == .usage)
    #expect(console.errors.contains(". Did you mean '\(good)'?"))
    #expect(console.run("analyze", console.folder + "/something-else.fxt") == .notEvaluated)
    #expect(!console.errors.contains("Did you mean"))
  }

  @Test func `merge and trend of a trace say that it needs a summary`() throws {
    for command in ["merge", "trend"] {
      for trace in [Self.sample, try console.trace("a.json")] {
        #expect(console.run(command, trace) == .notEvaluated)
        #expect(
          console.errors
            == "scrolltrace: error: \(trace): is a trace; run 'scrolltrace summarize' first\n")
      }
    }
  }

  @Test func `a trace without interactions says so in its verdict`() throws {
    let trace = PackageFiles.sample("Foreign/list.gfxinfo.txt")
    #expect(console.run("analyze", trace, "-f", "brief") == .done)
    let verdict = console.output.prefix { $0 != "\n" }
    #expect(
      verdict.contains("No interaction is known, so late frames of the whole recording count"))
    #expect(console.run("check", trace, "--quiet") == .exceeded)
    #expect(console.output.contains("no interaction is known, so the whole recording counts"))
    #expect(console.run("check", trace, "--quiet", "--always-moving") == .exceeded)
    #expect(!console.output.contains("no interaction is known"))
  }

  @Test func `a time selects the frame in the making, or the next`() throws {
    let json = { (arguments: [String]) throws -> [String: Any]? in
      #expect(console.run(["analyze", Self.sample, "-f", "json"] + arguments) == .done)
      return try JSONSerialization.jsonObject(with: Data(console.output.utf8)) as? [String: Any]
    }
    #expect(console.run("analyze", Self.sample, "--frame", "14") == .done)
    let byNumber = console.output
    #expect(console.run("analyze", Self.sample, "--at", "0.38s") == .done)
    #expect(console.output == byNumber)
    #expect(try json(["--at", "0s"]) != nil)
    #expect(console.run("analyze", Self.sample, "--at", "1h") == .usage)
    #expect(console.run("analyze", Self.sample, "--at", "60s") == .notEvaluated)
    #expect(console.errors.contains("has no frame at 60.000 s or later"))
    #expect(console.run("analyze", Self.sample, "--at", "1s", "--frame", "1") == .usage)
    #expect(console.errors.contains("'--frame' and '--at' cannot be combined"))
    let other = PackageFiles.sample("feed-smooth.fxt")
    #expect(console.run("analyze", Self.sample, other, "--at", "1s") == .usage)
    #expect(console.errors.contains("'--at' needs a single trace"))
  }

  @Test func `quiet prints the verdict and errors only`() throws {
    let file = console.folder + "/report.json"
    #expect(console.run("check", Self.sample, "--quiet", "-o", file) == .exceeded)
    #expect(console.output.hasPrefix("FAIL  hitch time ratio: 31.88 ms/s exceeds"))
    #expect(console.output.filter { $0 == "\n" }.count == 1)
    #expect(try console.content("report.json").contains("\"verdict\""))
    let runs = ["check", Self.sample, Self.sample, "--max-ratio", "100"]
    #expect(console.run(runs) == .done)
    #expect(console.errors.hasPrefix("scrolltrace: warning: "))
    #expect(console.run(runs + ["--quiet"]) == .done)
    #expect(console.errors.isEmpty && console.output.hasPrefix("PASS  "))
    #expect(console.run("check", Self.sample, "--quiet", "-f", "json") == .usage)
    #expect(console.run("check", Self.sample, console.folder + "/no", "--quiet") == .exceeded)
    #expect(console.errors.hasPrefix("scrolltrace: error: "))
  }

  @Test func `the page is opened by the system, whose failure is a warning`() throws {
    #expect(console.run("analyze", Self.sample, "--open") == .usage)
    #expect(console.errors.contains("'--open' needs an HTML file"))
    let page = console.folder + "/report.html"
    let open = ["analyze", Self.sample, "-o", page, "--open"]
    console.environment.variables["PATH"] = console.folder
    #expect(console.run(open) == .done)
    #expect(console.errors.hasPrefix("scrolltrace: warning: \(page): cannot be opened: "))
    #if os(Linux)
      let opener = try console.file("xdg-open", "#!/bin/sh\necho \"$1\" > \"$0.log\"\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
      #expect(console.run(open) == .done)
      #expect(console.errors.isEmpty)
      #expect(try console.content("xdg-open.log") == page + "\n")
      _ = try console.file("xdg-open", "#!/bin/sh\nexit 3\n")
      #expect(console.run(open) == .done)
      #expect(console.errors.contains("cannot be opened: '\(opener)' failed"))
    #endif
  }

  @Test func `every format that is read is listed in a line`() throws {
    #expect(console.run("formats") == .done)
    let lines = console.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(
      lines.dropFirst().map { $0.prefix { $0 != " " } }.elementsEqual(
        TraceImporters.all.map { $0.name[...] }))
  }
}
