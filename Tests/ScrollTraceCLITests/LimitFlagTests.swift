import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// Limits, and options that have no meaning together.
struct LimitFlagTests {
  let console = CapturedConsole()

  private static let line = #"{"span":"work","begin":1,"end":2}"#

  @Test func `a file beyond the limit is rejected with a remedy`() async {
    await forEachCase(of: ["analyze", "inspect"], oneCase)
    @Sendable func oneCase(command: String) throws {
      let console = CapturedConsole()
      let path = try console.file("a.ndjson", Self.line + "\n")
      #expect(console.run(command, path, "--max-input-bytes", "10") == .notEvaluated)
      #expect(console.errors.contains("limit"))
      #expect(console.errors.split { $0 == "\n" }.count == 1)
      #expect(console.run(command, path, "--max-input-bytes", "1000") == .done)
      for value in ["0", "-1", "many", "99999999999999999999", "8iB", "GiB", "8 KB"] {
        #expect(console.run(command, path, "--max-input-bytes", value) == .usage)
      }
    }
  }

  @Test func `a line beyond the limit is skipped and reported`() throws {
    let long = #"{"span":""# + String(repeating: "x", count: 3_000) + #"","begin":1,"end":2}"#
    let path = try console.file("a.ndjson", Self.line + "\n" + long + "\n")
    #expect(console.run("inspect", path) == .done)
    #expect(console.run("inspect", path, "--max-line-bytes", "1000") == .lossy)
    #expect(console.output.contains("1 span"))
  }

  @Test func `a folder of symbols that cannot be opened is an error of one line`() throws {
    let path = try console.file("a.ndjson", Self.line + "\n")
    for (folder, problem) in [
      ("/missing", "cannot be opened: No such file or directory"),
      (path, "is neither a folder nor an ELF or Mach-O file for 64 bits"),
    ] {
      for command in ["analyze", "check", "compare", "inspect", "summarize", "predict"] {
        #expect(console.run(command, path, "--symbols", folder) == .notEvaluated)
        #expect(console.errors == "scrolltrace: error: \(folder): \(problem)\n")
      }
    }
    #expect(console.run("inspect", path, "--symbols", console.folder) == .done)
  }

  @Test func `options for a format that is not requested are usage errors`() throws {
    let path = try console.file("a.ndjson", Self.line + "\n")
    #expect(console.run("analyze", path, "--series") == .usage)
    #expect(console.run("analyze", path, "--format", "json", "--series") == .done)
    #expect(console.run("analyze", path, "--format", "text,json", "--series") == .done)
  }
}
