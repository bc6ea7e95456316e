import ScrollTraceLayout
import Testing

@testable import ScrollTraceModel

/// What is stored of frames in few bytes.
struct FrameColumnsTests {
  /// A frame of which some values are known, near others of the same number or far from them.
  private static func frame(_ random: inout SeededGenerator) -> Frame {
    var frame = Frame(id: 7)
    func time() -> Timestamp? {
      let times: [Int64] = [1_000, 1_001, 16_000_000, 20_000_000_000]
      return Bool.random(using: &random)
        ? nil : times.randomElement(using: &random).map { Timestamp(clamping: $0) }
    }
    frame.start = time()
    frame.commitStart = time()
    frame.commitEnd = time()
    if Bool.random(using: &random) { (frame.deadline, frame.target) = (time(), time()) }
    frame.presented = time()
    if Int.random(in: 0..<4, using: &random) == 0 { frame.refreshInterval = .milliseconds(16) }
    let outcomes: [FrameOutcome] = [.unknown, .unknown, .presented, .dropped, .notRequested]
    frame.outcome = outcomes.randomElement(using: &random) ?? .unknown
    frame.wasOnTime = Int.random(in: 0..<4, using: &random) == 0
    if Bool.random(using: &random) { frame.track = TrackID(index: 3) }
    if Int.random(in: 0..<8, using: &random) == 0 { frame.sourceLabel = StringID(rawValue: 5) }
    return frame
  }

  @Test func `a stored frame takes up an update as the frame itself does`() {
    var random = SeededGenerator(seed: 3)
    var merged = 0
    for _ in 0..<20_000 {
      let update = Self.frame(&random)
      var frame = Self.frame(&random)
      var columns = FrameColumns([frame])
      let isMerged = frame.merge(update)
      #expect(columns.merge(update, at: 0) == isMerged)
      #expect(columns[0] == frame)
      merged += isMerged ? 1 : 0
    }
    #expect((1_000..<19_000).contains(merged))
  }

  @Test func `frames that were presented have that outcome, however they are stored`() {
    var near = Frame(id: 1)
    (near.start, near.presented) = (Timestamp(clamping: 5), Timestamp(clamping: 9))
    var far = near
    (far.presented, far.refreshInterval) = (Timestamp(clamping: 1 << 40), .zero)
    var open = near
    open.presented = nil
    var columns = FrameColumns([near, far, open])
    columns.settle()
    #expect(columns.map(\.outcome) == [.presented, .presented, .unknown])
    #expect(columns.allSatisfy { $0.refreshInterval == nil })
  }
}
