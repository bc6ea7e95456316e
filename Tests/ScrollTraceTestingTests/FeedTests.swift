import ScrollTraceTesting
import Testing

@Suite struct FeedTests {
  @Test func `the feed scrolls smoothly`() throws {
    let list = FeedList()
    let feed = try TraceRuns.recording(named: "feed", options: list.options) { recorder in
      list.scroll(seconds: 2, recorder)
    }
    #expect(feed.check(against: .scroll).passed)
  }

  @Test func `the recording of the last release meets its budget`() throws {
    let budget = try Budget(json: #"{"thresholds": "scroll", "limits": {"commitNs.p95": "12 ms"}}"#)
    let feed = try TraceRuns(of: Sample.path("feed-smooth.fxt"))
    #expect(feed.check(against: budget).passed)
  }
}
