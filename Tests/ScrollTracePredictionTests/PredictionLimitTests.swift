import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTracePrediction

/// What no prediction promises (M-17).
@Suite struct PredictionLimitTests {
  //          0    10   20   30   40   50   60    (ms)
  // commits  |0   |1   |2        |4   |5   |6    frame 2 misses its deadline, and frame 5 is presented
  //                                              two refreshes late after a commit on time
  @Test func `M-17: less work does not mend pictures that were late after commits on time`() throws
  {
    var list = DrawnList()
    for number in 0..<2 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 6) }
    list.frame(2, 20..<36)
    list.span("decode", category: "scrolltrace.image", 21..<35)
    list.frame(4, 40..<46)
    list.frame(5, 50..<56, lateBy: 2)
    for number in 8..<20 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 6) }
    let predictor = try list.predictor()
    #expect(predictor.surface.hitchTime == .milliseconds(30))
    let changes: [ProposedChange] = [.speedup(WorkName(category: "app", name: "w"), percent: 0)]
    #expect(predictor.unchangeable(by: changes) == .milliseconds(20))
    #expect(predictor.unchangeable(by: [.refreshInterval(.milliseconds(20))]) == .zero)
    let prediction = try #require(predictor.predictRange(changes))
    #expect(prediction.hitchTime >= .milliseconds(20))
    if let ranges = prediction.ranges { #expect(ranges.certain.high <= .milliseconds(10)) }
  }

  @Test func `M-17: a view of new cells in one frame is a jump also without positions`() throws {
    var list = DrawnList()
    func prepare(_ items: Range<UInt64>, from start: Int64) {
      for (place, item) in items.enumerated() {
        list.prepare(item, start + Int64(place)..<start + Int64(place) + 1)
      }
    }
    list.frame(0, 0..<8)
    prepare(0..<4, from: 1)
    list.frame(1, 10..<14)
    prepare(4..<5, from: 11)
    list.frame(2, 20..<28)
    prepare(10..<14, from: 21)
    for number in 3..<20 as Range<Int64> { list.frame(number, number * 10..<number * 10 + 2) }
    #expect(try list.predictor().replay.model.jumpShare == 4.0 / 9)
  }

  @Test func `M-27: a list whose cells stay empty is not rated good after a change`() {
    let prediction = Prediction(
      changes: [.prepareWhenIdle], hitchTime: .zero, recordedHitchTime: .milliseconds(100),
      duration: .milliseconds(5_000), hitches: 0, deadlineMisses: 0, cellsAhead: 9,
      evaluatedFrames: 300, ledger: nil, blankRatio: 500)
    #expect(prediction.rated(by: .scroll).rating == .warning)
  }

  @Test func `M-17: the certain range holds whatever the recording does not show`() throws {
    var list = DrawnList()
    for number in 0..<20 as Range<Int64> where number % 4 != 1 {
      if number % 4 == 0 {
        list.frame(number, number * 10..<number * 10 + 15)
        list.reload(number * 10 + 1..<number * 10 + 13)
        list.prepare(1, number * 10 + 1..<number * 10 + 13)
        list.configure(1, number * 10 + 2..<number * 10 + 12)
      } else {
        list.frame(number, number * 10..<number * 10 + 2)
      }
    }
    let predictor = try list.predictor()
    let changes: [ProposedChange] = [.reconfigureItems]
    let prediction = try #require(predictor.predictRange(changes))
    let replays = try #require(predictor.replays(of: changes, usual: prediction.removed))
    #expect(replays.host.low < replays.host.high)
    if let ranges = prediction.ranges {
      #expect(ranges.certain.low <= replays.host.low)
      #expect(ranges.certain.high >= replays.host.high)
    }
  }
}
