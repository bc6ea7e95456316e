import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// `scrolltrace convert` to stacks.
struct StackConversionTests {
  static let sample = PackageFiles.sample("feed-commit-hitches.fxt")

  @Test func `the ending of the file names the format of stacks, and so does the option`() async {
    await forEachCase(of: StackFormat.all.map { $0.name }, oneCase)
    @Sendable func oneCase(name: String) throws {
      let console = CapturedConsole()
      let type = try #require(StackFormat.named(name))
      let file = "\(console.folder)/out.\(type.fileEndings[0])"
      #expect(console.run("convert", Self.sample, "--hitches-only", "-o", file) == .done)
      #expect(console.output == "" && console.errors == "")
      let other = "\(console.folder)/other"
      #expect(
        console.run("convert", Self.sample, "--hitches-only", "--format", name, "-o", other)
          == .done)
      let bytes = try #require(FileManager.default.contents(atPath: file))
      let isSame = bytes == FileManager.default.contents(atPath: other)
      #expect(isSame)
      #expect(console.run("convert", Self.sample, "-o", file, "--overwrite") == .done)
      let whole = try #require(FileManager.default.contents(atPath: file))
      #expect(whole.count > bytes.count)
    }
  }

  @Test func `options of stacks need a format of stacks, and a trace needs hitches`() throws {
    let console = CapturedConsole()
    #expect(console.run("convert", Self.sample, "--hitches-only", "-o", "out.ndjson") == .usage)
    #expect(console.errors.contains("'--hitches-only' is for folded, speedscope, firefox"))
    let smooth = Self.sample.replacingOccurrences(of: "feed-commit-hitches", with: "feed-smooth")
    #expect(
      console.run("convert", smooth, "--hitches-only", "--format", "folded", "-o", "-")
        == .notEvaluated
    )
    #expect(console.errors.contains("no hitch"))
    #expect(console.run("convert", smooth, "--format", "folded", "-o", "-") == .done)
    #expect(console.output.contains("scrolltrace.frame/"))
  }
}
