import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Drawn timelines of cells that show a placeholder (`p`), content (`c`) or nothing (a space), one
/// character for each refresh.
@Suite struct BlankTimeTests {
  private static let refresh: Int64 = 10_000_000

  /// Returns the list of cells drawn as rows, all in motion unless `motion` marks refreshes with `-`.
  private static func list(_ rows: [String], motion: String? = nil) throws -> ListAnalysis {
    var builder = TraceBuilder(format: "ndjson")
    let main = builder.mainThread(isHost: true)
    func time(_ index: Int) -> Timestamp { Timestamp(clamping: Int64(index) * Self.refresh) }
    func mark(_ category: String, _ name: String, item: Int, at index: Int) {
      let arguments = builder.argumentList([
        Argument(key: builder.string("list"), value: .string(builder.string("feed"))),
        Argument(key: builder.string("item"), value: .unsigned(UInt64(item))),
      ])
      builder.addMark(
        on: main, at: time(index),
        label: builder.label(category: "scrolltrace.\(category)", name: name), arguments: arguments)
    }
    let count = rows.map(\.count).max() ?? 0
    for (item, row) in rows.enumerated() {
      var before: Character = " "
      for (index, state) in row.enumerated() {
        if before == " ", state != " " { mark("cell", "willDisplay", item: item, at: index) }
        if before != "p", state == "p" { mark("image", "placeholder", item: item, at: index) }
        if before == "p", state == "c" { mark("image", "final", item: item, at: index) }
        if before != " ", state == " " { mark("cell", "didEndDisplaying", item: item, at: index) }
        before = state
      }
    }
    let surface = builder.surface("display")
    for index in 0..<count {
      builder.updateFrame(
        index, of: surface, start: time(index), commitStart: time(index),
        commitEnd: time(index) + TimeSpan(nanoseconds: 1_000_000),
        refreshInterval: TimeSpan(nanoseconds: Self.refresh))
    }
    var ranges: [(Int, Int)] = []
    for (index, state) in (motion ?? String(repeating: "-", count: count)).enumerated()
    where state == "-" {
      if let last = ranges.last, last.1 == index {
        ranges[ranges.count - 1].1 = index + 1
      } else {
        ranges.append((index, index + 1))
      }
    }
    for (start, end) in ranges {
      builder.addInteraction(from: time(start), to: time(end))
    }
    builder.extend(to: .zero)
    builder.extend(to: time(count))
    return try #require(TraceAnalyzer().analyze(builder.finish()).lists.first)
  }

  private static func refreshes(_ blank: BlankTime?) -> Double? {
    blank.map { Double($0.time.nanoseconds) / Double(refresh) }
  }

  @Test func `M-27: a refresh is as blank as the share of its cells with a placeholder`() throws {
    let list = try Self.list([
      "ppppcccccc",
      "cccccccccc",
    ])
    #expect(Self.refreshes(list.blank) == 2)
    #expect(list.blank?.ratio == 200)
    #expect(list.images.placeholder?.max == TimeSpan(nanoseconds: 4 * Self.refresh))
    #expect(list.images.neverFinal == 0)
  }

  @Test
  func `E-36: a placeholder without content lasts until its cell or the recording ends`() throws {
    let list = try Self.list([
      "  pppp    ",
      "  cccccccc",
      "     ppppp",
    ])
    #expect(list.images.neverFinal == 2)
    #expect(list.images.placeholder?.max == TimeSpan(nanoseconds: 5 * Self.refresh))
    // Three refreshes of 1 in 2, one of 2 in 3, four of 1 in 2.
    let time = try #require(Self.refreshes(list.blank))
    #expect(abs(time - (3.0 / 2 + 2.0 / 3 + 4.0 / 2)) < 0.001)
  }

  @Test func `M-27: blanks at rest are not counted`() throws {
    let list = try Self.list(["pppppppppp"], motion: "  ---  -- ")
    #expect(Self.refreshes(list.blank) == 5)
    #expect(list.blank?.ratio == 1_000)
  }

  @Test func `a placeholder before its cell is displayed is blank from the display on`() throws {
    // Content that arrives before the cell is displayed leaves nothing blank.
    let list = try Self.list(["    cccccc"])
    #expect(Self.refreshes(list.blank) == 0)
    #expect(list.images.placeholder == nil)
  }
}
