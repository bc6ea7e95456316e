#if canImport(XCTest)
  import ScrollTraceTesting
  import XCTest

  final class FeedXCTests: XCTestCase {
    func testTheFeedScrollsSmoothly() {
      XCTAssertScrolling(try TraceRuns(of: Sample.path("feed-smooth.fxt")), meets: .scroll)
    }

    func testARecordingScrollsSmoothly() {
      let list = FeedList()
      XCTAssertScrolling(
        try TraceRuns.recording(options: list.options) { list.scroll(seconds: 1, $0) },
        meets: .scroll)
    }
  }
#endif
