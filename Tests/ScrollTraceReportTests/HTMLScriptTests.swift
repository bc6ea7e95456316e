import Foundation
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

@Suite struct HTMLScriptTests {
  private static let engine = "/usr/bin/node"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: engine)))
  func `the times of a zoomed axis are those that a drawing of that part has`() throws {
    let source = HTMLScript.text
    let start = try #require(source.range(of: "function ticks("))
    let end = try #require(source.range(of: "\n}", range: start.lowerBound..<source.endIndex))
    let cases: [(begin: Int64, length: Int64, room: Int)] = [
      (0, 3_316_000_000, 6), (0, 60_000_000_000, 12), (1_234_567_890, 416_000_000, 11),
      (30_200_000_000, 3_300_000, 11), (-5_000_000, 100_000_000, 4), (900_000_000, 200_000_000, 8),
      (16_666_667, 16_666_667, 2), (1_000, 5_000, 4), (0, 1, 3), (999_000_000, 1_000_000, 5),
    ]
    let calls = cases.map { "ticks(\($0.begin), \($0.length), \($0.room))" }
    let node = Process()
    node.executableURL = URL(fileURLWithPath: Self.engine)
    node.arguments = [
      "-e",
      source[start.lowerBound..<end.upperBound]
        + "; console.log(JSON.stringify([\(calls.joined(separator: ", "))]))",
    ]
    let output = Pipe()
    node.standardOutput = output
    try node.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    node.waitUntilExit()
    let ticks = try #require(try JSONSerialization.jsonObject(with: data) as? [[[Any]]])
    #expect(ticks.count == cases.count)
    let origin = Timestamp(clamping: 1_000_000_000_000)
    for (part, ticks) in zip(cases, ticks) {
      let from = origin + TimeSpan(nanoseconds: part.begin)
      let axis = TimeAxis(
        range: TimeRange(start: from, end: from + TimeSpan(nanoseconds: part.length)),
        cells: part.room)
      let drawn = axis.ticks(from: origin, room: 1)
      #expect(ticks.map { $0.last as? String } == drawn.map(\.label), "\(part)")
      #expect(
        ticks.map { ($0.first as? NSNumber)?.int64Value }
          == drawn.map { ($0.time - origin).nanoseconds }, "\(part)")
    }
  }

  @Test func `each drawing has the parts that the script moves`() throws {
    let page = try #require(
      ParsedMarkup(HTMLRenderer().render(Report([Renders.analyses[0]]))))
    func count(_ name: String, _ value: String) -> Int {
      page.elements(name).count {
        $0.attributes["class"]?.split(separator: " ").first == value[...]
      }
    }
    let drawings = count("figure", "graph") + count("figure", "lanes")
    #expect(count("g", "times") == drawings && count("svg", "plot") == count("figure", "graph"))
    #expect(count("text", "peak") == 1 && count("g", "mark") == page.elements("circle").count)
    #expect(count("svg", "span") > 0)
    for part in ["g.times", "svg.plot", "text.peak", "g.mark", "svg.span", "svg.stretched"] {
      #expect(HTMLScript.text.contains("\"\(part)\""), "\(part)")
    }
    // The axis is made anew, however many labels it has.
    #expect(HTMLScript.text.contains("ticks(first, shown, room)"))
    #expect(!HTMLScript.text.contains("/ 4;"))
  }
}
