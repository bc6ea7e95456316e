import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTracePrediction

/// What cells cause before and after they are displayed, in a replay that prepares or loads earlier (M-17).
@Suite struct ReplayContentTests {
  //          0    10   20   30        50    (ms)
  // commits  |0   |1   |2   |3        |5    frame 3 prepares a cell of 9 ms; if frame 0 does, frame 1
  //                                         is skipped
  private func list(isPlaced: Bool = false) -> DrawnList {
    var list = DrawnList()
    for number in 0..<3 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    list.frame(3, 30..<41)
    list.prepare(1, 31..<40, isPlaced: isPlaced)
    list.mark("willDisplay", 1, at: 40)
    return list
  }

  private func addShort(_ numbers: Range<Int64>, to list: inout DrawnList) {
    for number in numbers { list.frame(number, number * 10..<number * 10 + 2) }
  }

  @Test func `M-17: a list prepares cells beyond the place where the scroll ends`() throws {
    var list = list(isPlaced: true)
    list.frame(5, 50..<61)
    list.prepare(2, 51..<60, isPlaced: true)
    list.mark("willDisplay", 2, at: 60)
    addShort(7..<20, to: &list)
    let outcome = try #require(try list.predictor().replay.outcome(of: [.prepareOneAhead]))
    // Two are displayed, and three lines are ready for more.
    #expect(outcome.preparedAhead == 5)
  }

  @Test func `M-17: an image is decoded when its cell is in view, however early it arrives`() throws
  {
    var list = list()
    list.frame(5, 50..<60)
    list.configure(1, 51..<55)
    list.span("decode", category: "scrolltrace.image", 55..<59, item: 1)
    addShort(6..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    #expect(pass.lengths(6) == [11, 6, 6, 2, 2, 2])
  }

  @Test func `M-17: a change of an item is no content that arrives for its cell`() throws {
    var list = list()
    list.load(1, 41..<45)
    list.frame(5, 50..<60)
    list.configure(1, 51..<59)
    addShort(6..<8, to: &list)
    list.frame(8, 80..<90)
    list.configure(1, 81..<89)
    addShort(9..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    // The load takes 4 ms from the end of the preparation on.
    #expect(pass.lengths(8) == [11, 10, 2, 2, 2, 2, 2, 10])
  }

  @Test func `M-17: data that is not there when a cell is prepared earlier arrives afterwards`()
    throws
  {
    var list = list()
    list.configure(1, 33..<39)
    list.mark("prefetch", 1, at: 1, category: "scrolltrace.data")
    list.load(1, 5..<25)
    addShort(5..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    #expect(pass.lengths(5) == [11, 2, 8, 2, 2])
  }

  @Test func `M-17: content that is loaded ahead is part of its cell's preparation`() throws {
    var list = list()
    list.frame(5, 50..<52)
    list.frame(8, 80..<86)
    list.prepare(2, 81..<85)
    list.mark("willDisplay", 2, at: 85)
    list.load(2, 86..<90)
    list.frame(10, 100..<110)
    list.configure(2, 101..<109)
    addShort(11..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.loadInBackground]))
    let frame = try #require(pass.frames.first { $0.start == Timestamp(clamping: 100_000_000) })
    #expect(frame.commitEnd == Timestamp(clamping: 102_000_000))
  }

  @Test func `M-17: lines are laid out again in the frame after a cell has sized itself`() throws {
    var list = DrawnList()
    list.estimateSizes()
    addShort(0..<3, to: &list)
    list.frame(3, 30..<44)
    list.prepare(1, 31..<40)
    list.mark("willDisplay", 1, at: 40)
    addShort(5..<20, to: &list)
    let predictor = try list.predictor()
    #expect(predictor.replayedHitchTime == predictor.surface.hitchTime)
    let pass = try #require(predictor.replay.pass(of: [.prepareOneAhead]))
    #expect(pass.lengths(5) == [11, 5, 2, 2, 2])
  }
}
