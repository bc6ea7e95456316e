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
    // To give the cell its content takes three quarters of the time of configuring it.
    #expect(pass.lengths(5) == [11, 2, 6, 2, 2])
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

  //          0    10   20   30   40            (ms)
  // commits  |0        |2        |4            frames 0 and 2 prepare a cell of 9 ms each, so that 1
  //                         K                  and 3 are skipped: what comes in 3 is given in 4
  @Test func `M-17: content that arrives in a skipped refresh is given in the next frame`() throws {
    var list = DrawnList()
    addShort(0..<6, to: &list)
    list.frame(6, 60..<71)
    list.prepare(1, 61..<70)
    list.mark("willDisplay", 1, at: 70)
    list.load(1, 71..<85)
    list.frame(8, 80..<91)
    list.prepare(2, 81..<90)
    list.mark("willDisplay", 2, at: 90)
    list.frame(10, 100..<106)
    list.configure(1, 101..<105)
    addShort(11..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    #expect(pass.lengths(5) == [11, 11, 6, 2, 2])
  }

  //          0    10   20   30   40   50       (ms)
  // commits  |0   |1   |2             |5       two refreshes are missed, and 5 prepares two lines
  //                     DDDDDDDDDDDD  CCCC
  @Test func `M-17: a refresh that gets a frame prepares whole lines of the next one`() throws {
    var list = DrawnList()
    addShort(0..<2, to: &list)
    list.frame(2, 20..<45)
    list.span("decode", category: "scrolltrace.image", 24..<44)
    list.frame(5, 50..<60)
    for cell in 0..<4 as Range<Int64> {
      list.prepare(UInt64(cell), 51 + 2 * cell..<53 + 2 * cell)
    }
    for frame in 6..<9 as Range<Int64> {
      list.frame(frame, frame * 10..<frame * 10 + 6)
      for cell in 0..<2 as Range<Int64> {
        let start = frame * 10 + 1 + 2 * cell
        list.prepare(UInt64(frame * 10 + cell), start..<start + 2)
      }
    }
    addShort(9..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.decodeInBackground]))
    #expect(pass.lengths(6) == [2, 2, 5, 2, 6, 6])
  }

  //          0    10   20   30   40   50       (ms)
  // commits  |0   |1   |2   |3   |4   |5       frame 2 discards all cells, and 5 prepares one of 7 ms
  //           C         SC             C
  @Test func `M-17: a snapshot that discards all cells discards those that wait`() throws {
    var list = DrawnList()
    list.frame(0, 0..<6)
    list.prepare(1, 1..<5)
    list.mark("willDisplay", 1, at: 5)
    addShort(1..<2, to: &list)
    list.frame(2, 20..<29)
    list.reload(21..<22)
    list.mark("didEndDisplaying", 1, at: 21)
    list.prepare(1, 23..<27)
    list.mark("willDisplay", 1, at: 27)
    addShort(3..<5, to: &list)
    list.frame(5, 50..<59)
    list.prepare(2, 51..<58)
    list.mark("willDisplay", 2, at: 58)
    addShort(6..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    #expect(pass.lengths(6) == [6, 9, 9, 9, 2, 2])
    #expect(pass.preparedAhead == 2)
  }

  //          0    10   20   30        50   60  (ms)
  // commits  |0   |1   |2   |3        |5   |6  frame 3 prepares a cell of 10 ms, whose content is loaded
  //                          C   L         K   in 16 ms
  @Test func `M-17: content arrives earlier for a cell that is prepared faster`() throws {
    var list = DrawnList()
    addShort(0..<3, to: &list)
    list.frame(3, 30..<42)
    list.prepare(1, 31..<41)
    list.mark("willDisplay", 1, at: 41)
    list.load(1, 41..<57)
    addShort(5..<6, to: &list)
    list.frame(6, 60..<66)
    list.configure(1, 61..<65)
    addShort(7..<20, to: &list)
    let faster = ProposedChange.speedup(
      WorkName(category: "scrolltrace.cell", name: "prepare"), percent: 10)
    let predictor = try list.predictor()
    #expect(predictor.replayedHitchTime == predictor.surface.hitchTime)
    let pass = try #require(predictor.replay.pass(of: [faster]))
    // The load is requested at 32 ms; refresh 4 has a frame as well.
    #expect(pass.lengths(7) == [2, 2, 2, 3, 2, 6, 2])
  }

  @Test func `M-17: lines come into view one after the other at a faster rate`() throws {
    var list = DrawnList()
    addShort(0..<3, to: &list)
    list.frame(3, 30..<38)
    for cell in 0..<2 as Range<Int64> {
      list.prepare(UInt64(cell), 31 + 3 * cell..<34 + 3 * cell, isPlaced: true)
    }
    for frame in 4..<7 as Range<Int64> {
      list.frame(frame, frame * 10..<frame * 10 + 5)
      list.prepare(UInt64(frame), frame * 10 + 1..<frame * 10 + 4, isPlaced: true)
    }
    addShort(7..<20, to: &list)
    let rate = ProposedChange.refreshInterval(.milliseconds(5))
    let pass = try #require(try list.predictor().replay.pass(of: [rate]))
    // At 25 and at 30 ms one of the two lines of frame 3.
    #expect(pass.lengths(7) == [2, 2, 2, 2, 2, 5, 5])
  }

  /// A cell of each of two lists, whose content arrives after it and names no list; a snapshot adds the second.
  private func twoLists(_ items: [UInt64], names: [String?]) -> DrawnList {
    var list = DrawnList()
    addShort(0..<3, to: &list)
    for (first, (item, name)) in zip([3, 9] as [Int64], zip(items, names)) {
      list.frame(first, first * 10..<first * 10 + 11)
      if first > 3 { list.reload(first * 10 + 1..<first * 10 + 2) }
      list.name = name
      list.prepare(item, first * 10 + 2..<first * 10 + 10)
      list.mark("willDisplay", item, at: first * 10 + 10)
      list.load(item, first * 10 + 11..<first * 10 + 17)
      list.name = nil
      list.frame(first + 2, first * 10 + 20..<first * 10 + 26)
      list.configure(item, first * 10 + 21..<first * 10 + 25)
      addShort(first + 3..<first + 6, to: &list)
    }
    addShort(15..<25, to: &list)
    return list
  }

  @Test(arguments: [ProposedChange.prepareOneAhead, .loadInBackground, .applyDifferences])
  func `M-15: items of one number in two lists are two`(_ change: ProposedChange) throws {
    let same = try twoLists([1, 1], names: ["feed", "side"]).predictor().replay.pass(of: [change])
    let other = try twoLists([1, 2], names: [nil, nil]).predictor().replay.pass(of: [change])
    #expect(try #require(same).lengths(20) == #require(other).lengths(20))
    #expect(same?.preparedAhead == other?.preparedAhead)
  }
}
