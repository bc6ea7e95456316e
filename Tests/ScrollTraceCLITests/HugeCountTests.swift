import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// Counts from a file whose sum does not fit: no command ends, and none passes a check for it.
@Suite struct HugeCountTests {
  let console = CapturedConsole()

  private func lines(_ lines: String...) throws -> String {
    try console.file(
      "huge.ndjson",
      (["{\"scrolltrace\":\"ndjson/1\",\"unit\":\"ns\"}"] + lines).joined(separator: "\n") + "\n")
  }

  @Test func `times at the end of the range are not measurable, and no command ends`() throws {
    let trace = try lines(
      #"{"frame":1,"surface":"a","begin":0,"commitStart":0,"commitEnd":5,"deadline":1,"target":2,"#
        + #""presented":9223372036854775807,"interval":1}"#,
      #"{"frame":2,"surface":"a","begin":0,"commitStart":0,"commitEnd":9223372036854775807,"#
        + #""deadline":1,"target":2,"presented":9223372036854775807,"interval":1}"#,
      #"{"frame":3,"surface":"a","begin":0,"commitStart":0,"commitEnd":9223372036854775807,"#
        + #""deadline":1,"target":2,"presented":9223372036854775806,"interval":1}"#)
    #expect(console.run("analyze", trace, "--always-moving", "--full") == .done)
    #expect(console.output.contains("NOT MEASURABLE"), "\(console.output)")
    #expect(console.run("check", trace, "--always-moving") == .notEvaluated)
  }

  @Test func `reloaded items of two snapshots add up to the largest count, which exceeds`() throws {
    let trace = try lines(
      #"{"interaction":"drag","begin":0,"end":1000000000}"#,
      #"{"frame":1,"begin":0,"commitStart":0,"commitEnd":5000000,"deadline":16666667,"#
        + #""target":33333334,"presented":33333334,"interval":16666667}"#,
      #"{"frame":2,"begin":16666667,"commitStart":17000000,"commitEnd":20000000,"#
        + #""deadline":33333334,"target":50000001,"presented":50000001,"interval":16666667}"#,
      #"{"span":"applySnapshot","category":"scrolltrace.data","begin":1000000,"end":2000000,"#
        + #""arg:kind":"differences","reloaded":9223372036854775807}"#,
      #"{"span":"applySnapshot","category":"scrolltrace.data","begin":17000000,"end":18000000,"#
        + #""arg:kind":"reload","reloaded":9223372036854775807}"#)
    let limits = #"{"limits": {"lists.snapshots.reloaded": 10}}"#
    #expect(console.run("check", trace, "--budget", limits) == .exceeded, "\(console.output)")
  }

  @Test func `inspect reads any size of the ring`() throws {
    var bytes = try PackageFiles.bytes(of: "feed-smooth.fxt")
    let start = RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.ringChunks
    bytes.replaceSubrange(start..<(start + 8), with: repeatElement(0xFF, count: 8))
    let path = try console.file("ring.fxt", bytes)
    #expect(console.run("inspect", path) == .done)
    #expect(console.output.contains("at least 18446744073.7 GB"), "\(console.output)")
  }
}
