#if canImport(XCTest)
  import ScrollTraceTesting
  import XCTest

  final class FeedXCTests: XCTestCase {
    func testTheFeedScrollsSmoothly() throws {
      try XCTAssertScrolling(TraceRuns(of: Sample.path("feed-smooth.fxt")), meets: .scroll)
    }

    func testARecordingScrollsSmoothly() throws {
      let list = FeedList()
      try XCTAssertScrolling(
        TraceRuns.recording(options: list.options) { list.scroll(seconds: 1, $0) },
        meets: .scroll)
    }
  }
#endif
