import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

/// The recorder's own cost (M-22).
struct OverheadTests {
  private func analysis(_ cost: RecorderCost?, length: Int64 = 1_000_000_000) -> Analysis {
    var builder = TraceBuilder(format: "fxt")
    builder.source.recorderCost = cost
    for time in [0, length] {
      if let time = Timestamp(nanoseconds: time) { builder.extend(to: time) }
    }
    return TraceAnalyzer().analyze(builder.finish())
  }

  @Test
  func `the overhead is records times cost, with the main thread's share (M-22)`() throws {
    let cost = RecorderCost(
      picosecondsPerRecord: 31_250, recordCount: 48_000, mainRecordCount: 16_000)
    let overhead = try #require(analysis(cost).recorderOverhead)
    #expect(overhead.nanosecondsPerRecord == 31.25)
    #expect(overhead.time == TimeSpan(nanoseconds: 1_500_000))
    #expect(overhead.mainShare == 0.0005)
  }

  @Test func `without measurements no overhead is reported (M-22)`() {
    #expect(analysis(nil).recorderOverhead == nil)
    let none = RecorderCost(picosecondsPerRecord: 0, recordCount: 9, mainRecordCount: 9)
    #expect(analysis(none).recorderOverhead == nil)
  }

  @Test func `an impossible cost is ignored (M-22)`() throws {
    let huge = RecorderCost(
      picosecondsPerRecord: .max, recordCount: 2, mainRecordCount: 1)
    #expect(analysis(huge).recorderOverhead == nil)
    let one = RecorderCost(picosecondsPerRecord: .max, recordCount: 1, mainRecordCount: 1)
    #expect(analysis(one).recorderOverhead?.mainShare == 1)
    let empty = RecorderCost(picosecondsPerRecord: 30_000, recordCount: 0, mainRecordCount: 0)
    #expect(analysis(empty, length: 0).recorderOverhead?.mainShare == nil)
  }
}
