import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI

/// What scripts of web pages say of themselves in the lines of `scrolltrace.js`.
@Suite struct ForcedLayoutTests {
  let console = CapturedConsole()

  private static func lines(forced: Int) -> String {
    let refresh = 16_666_667
    var lines = [#"{"state":"host","value":"browser","at":0}"#]
    lines.append(#"{"interaction":"scroll","begin":0,"end":\#(60 * refresh)}"#)
    for number in 0..<60 where number % 10 != 6 {
      let begin = number * refresh
      let isLate = number % 10 == 5
      let end = begin + (isLate ? 28_000_000 : 2_000_000)
      if isLate {
        lines.append(
          #"{"span":"tick","category":"script","begin":\#(begin),"end":\#(end),"#
            + #""url":"https://example.org/app/feed.html?x=1","position":4610,"#
            + #""forcedLayoutMs":\#(forced)}"#)
      }
      lines.append(
        #"{"frame":\#(number),"begin":\#(begin),"commitStart":\#(begin),"commitEnd":\#(end),"#
          + #""deadline":\#(begin + refresh),"target":\#(begin + refresh),"#
          + #""presented":\#(begin + (isLate ? 2 : 1) * refresh),"interval":\#(refresh)}"#)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func `a script that forces layout is told to read before it writes`() throws {
    let page = try console.file("page.ndjson", Self.lines(forced: 26))
    #expect(console.run("analyze", page, "--full", "--width", "200") == .done)
    #expect(console.output.contains("'tick' (feed.html:4610) forces style and layout"))
    #expect(console.output.contains("156.0 ms of 168.0 ms in forced style and layout"))
    #expect(console.output.contains("Fix: Read sizes and positions before you write styles"))
  }

  @Test func `a script that computes is only named with its place`() throws {
    let page = try console.file("page.ndjson", Self.lines(forced: 1))
    #expect(console.run("analyze", page, "--full", "--width", "200") == .done)
    #expect(console.output.contains("'tick' (feed.html:4610) makes frames late"))
  }
}
