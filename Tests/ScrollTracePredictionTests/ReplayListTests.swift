import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTracePrediction

/// Replays of lists that prepare cells ahead, or are to do so (M-17).
@Suite struct ReplayListTests {
  //          0    10   20   30   40   50     (ms)
  // commits  |0   |1   |2   |3        |5     a cell of 9 ms is prepared after 0 and 1
  //                     |D  |C               5 ms of decoding leave no time for one after 2
  private func preparingList() throws -> Predictor {
    var list = DrawnList()
    list.frame(0, 0..<2)
    list.prepare(1, 2..<11, isAhead: true)
    list.frame(1, 11..<13)
    list.mark("willDisplay", 1, at: 12)
    list.prepare(2, 13..<22, isAhead: true)
    list.frame(2, 22..<29)
    list.mark("willDisplay", 2, at: 23)
    list.span("decode", category: "scrolltrace.image", 24..<29)
    list.frame(3, 30..<41)
    list.prepare(3, 31..<40)
    list.mark("willDisplay", 3, at: 40)
    for number in 5..<30 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    return try list.predictor()
  }

  @Test func `M-17: a list that prepares cells ahead does so where a change leaves time`() throws {
    let predictor = try preparingList()
    #expect(predictor.surface.hitchTime == .milliseconds(10))
    #expect(predictor.replayedHitchTime == .milliseconds(10))
    let outcome = try #require(predictor.replay.outcome(of: [.decodeInBackground]))
    #expect(outcome.evaluation.hitchTime == .zero)
    #expect(outcome.preparedAhead == 1)
  }

  @Test func `M-17: after a long commit no cell is prepared until short ones were seen`() throws {
    var list = DrawnList()
    list.frame(0, 0..<22)
    list.frame(3, 30..<32)
    list.frame(4, 40..<47)
    list.prepare(1, 41..<46)
    for number in 5..<20 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    let outcome = try #require(try list.predictor().replay.outcome(of: [.prepareWhenIdle]))
    #expect(outcome.preparedAhead == 0)
  }

  @Test(arguments: [51, 52] as [Int64])
  func `M-17: a cell that the list keeps needs no preparation when it comes back`(
    leaves time: Int64
  ) throws {
    var list = DrawnList()
    list.frame(0, 0..<2)
    list.frame(1, 10..<12)
    list.frame(2, 20..<31)
    list.prepare(1, 21..<30)
    list.mark("willDisplay", 1, at: 30)
    for number in 4..<6 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    list.mark("didEndDisplaying", 1, at: time)
    list.frame(6, 60..<71)
    list.prepare(1, 61..<70)
    list.mark("willDisplay", 1, at: 70)
    for number in 8..<20 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    let predictor = try list.predictor()
    #expect(predictor.surface.hitchTime == .milliseconds(20))
    for change in [ProposedChange.prepareWhenIdle, .prepareOneAhead] {
      let outcome = try #require(predictor.replay.outcome(of: [change]))
      #expect(outcome.preparedAhead == 1)
    }
  }

  //          0    10   20   30        50   60        (ms)
  // commits  |0   |1   |2   |3        |5   |6        frame 3 prepares a cell of 9 ms, whose content
  //                          C             K         arrives two frames later and takes 8 ms
  @Test func `M-17: content that a prepared cell requests arrives as much earlier`() throws {
    var list = DrawnList()
    for number in 0..<3 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    list.frame(3, 30..<41)
    list.prepare(1, 31..<40)
    list.mark("willDisplay", 1, at: 40)
    list.frame(5, 50..<52)
    list.frame(6, 60..<70)
    list.span("configure", category: "scrolltrace.cell", 61..<69, item: 1)
    for number in 7..<20 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    // The cell is prepared in frame 0, 30 ms before it is displayed, and frame 1 starts late.
    #expect(pass.lengths(6) == [11, 2, 10, 2, 2, 2])
  }

  @Test func `M-17: an interaction ends when the main thread notes it`() throws {
    var list = DrawnList()
    for number in 0..<3 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 4) }
    list.frame(3, 30..<60)
    list.span("decode", category: "scrolltrace.image", 35..<60)
    let late = try list.predictor(until: 60)
    func end(_ changes: [ProposedChange], percent: Int64 = 100) throws -> Timestamp? {
      var assumptions = ReplayAssumptions()
      assumptions.workPercent = percent
      return try #require(late.replay.pass(of: changes, assuming: assumptions)).interactions[0].end
    }
    // It came while frame 3 was made, after its start.
    #expect(try end([]) == Timestamp(clamping: 60_000_000))
    #expect(try end([.decodeInBackground]) == Timestamp(clamping: 40_000_000))
    #expect(try end([], percent: 200) == Timestamp(clamping: 90_000_000))
  }

  //          0    10   20                100   (ms)
  // commits  |0   |1   |2                |10   the list comes to rest at 5 ms; if frame 0 prepares the
  //                                            18 ms of frame 10, frame 1 is skipped
  @Test func `M-17: a frame that is skipped at rest is made at the next refresh`() throws {
    var list = DrawnList()
    list.frame(0, 0..<2)
    list.frame(1, 10..<16)
    list.frame(10, 100..<120)
    list.prepare(1, 101..<119)
    list.mark("willDisplay", 1, at: 119)
    for number in 13..<30 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    let predictor = try list.predictor(until: 5)
    let pass = try #require(predictor.replay.pass(of: [.prepareOneAhead]))
    #expect(pass.lengths(3) == [20, 6, 2])
    #expect(pass.frames[1].commitStart == Timestamp(clamping: 20_000_000))
  }

  @Test func `M-17: cells that are prepared after content was reloaded were not discarded`() throws
  {
    var list = DrawnList()
    list.frame(0, 0..<9)
    for cell in 1..<3 as Range<Int64> {
      list.prepare(UInt64(cell), 4 * cell - 3..<4 * cell)
      list.mark("willDisplay", UInt64(cell), at: 4 * cell)
    }
    list.frame(1, 10..<12)
    list.mark("didEndDisplaying", 2, at: 11)
    list.frame(2, 20..<34)
    list.reload(21..<26)
    list.prepare(1, 22..<25)
    list.prepare(2, 27..<33)
    list.mark("willDisplay", 2, at: 33)
    for number in 4..<20 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    let candidates = try list.predictor().candidates
    #expect(candidates.contains(.reconfigureItems))
    #expect(!candidates.contains(.applyDifferences))
  }

  @Test func `M-17: a frame displays cells before it prepares others, so that one waits`() throws {
    var list = DrawnList()
    for number in 0..<9 as Range<Int64> {
      list.frame(number, number * 10..<number * 10 + 6)
      if number > 0 { list.mark("willDisplay", UInt64(number), at: number * 10 + 1) }
      list.prepare(UInt64(number + 1), number * 10 + 2..<number * 10 + 5, isAhead: true)
    }
    let policy = try #require(try list.predictor().replay.model.policy)
    #expect(policy == AheadPolicy(isInCommits: true, mostWaiting: 1))
  }
}
