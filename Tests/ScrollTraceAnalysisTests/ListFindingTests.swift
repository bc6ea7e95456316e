import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-19: what is found of lists, each with a near miss that is not.
@Suite struct ListFindingTests {
  // MARK: - Work in late frames

  @Test func `an image decoded in a late commit is found, with its item, frame and hitch time`() {
    var trace = FindingTrace(late: [20])
    trace.span("image.decode", 200.5, 13, ["item": .unsigned(7)])
    let found = trace.findings()
    #expect(found.map(\.id) == [.decodeOnMainThread])
    #expect(found.first?.subject == .list("feed"))
    #expect(
      found.first?.measures
        == Finding.Measures(
          count: 1, total: .milliseconds(13), hitches: 1, hitchTime: .milliseconds(10),
          worst: Finding.Occurrence(frame: 20, time: Timestamp(clamping: 200_000_000))))
    #expect(found.first?.fact("item") == .name("7"))
    #expect(found.first?.removable == .milliseconds(10))
  }

  @Test func `images decoded on time, in the background, or without weight are not found`() {
    var trace = FindingTrace(late: [20])
    trace.span("image.decode", 220, 2)
    trace.span("image.decode", 200, 14, isOnMain: false)
    trace.span("image.decode", 201, 1.4)
    #expect(trace.findings().map(\.id) == [.unrecordedWork])
  }

  @Test func `data loaded in a late commit is found, in an on-time commit it is not`() {
    var late = FindingTrace(late: [20, 30])
    var onTime = late
    for begin in [200.5, 300.5] { late.span("data.load", begin, 9, ["item": .unsigned(1)]) }
    #expect(late.findings().map(\.id) == [.loadOnMainThread])
    #expect(late.findings().first?.fact("item") == .name("1"))
    #expect(late.findings().first?.measures.hitchTime == .milliseconds(20))
    onTime.span("data.load", 220.5, 1.5)
    #expect(onTime.findings().map(\.id) == [.unrecordedWork])
  }

  @Test func `cells prepared late are found if earlier commits left enough idle time`() {
    var idle = FindingTrace(late: [20])
    idle.span("cell.prepare", 201, 6)
    idle.span("cell.prepare", 208, 6)
    // Twenty commits of 2 ms before it, each with 8 ms to spare.
    let found = idle.findings()
    #expect(found.map(\.id) == [.expensiveCells, .preparedOnDemandWhileIdle])
    #expect(found.last?.fact("idleNs") == .time(.milliseconds(160)))
    #expect(found.last?.measures.count == 2)
    #expect(found.first?.fact("idleBeforeNs") == .time(.milliseconds(160)))

    var busy = FindingTrace(late: [20], commit: 9.5)
    busy.span("cell.prepare", 201, 12)
    #expect(busy.findings().map(\.id) == [.expensiveCells])
    var ahead = FindingTrace(late: [20])
    ahead.span("cell.prepare", 201, 12, ["ahead": .bool(true)])
    #expect(ahead.findings().map(\.id) == [.expensiveCells])
  }

  @Test func `idle time before the previous hitch counts for that hitch only`() {
    var trace = FindingTrace(late: [20, 22])
    for begin in [201.0, 206, 221, 226] { trace.span("cell.prepare", begin, 4) }
    let found = trace.findings().first { $0.id == .preparedOnDemandWhileIdle }
    #expect(found?.measures.count == 2)
    #expect(found?.measures.worst?.frame == 20)
  }

  // MARK: - Reuse

  private func cells(
    _ registration: (Int) -> Int, inView: Int, areWords: Bool = false
  ) -> FindingTrace {
    var trace = FindingTrace()
    for number in 0..<8 {
      let begin = Double(number) * 20
      let item = ArgumentValue.unsigned(UInt64(number))
      let own = registration(number)
      trace.span(
        "cell.prepare", begin + 0.5, 1,
        [
          "item": item, "reused": .bool(false),
          "registration": areWords ? trace.string("row-\(own)") : .unsigned(UInt64(own)),
        ])
      trace.mark("cell.willDisplay", begin + 1.6, ["item": item])
      guard number >= inView - 1 else { continue }
      let gone = ArgumentValue.unsigned(UInt64(number - inView + 1))
      trace.mark("cell.didEndDisplaying", begin + 1.7, ["item": gone])
    }
    return trace
  }

  @Test func `a registration per cell is found`() {
    let found = cells({ $0 }, inView: 8).findings()
    #expect(found.map(\.id) == [.noReuse])
    #expect(found.first?.fact("registrationForEachCell") == .flag(true))
    #expect(found.first?.measures.count == 8)
    #expect(cells({ _ in 1 }, inView: 8).findings() == [])
    // Hosts also name them.
    #expect(cells({ $0 }, inView: 8, areWords: true).findings().map(\.id) == [.noReuse])
    #expect(cells({ _ in 1 }, inView: 8, areWords: true).findings() == [])
  }

  @Test func `cells created although others were recycled are found`() {
    #expect(cells({ _ in 1 }, inView: 2).findings().map(\.id) == [.noReuse])
    // What is made once for all that are in view has to be made.
    #expect(cells({ _ in 1 }, inView: 3).findings() == [])
  }

  // MARK: - Snapshots

  @Test func `items that only changed but got new cells are found, reconfigured items are not`() {
    func findings(_ kind: String, _ key: String, _ count: UInt64) -> [FindingID] {
      var trace = FindingTrace()
      trace.span(
        "data.applySnapshot", 101, 1,
        ["kind": trace.string(kind), key: .unsigned(count)])
      return trace.findings().map(\.id)
    }
    #expect(findings("reload", "reloaded", 4) == [.reloadInsteadOfReconfigure])
    #expect(findings("differences", "reloaded", 4) == [.reloadInsteadOfReconfigure])
    #expect(findings("reload", "reloaded", 3) == [])
    #expect(findings("reconfigure", "reconfigured", 40) == [])
  }

  @Test func `items that a host says it reloaded are no cells, and no second finding`() throws {
    func findings(_ length: Double) -> [Finding] {
      var trace = FindingTrace(late: [20, 40])
      for start in [200.5, 400.5] {
        trace.span(
          "data.applySnapshot", start, length,
          ["kind": trace.string("reload"), "reloaded": .unsigned(2500)])
      }
      return trace.findings()
    }
    #expect(findings(14).map(\.id) == [.longSnapshot])
    let short = try #require(findings(1).first { $0.id == .reloadInsteadOfReconfigure })
    #expect(short.words.title == "items that only change are reloaded")
    #expect(short.fact("items") == .count(5000) && short.fact("cells") == .count(0))
  }

  /// Four cells come into view, and a snapshot brings two items; then the four are prepared again.
  private func snapshot(_ kind: String, again: [UInt64], after: Double = 2) -> FindingTrace {
    var trace = FindingTrace()
    for item in 1...4 as ClosedRange<UInt64> {
      trace.span("cell.prepare", Double(item) * 10 + 0.5, 1, ["item": .unsigned(item)])
      trace.mark("cell.willDisplay", Double(item) * 10 + 1.6, ["item": .unsigned(item)])
    }
    trace.span(
      "data.applySnapshot", 100, 1, ["kind": trace.string(kind), "inserted": .unsigned(2)])
    for (place, item) in again.enumerated() {
      let begin = 100 + after + Double(place) * 0.1
      if item <= 4 { trace.mark("cell.didEndDisplaying", 100.5, ["item": .unsigned(item)]) }
      trace.span("cell.prepare", begin, 0.1, ["item": .unsigned(item)])
      trace.mark("cell.willDisplay", begin + 0.1, ["item": .unsigned(item)])
    }
    return trace
  }

  @Test func `a snapshot that inserts items and discards the cells of others is found`() {
    let found = snapshot("reload", again: [1, 2, 3, 4]).findings()
    #expect(found.map(\.id) == [.snapshotReload])
    #expect(found.first?.fact("items") == .count(4))
    #expect(found.first?.measures.count == 1)
    #expect(found.first?.measures.total?.nanoseconds == 400_000)
  }

  @Test func `differences, and reloads with only new or much later cells, are not found`() {
    #expect(snapshot("reload", again: [11, 12, 13, 14]).findings() == [])
    #expect(snapshot("differences", again: [1, 2, 3, 4]).findings() == [])
    #expect(snapshot("reload", again: [1, 2, 3, 4], after: 150).findings() == [])
  }

  // MARK: - Ahead for nothing, and too late

  private func ahead(_ count: UInt64, discarded: UInt64) -> FindingTrace {
    var trace = FindingTrace()
    for item in 0..<count {
      let pairs: [String: ArgumentValue] = ["item": .unsigned(item), "ahead": .bool(true)]
      trace.span("cell.prepare", Double(item) * 10 + 3, 1, pairs)
      if item < discarded { trace.mark("cell.discard", 400 + Double(item), pairs) }
    }
    return trace
  }

  @Test func `prepared cells recycled before display are found, above a quarter and four`() {
    let found = ahead(15, discarded: 4).findings()
    #expect(found.map(\.id) == [.preparedNeverDisplayed])
    #expect(found.first?.fact("of") == .count(15))
    #expect(found.first?.measures.count == 4)
    #expect(found.first?.measures.total == .milliseconds(4))
    #expect(ahead(16, discarded: 4).findings() == [])
    #expect(ahead(4, discarded: 3).findings() == [])
    // They may still come into view.
    #expect(ahead(15, discarded: 0).findings() == [])
  }

  private func waiting(_ count: UInt64, for length: Double) -> FindingTrace {
    var trace = FindingTrace()
    for item in 0..<count {
      let begin = Double(item) * 20
      trace.mark("cell.willDisplay", begin + 1, ["item": .unsigned(item)])
      trace.span("data.load", begin + 1, length, ["item": .unsigned(item)], isOnMain: false)
    }
    return trace
  }

  @Test func `cells outside the selection are not counted`() {
    var options = AnalysisOptions()
    options.selection.from = .milliseconds(100)
    #expect(waiting(3, for: 50).findings(options) == [])
    options.selection.from = .milliseconds(10_000)
    #expect(waiting(3, for: 50).findings(options) == [])
  }

  @Test
  func `cells displayed before their data are found, unless the data arrives within one refresh`() {
    let found = waiting(3, for: 50).findings()
    #expect(found.map(\.id) == [.lateData])
    #expect(found.first?.fact("of") == .count(3))
    #expect(found.first?.measures.total == .milliseconds(150))
    #expect(waiting(3, for: 10).findings() == [])
    #expect(waiting(2, for: 50).findings() == [])
  }

  /// Requests for items below, then a turn: another item is asked for and comes into view at 150 ms.
  private func turn(_ count: UInt64, loadedAt: Double, cancelled: Bool = false) -> FindingTrace {
    var trace = FindingTrace()
    for item in 1...count {
      trace.mark("data.prefetch", 10, ["item": .unsigned(item)])
      trace.span("data.load", loadedAt - 5, 5, ["item": .unsigned(item)], isOnMain: false)
      if cancelled { trace.mark("data.cancelPrefetch", 120, ["item": .unsigned(item)]) }
    }
    trace.mark("data.prefetch", 100, ["item": .unsigned(99)])
    trace.span("data.load", 101, 5, ["item": .unsigned(99)], isOnMain: false)
    trace.mark("cell.willDisplay", 150, ["item": .unsigned(99)])
    return trace
  }

  @Test
  func `requests that still load after others were displayed are found, cancelled ones are not`() {
    let found = turn(4, loadedAt: 300).findings()
    #expect(found.map(\.id) == [.prefetchNotCancelled])
    #expect(found.first?.fact("of") == .count(5))
    #expect(found.first?.measures.count == 4)
    #expect(turn(4, loadedAt: 300, cancelled: true).findings() == [])
    #expect(turn(3, loadedAt: 300).findings() == [])
  }

  @Test func `data that was loaded but never displayed is found if there is much of it`() {
    let found = turn(8, loadedAt: 50).findings()
    #expect(found.map(\.id) == [.prefetchedNeverDisplayed])
    #expect(found.first?.fact("of") == .count(9))
    #expect(turn(7, loadedAt: 50).findings() == [])
    // Without a turn it may still come into view.
    var straight = FindingTrace()
    for item in 1...9 as ClosedRange<UInt64> {
      straight.mark("data.prefetch", Double(item), ["item": .unsigned(item)])
      straight.span("data.load", Double(item), 5, ["item": .unsigned(item)], isOnMain: false)
    }
    straight.mark("cell.willDisplay", 150, ["item": .unsigned(1)])
    #expect(straight.findings() == [])
  }

  // MARK: - Contents

  @Test func `one stale result in a reused cell is found`() {
    var trace = FindingTrace()
    trace.mark("data.lateResult", 100)
    #expect(trace.findings().map(\.id) == [.staleResultInReusedCell])
  }

  @Test func `inaccurate size estimates are found, close ones are not`() {
    func findings(guess: Double, count: Int = 8) -> [Finding] {
      var trace = FindingTrace()
      for number in 0..<count {
        trace.span(
          "cell.size", Double(number) * 10 + 1, 0.1,
          ["estimatedSize": .double(guess), "size": .double(80)])
      }
      return trace.findings()
    }
    let found = findings(guess: 60)
    #expect(found.map(\.id) == [.inaccurateSizeEstimates])
    #expect(found.first?.fact("of") == .count(8))
    #expect(found.first?.fact("error") == .number(0.25))
    #expect(findings(guess: 61) == [])
    #expect(findings(guess: 60, count: 7) == [])
  }
}
