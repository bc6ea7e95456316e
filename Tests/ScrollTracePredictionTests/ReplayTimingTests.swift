import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTracePrediction

/// When a replay requests, receives and gives content, and what its commits take (M-17).
@Suite struct ReplayTimingTests {
  private func addShort(_ numbers: Range<Int64>, to list: inout DrawnList) {
    for number in numbers { list.frame(number, number * 10..<number * 10 + 2) }
  }

  /// A list whose frame 3 prepares a cell of 9 ms.
  private func list() -> DrawnList {
    var list = DrawnList()
    addShort(0..<3, to: &list)
    list.frame(3, 30..<41)
    list.prepare(1, 31..<40)
    list.mark("willDisplay", 1, at: 40)
    return list
  }

  //          0    10   20   30        50    (ms)
  // commits  |0   |1   |2   |3        |5    the load starts 1 ms before the end of frame 3; if frame 0
  //                          C    LLLL K    prepares the cell, it starts at 10 ms
  @Test func `M-17: content is requested before the end of the commit that prepares its cell`()
    throws
  {
    var list = list()
    list.load(1, 40..<50)
    list.frame(5, 50..<56)
    list.configure(1, 51..<55)
    addShort(6..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    #expect(pass.lengths(4) == [11, 6, 2, 2])
  }

  //          0    10   20   30        50    (ms)
  // commits  |0   |1   |2   |3        |5    the data is there at 1 ms: after frame 0 began, before the
  //          L               C              cell is prepared in it
  @Test func `M-17: data that comes while a commit lasts is given to its cells in the next one`()
    throws
  {
    var list = list()
    list.configure(1, 33..<39)
    list.mark("prefetch", 1, at: 0, category: "scrolltrace.data")
    list.load(1, 0..<1)
    addShort(5..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    #expect(pass.lengths(4) == [11, 6, 2, 2])
  }

  //          0    10   20   30        50    (ms)
  // commits  |0   |1   |2   |3        |5    slower work delays the cell of frame 3 until its data is there
  //                    DDDD  C  LLL    K
  @Test func `M-17: data that is there when a later commit prepares its cell costs nothing more`()
    throws
  {
    var list = DrawnList()
    addShort(0..<2, to: &list)
    list.frame(2, 20..<30)
    list.span("decode", category: "scrolltrace.image", 22..<30)
    list.frame(3, 30..<40)
    list.prepare(1, 31..<39)
    list.mark("willDisplay", 1, at: 39)
    list.mark("prefetch", 1, at: 29, category: "scrolltrace.data")
    list.load(1, 32..<42)
    list.frame(5, 50..<56)
    list.configure(1, 51..<55)
    addShort(6..<20, to: &list)
    var assumptions = ReplayAssumptions()
    assumptions.workPercent = 250
    let pass = try #require(try list.predictor().replay.pass(of: [], assuming: assumptions))
    // Frames 2, 3 and 5: refresh 3 is skipped, and so is 4.
    let frame = try #require(pass.frames.first { $0.start == Timestamp(clamping: 50_000_000) })
    #expect(frame.commitEnd == Timestamp(clamping: 78_000_000))
  }

  //          0    10   20   30        50   60    (ms)
  // commits  |0   |1   |2   |3        |5   |6    content that arrives for a cell reloads it, and is
  //                          C   LL        CD    decoded where it is in view
  @Test func `M-17: an image moves with the content that reloads its cell`() throws {
    var list = list()
    list.load(1, 41..<50)
    addShort(5..<6, to: &list)
    list.frame(6, 60..<72)
    list.reload(61..<64)
    list.prepare(1, 61..<64)
    list.span("decode", category: "scrolltrace.image", 65..<71, item: 1)
    addShort(8..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: [.prepareOneAhead]))
    // Loaded at 20 ms, displayed at 30 ms.
    #expect(pass.lengths(6) == [11, 5, 8, 2, 2, 3])
  }

  @Test func `M-17: an item that two cells wait for is loaded once`() throws {
    var list = DrawnList()
    list.frame(0, 0..<9)
    list.prepare(1, 1..<8)
    list.mark("willDisplay", 1, at: 8)
    list.frame(1, 10..<12)
    list.mark("didEndDisplaying", 1, at: 11)
    list.frame(2, 20..<29)
    list.prepare(1, 21..<28)
    list.mark("willDisplay", 1, at: 28)
    addShort(3..<5, to: &list)
    list.load(1, 30..<48)
    list.frame(5, 50..<56)
    list.configure(1, 51..<55)
    addShort(6..<20, to: &list)
    let pass = try #require(try list.predictor().replay.pass(of: []))
    #expect(pass.loadEnds[0] > 0)
    #expect(pass.loadEnds[0] == pass.loadEnds[1])
  }

  @Test func `M-17: content that arrived after the last frame could have come before it`() throws {
    var list = list()
    addShort(5..<7, to: &list)
    list.load(1, 41..<90)
    let cells = try list.predictor().replay.model.cells
    #expect(cells.map(\.lateLoad) == [90_000_000])
    #expect(cells.map(\.loadTime) == [49_000_000])
  }

  @Test func `M-17: a short commit is what commits take besides cells, if all prepare some`() throws
  {
    var list = DrawnList()
    for number in 0..<20 as Range<Int64> {
      list.frame(number, number * 10..<number * 10 + 8)
      list.prepare(UInt64(number), number * 10 + 1..<number * 10 + 6)
    }
    #expect(try list.predictor().replay.model.shortCommit == 3_000_000)
  }

  @Test func `M-17: the cells of a line change its height one after the other`() throws {
    var list = DrawnList()
    list.estimateSizes()
    addShort(0..<3, to: &list)
    for number in 3..<6 as Range<Int64> {
      list.frame(number, number * 10..<number * 10 + 9)
      list.prepare(UInt64(2 * number), number * 10 + 1..<number * 10 + 2)
      list.prepare(UInt64(2 * number + 1), number * 10 + 2..<number * 10 + 3)
    }
    addShort(6..<20, to: &list)
    let cells = try list.predictor().replay.model.cells
    // 9 ms less 2 ms for the cells and 2 ms for a commit without any: a line each.
    #expect(cells.map { $0.correction / 1_000_000 } == [5, 2, 5, 2, 5, 2])
  }

  @Test func `M-17: a list keeps the cells that are nearest to the middle of its view`() {
    var model = ReplayModel()
    for position in 0..<10 as Range<Int64> {
      var cell = ReplayModel.CellWork(job: 0, reason: .needed)
      cell.position = position
      model.cells.append(cell)
    }
    model.leaves = [0, 9]
    var job = ReplayModel.Job(
      start: 0, end: 0, slices: 0..<0, cells: 0..<0, frame: 0, isAhead: false)
    job.leaves = 0..<2
    model.jobs = [job]
    var kept = KeptCells(model, limit: 1, createsMore: true)
    // Cell 2 came into view last.
    for cell in (0..<10).reversed() { kept.display(cell) }
    kept.keep(leaving: 0, waiting: 0)
    #expect((0..<10).filter(kept.holds(_:)) == [9])
    #expect(kept.holds(position: 9))
    #expect(!kept.holds(position: 0))
  }
}
