import ReferenceListEngine
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The life of cells and loads as it stands in the recording, without a look into the engine.
@Suite struct RecordedLifeTests {
  /// One mark of a cell: what happened to which view, with which item.
  private struct CellEvent {
    var name: String
    var view: UInt64
    var item: UInt64
  }

  private func cellEvents(of trace: Trace) -> [CellEvent] {
    trace.marks.compactMap { mark in
      guard trace.category(of: mark.label) == "scrolltrace.cell" else { return nil }
      var values: [String: UInt64] = [:]
      for argument in trace.arguments[mark.arguments] {
        if case .unsigned(let value) = argument.value {
          values[trace.strings[argument.key]] = value
        }
      }
      guard let view = values["view"], let item = values["item"] else { return nil }
      return CellEvent(name: trace.name(of: mark.label), view: view, item: item)
    }
  }

  @Test func `every displayed view is hidden before it is displayed again`() async {
    await forEachCase(of: InvariantTests.seeds, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      let run = try EngineRun(
        InvariantTests.configuration(seed), .reading(for: 3_000_000_000, seed: seed))
      let trace = try run.trace()
      var shown: [UInt64: UInt64] = [:]
      let events = cellEvents(of: trace)
      #expect(events.count == run.counters.cellsShown + run.counters.cellsHidden)
      for event in events {
        switch event.name {
        case "willDisplay":
          #expect(shown.updateValue(event.item, forKey: event.view) == nil)
        case "didEndDisplaying":
          #expect(shown.removeValue(forKey: event.view) == event.item)
        default: Issue.record("\(event.name) is no mark of the engine")
        }
      }
      let visible = run.engine.visible.map { ($0.view.rawValue, $0.item.number) }
      #expect(shown == Dictionary(uniqueKeysWithValues: visible))
    }
  }

  @Test func `frames are in order and a flow leads from each request to its load`() async {
    await forEachCase(of: InvariantTests.seeds, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      let run = try EngineRun(
        InvariantTests.configuration(seed), .reading(for: 3_000_000_000, seed: seed))
      let trace = try run.trace()
      let frames = try #require(trace.surfaces.first).frames
      for index in 1..<frames.count {
        let (before, frame) = (frames[index - 1], frames[index])
        #expect(frame.id == before.id + 1)
        #expect(try #require(frame.start) >= #require(before.commitEnd))
        #expect(try #require(frame.presented) > #require(before.presented))
      }
      var kinds: [FlowPoint.Kind: Set<UInt64>] = [:]
      for point in trace.flows { #expect(kinds[point.kind, default: []].insert(point.id).inserted) }
      #expect(kinds[.start]?.count == run.counters.loadsRequested)
      #expect(kinds[.step]?.count == run.counters.loadsFinished)
      #expect(kinds[.end, default: []].isSubset(of: kinds[.step, default: []]))
      #expect(kinds[.step, default: []].isSubset(of: kinds[.start, default: []]))
    }
  }

  @Test func `a stale result is not written into another item's cell`() throws {
    var configuration = InvariantTests.configuration(3)
    configuration.policies.data = .onDemand
    configuration.loaders = 3
    configuration.costs.latency = 120_000_000
    let script = ScrollScript(steps: [
      .rest(50_000_000), .drag(velocity: 6_000_000, for: 900_000_000), .rest(900_000_000),
    ])
    let run = try EngineRun(configuration, script)
    #expect(run.counters.staleResults == 0)
    #expect(run.engine.visible.allSatisfy { $0.content == .final && !$0.isWrong })
    #expect(run.counters.loadsInFlight == 0)
    configuration.policies.updates = .captured
    let wrong = try EngineRun(configuration, script)
    #expect(wrong.counters.staleResults > 0)
  }

  @Test func `threads without work leave no span unfinished`() throws {
    var configuration = InvariantTests.configuration(2)
    configuration.policies.data = .ahead
    configuration.linesLoadedAhead = 40
    configuration.loaders = 1
    let run = try EngineRun(configuration, .reading(for: 1_000_000_000, seed: 2))
    #expect(run.counters.loadsInFlight > 0)
    #expect(try run.trace().openSpans.isEmpty)
  }
}
