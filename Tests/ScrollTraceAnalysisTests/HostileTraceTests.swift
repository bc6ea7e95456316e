import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Traces made to overflow numbers, or to make work that grows with a product of counts.
@Suite struct HostileTraceTests {
  private func time(_ nanoseconds: Int64) -> Timestamp { Timestamp(clamping: nanoseconds) }

  @Test func `more refreshes than can be counted saturate the count`() throws {
    var builder = TraceBuilder(format: "hostile")
    let surface = builder.surface("")
    for _ in 0..<70 {
      builder.addListedHitch(
        ListedHitch(
          start: .zero, length: TimeSpan(nanoseconds: 1 << 57 - 1),
          refreshInterval: TimeSpan(nanoseconds: 1)), of: surface)
    }
    let analysis = try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
    #expect(analysis.counts.refreshesMissed == Int.max)
  }

  @Test
  func `interactions that all contain all frames are omitted beyond the resource limit`() throws {
    var builder = TraceBuilder(format: "hostile")
    let surface = builder.surface("")
    for id in 0..<100 as Range<UInt64> {
      builder.updateFrame(id, of: surface, presented: time(1000 + Int64(id)))
    }
    for index in 0..<1000 as Range<Int64> {
      builder.addInteraction("scroll", from: time(index), to: time(5000 + index))
    }
    let analysis = TraceAnalyzer().analyze(builder.finish())
    let listed = try #require(analysis.surfaces.first).interactions
    let budget = AnalysisResourceLimits.minimumRows + 100 * AnalysisResourceLimits.rowsPerFrame
    #expect((1...(budget / 100)).contains(listed.count))
    #expect(listed.allSatisfy { $0.counts.total == 100 })
    #expect(analysis.notices.contains(.leftOut(surface: "")))
  }

  @Test(.needsTime)
  func `M-16: causes of hitches that all contain all work are omitted beyond the resource limit`()
    throws
  {
    var builder = TraceBuilder(format: "hostile")
    let track = builder.track(1, of: builder.process(1))
    // Names that differ in numbers alone would be one cause.
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    for index in 0..<500 {
      let name = "\(letters[index / 26])\(letters[index % 26])"
      builder.addSpan(
        on: track, from: time(Int64(index) * 10), to: time(Int64(index) * 10 + 9),
        label: builder.label(category: "a", name: name))
    }
    let surface = builder.surface("")
    for index in 0..<500 as Range<Int64> {
      builder.addListedHitch(
        ListedHitch(start: time(index), length: TimeSpan(nanoseconds: 5000)), of: surface)
    }
    let analysis = TraceAnalyzer().analyze(builder.finish())
    let hitches = try #require(analysis.surfaces.first).hitches
    #expect(hitches.count == 500)
    #expect(hitches.first?.attribution?.causes.count == 500)
    #expect(hitches.last?.attribution == nil)
    #expect(analysis.notices.contains(.leftOut(surface: "")))
  }

  @Test func `nothing is omitted from a trace with little overlap`() throws {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("")
    for index in 0..<2000 as Range<Int64> {
      builder.updateFrame(index, of: surface, presented: time(index * 100))
      builder.addInteraction("scroll", from: time(index * 100), to: time(index * 100 + 90))
      builder.addState(StateChange(time: time(index * 100), key: "row", value: "\(index)"))
    }
    let analysis = TraceAnalyzer().analyze(builder.finish())
    #expect(analysis.surfaces.first?.interactions.count == 2000)
    #expect(analysis.surfaces.first?.states.count == 2000)
    #expect(!analysis.notices.contains(.leftOut(surface: "")))
  }
}
