import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace convert`.
struct ConvertCommandTests {
  let console = CapturedConsole()

  @Test func `the file extension or the option selects the format`() async {
    await forEachCase(of: TraceFormat.all.map { $0.name }, oneCase)
    @Sendable func oneCase(name: String) throws {
      let console = CapturedConsole()
      let trace = try console.trace("in.json")
      let type = try #require(TraceFormat.named(name))
      let file = "\(console.folder)/out.\(type.fileEndings[0])"
      #expect(console.run("convert", trace, "-o", file) == .done)
      #expect(console.output == "")
      let other = "\(console.folder)/other"
      #expect(console.run("convert", trace, "--format", name, "-o", other) == .done)
      let isSame =
        FileManager.default.contents(atPath: file) == FileManager.default.contents(atPath: other)
      #expect(isSame)
    }
  }

  @Test func `a name that ends in gz produces a compressed file of the same bytes`() async {
    await forEachCase(of: TraceFormat.all.map { $0.name }, oneCase)
    @Sendable func oneCase(name: String) throws {
      let console = CapturedConsole()
      let trace = try console.trace("in.json")
      let type = try #require(TraceFormat.named(name))
      let plain = "\(console.folder)/plain.\(type.fileEndings[0])"
      let (file, again) = (plain + ".gz", "\(console.folder)/again.\(type.fileEndings[0]).gz")
      #expect(console.run("convert", trace, "-o", plain) == .done)
      #expect(console.run("convert", trace, "-o", file) == .done)
      #expect(console.run("convert", trace, "-o", again) == .done)
      let bytes = try #require(FileManager.default.contents(atPath: file))
      // Of no time, so that it is the same tomorrow.
      #expect(Array(bytes.prefix(3)) == [0x1F, 0x8B, 8] && Array(bytes[4..<8]) == [0, 0, 0, 0])
      #expect(bytes == FileManager.default.contents(atPath: again))
      let expanded = try TraceFile.open(file)
      #expect(expanded.losses.isEmpty && expanded.source.format == name)
      let size = try #require(FileManager.default.contents(atPath: plain)).count
      #expect(bytes.count < size)
      #expect(expanded.range == (try TraceFile.open(plain)).range)
    }
  }

  @Test func `data the format cannot hold is counted on standard error`() throws {
    let sample = PackageFiles.sample("Conformance/F-2-crossing-spans.fxt")
    #expect(console.run("convert", sample, "--format", "chrome-json", "-o", "-") == .done)
    #expect(console.errors.contains("standard output: chrome-json cannot hold the whole trace"))
    #expect(console.errors.contains(" overlapping span"))
    let trace = try console.trace("in.json")
    #expect(console.run("convert", trace, "--format", "ndjson", "-o", "-") == .done)
    #expect(console.output.hasPrefix("{\"scrolltrace\":\"ndjson/1\""))
    #expect(console.errors == "")
  }

  @Test func `an existing file is replaced only with --overwrite, and the input never`() throws {
    let trace = try console.trace("in.json")
    let before = try console.content("in.json")
    let file = try console.file("out.ndjson", "mine")
    #expect(console.run("convert", trace, "-o", file) == .notEvaluated)
    #expect(console.errors.contains("--overwrite"))
    #expect(try console.content("out.ndjson") == "mine")
    #expect(console.run("convert", trace, "-o", file, "--overwrite") == .done)
    #expect(console.run("convert", trace, "-o", trace, "--overwrite") == .notEvaluated)
    #expect(console.errors.contains("is also the input"))
    #expect(try console.content("in.json") == before)
  }

  @Test func `a full disk leaves no file`() throws {
    let trace = try console.trace("in.json")
    console.outputError = ENOSPC
    #expect(console.run("convert", trace, "--format", "ndjson", "-o", "-") == .notEvaluated)
    #expect(console.errors.contains("No space left on device"))
    console.outputError = EPIPE
    #expect(console.run("convert", trace, "--format", "ndjson", "-o", "-") == .done)
    let path = "\(console.folder)/none/out.ndjson"
    #expect(console.run("convert", trace, "-o", path) == .notEvaluated)
    #expect(try FileManager.default.contentsOfDirectory(atPath: console.folder) == ["in.json"])
  }

  @Test func `a trace that lost data is reported, and a broken one produces no file`() throws {
    let cut = try console.trace("cut.json", isCut: true)
    #expect(console.run("convert", cut, "-o", "\(console.folder)/a.ndjson") == .lossy)
    let other = "\(console.folder)/b.ndjson"
    #expect(console.run("convert", cut, "-o", other, "--allow-loss") == .done)
    let none = try console.file("none", "nothing")
    #expect(console.run("convert", none, "-o", "\(console.folder)/c.ndjson") == .notEvaluated)
    #expect(!FileManager.default.fileExists(atPath: console.folder + "/c.ndjson"))
  }

  @Test func `an unknown format is a usage error`() throws {
    let trace = try console.trace("in.json")
    #expect(console.run("convert", trace) == .usage)
    #expect(console.run("convert", trace, "-o", "out") == .usage)
    #expect(console.run("convert", trace, "-o", "-") == .usage)
    #expect(console.run("convert", trace, "-o", "out.gz") == .usage)
    #expect(console.run("convert", "-o", "out.ndjson") == .usage)
  }
}
