import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// Names of work where there is little room for them.
@Suite struct WorkNameTests {
  @Test func `a list of categories keeps its first ones`() async {
    await forEachCase(of: [
      ("scrolltrace.image", "image"), ("blink,loading", "blink,loading"),
      ("blink,benchmark,rail,disabled-by-default-x", "blink,benchmark,…"),
      ("a-category-that-is-long-and-no-list", "a-category-that-is-long-and-no-list"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ category: String, _ label: String) throws {
      #expect(Messages.shortLabel(ofCategory: category, ellipsis: "…") == label)
    }
  }

  @Test func `if space is short, a name is kept rather than its category`() async {
    await forEachCase(of: [
      ("image", "decode", "image/decode"),
      (
        "cc,benchmark", "ProxyMain::BeginMainFrame::commit",
        "cc,…/ProxyMain::BeginMainFrame::commit"
      ),
      (
        "disabled-by-default-devtools.timeline", "RunTask",
        "disabled-by-default-devtools.time…/RunTask"
      ),
    ]) { try oneCase($0, $1, $2) }
    @Sendable func oneCase(_ category: String, _ name: String, _ text: String) throws {
      let run = RunMessages(Renders.analyses[0])
      #expect(run.text(ofWork: category, name) == text)
    }
  }

  @Test func `a list is truncated between its items, never inside one`() {
    let line = TextLine("blink 162.4 ms, cc 12.0 ms, v8,gin 3.0 ms")
    #expect(line.clippedBetweenItems(to: 41, ellipsis: "…").plain == line.plain)
    #expect(
      line.clippedBetweenItems(to: 40, ellipsis: "…").plain == "blink 162.4 ms, cc 12.0 ms, …")
    #expect(line.clippedBetweenItems(to: 20, ellipsis: "…").plain == "blink 162.4 ms, …")
    #expect(line.clippedBetweenItems(to: 8, ellipsis: "…").plain == "blink 1…")
  }

  @Test func `items with one name are one cause of a hitch (M-16)`() throws {
    let hitch = try #require(analysis().evaluatedPrimarySurface?.worstHitches.first)
    let groups = try #require(hitch.attribution?.groups)
    #expect(groups.map(\.name) == ["row", "layout"])
    #expect(groups[0].itemCount == 12)
    #expect(groups[0].largestItem == "11")
    let causes = try #require(hitch.attribution?.causes)
    #expect(causes.count == 13 && causes[0].name == "layout")
    #expect(groups.reduce(.zero) { $0 + $1.selfTime } == causes.reduce(.zero) { $0 + $1.selfTime })
  }

  @Test func `a hitch names the sum of a cause, its items and the largest of them`() {
    #expect(Renders.text(analysis()).contains("% list/row (12 items, longest 11)"))
  }

  @Test func `the advice for a hang is to find out what ran`() throws {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    let main = mainTrack(&builder)
    for index in 0..<40 as Range<Int64> { add(index, main, surface, &builder) }
    builder.addSpan(
      on: main, from: Timestamp(clamping: 333_000_000), to: Timestamp(clamping: 560_000_000),
      label: builder.label(category: "hang", name: "Brief Unresponsiveness"))
    let text = Renders.text(TraceAnalyzer().analyze(builder.finish()))
    #expect(text.contains("the main thread hung ('Brief Unresponsiveness')"))
    #expect(text.contains("record spans or samples"))
    #expect(!text.contains("move it off the main thread"))
  }

  // MARK: - Drawn traces

  /// A late frame in which twelve items took a little longer each.
  private func analysis() -> Analysis {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    let main = mainTrack(&builder)
    for index in 0..<40 as Range<Int64> { add(index, main, surface, &builder) }
    var time: Int64 = 333_400_000
    for item in 0..<12 as Range<Int64> {
      let end = time + 15_000_000 + item * 100_000
      let items = builder.argumentList([
        Argument(key: builder.string("item"), value: .integer(item))
      ])
      builder.addSpan(
        on: main, from: Timestamp(clamping: time), to: Timestamp(clamping: end),
        label: builder.label(category: "list", name: "row"), arguments: items)
      time = end
    }
    builder.addSpan(
      on: main, from: Timestamp(clamping: time), to: Timestamp(clamping: time + 20_000_000),
      label: builder.label(category: "list", name: "layout"))
    return TraceAnalyzer().analyze(builder.finish())
  }

  private func mainTrack(_ builder: inout TraceBuilder) -> TrackID {
    let main = builder.mainThread(isHost: true)
    builder.setCompletelyRecorded(main)
    return main
  }

  /// A frame at 60 Hz; the twentieth is 13 refreshes late, and so are all behind it.
  private func add(
    _ index: Int64, _ main: TrackID, _ surface: SurfaceID, _ builder: inout TraceBuilder
  ) {
    let refreshInterval: Int64 = 16_666_667
    let delay = index > 20 ? 13 * refreshInterval : 0
    let begin = index * refreshInterval + delay
    let length = index == 20 ? 13 * refreshInterval + 5_000_000 : 5_000_000
    builder.updateFrame(
      index, of: surface, start: Timestamp(clamping: begin),
      commitStart: Timestamp(clamping: begin), commitEnd: Timestamp(clamping: begin + length),
      deadline: Timestamp(clamping: begin + refreshInterval),
      target: Timestamp(clamping: begin + 2 * refreshInterval),
      presented: Timestamp(
        clamping: begin + 2 * refreshInterval + (index == 20 ? 13 * refreshInterval : 0)),
      refreshInterval: TimeSpan(nanoseconds: refreshInterval), track: main)
  }
}
