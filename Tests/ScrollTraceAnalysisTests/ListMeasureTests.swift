import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-14, M-15: lead times ahead and on demand, the way of requests, and the sizes of images.
@Suite struct ListMeasureTests {
  private func list(_ make: (inout FindingTrace) -> Void) throws -> ListAnalysis {
    var trace = FindingTrace()
    make(&trace)
    return try #require(TraceAnalyzer().analyze(trace.trace()).lists.first)
  }

  @Test func `the lead time of cells prepared ahead is apart from that of others`() throws {
    let list = try list { trace in
      for (item, isAhead, lead) in [(1, true, 40.0), (2, true, 60), (3, false, 1)]
        as [(UInt64, Bool, Double)]
      {
        let begin = Double(item) * 100
        let arguments: [String: ArgumentValue] = ["item": .unsigned(item), "ahead": .bool(isAhead)]
        trace.span("cell.prepare", begin, 2, arguments)
        trace.mark("cell.willDisplay", begin + 2 + lead, ["item": .unsigned(item)])
      }
    }
    #expect(list.cells.leadTime?.max == .milliseconds(60))
    #expect(list.cells.leadTimeAhead?.p50 == .milliseconds(50))
    #expect(list.cells.leadTimeOnDemand?.p50 == .milliseconds(1))
  }

  @Test func `the way of a request ends when its item is displayed, if it was not canceled`() throws
  {
    let list = try list { trace in
      for item in UInt64(1)...3 {
        trace.mark("data.prefetch", Double(item) * 10, ["item": .unsigned(item)])
      }
      trace.mark("data.cancelPrefetch", 50, ["item": .unsigned(2)])
      for item in UInt64(1)...2 { trace.mark("cell.willDisplay", 100, ["item": .unsigned(item)]) }
    }
    #expect(list.data.requestToDisplay?.count == 1)
    #expect(list.data.requestToDisplay?.max == .milliseconds(90))
  }

  @Test func `the cache's hit rate by bytes counts large images as more`() throws {
    let sizes = try list { trace in
      trace.mark("image.cacheHit", 10, ["bytes": .unsigned(100)])
      trace.mark("image.cacheMiss", 20, ["bytes": .unsigned(300)])
      trace.mark("image.evict", 30, ["bytes": .unsigned(.max)])
      trace.mark("image.evict", 40, ["bytes": .unsigned(1)])
      trace.span("image.decode", 50, 1, ["bytes": .unsigned(400)])
    }.images
    #expect(sizes.cacheHitRate == 0.5 && sizes.cacheHitRateByBytes == 0.25)
    #expect(sizes.decodedBytes == 400 && sizes.evictedBytes == .max)
    let unknown = try list { $0.mark("image.cacheHit", 10, ["item": .unsigned(1)]) }.images
    #expect(
      unknown.cacheHitRate == 1 && unknown.cacheHitBytes == nil
        && unknown.cacheHitRateByBytes == nil)
  }
}
