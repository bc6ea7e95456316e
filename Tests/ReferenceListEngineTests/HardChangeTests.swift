import ReferenceListEngine
import ScrollTraceLayout
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Changes of the items that leave little as it was.
@Suite struct HardChangeTests {
  private static let millisecond: Nanoseconds = 1_000_000

  private static func feed(
    of count: Int = 200, policies: String = ""
  ) throws -> EngineConfiguration {
    var configuration = EngineConfiguration(content: ListContent(feedOf: count, seed: 1))
    configuration.policies = try EnginePolicies(text: policies)
    return configuration
  }

  @Test func `items can be deleted while the user drags another item past them`() throws {
    for time in Nanoseconds(0)...80 {
      let session = ScrollScript(
        steps: [.reorder(pages: 0, for: 800 * Self.millisecond), .rest(100 * Self.millisecond)],
        updates: [ListUpdate(at: time * 10 * Self.millisecond, .delete(.max, at: 3))])
      let run = try EngineRun(try Self.feed(), session)
      #expect(run.engine.content.items.count == 3 && run.engine.visible.count == 3)
    }
  }

  @Test func `a list that shrinks above the visible range scrolls to its end`() async {
    await forEachCase(of: ["", "best", "snapshots=reload"], oneCase)
    @Sendable func oneCase(policies: String) throws {
      let session = ScrollScript(
        steps: [
          .paging(pages: 20, for: 700 * Self.millisecond), .rest(500 * Self.millisecond),
        ], updates: [ListUpdate(at: 900 * Self.millisecond, .delete(.max, at: 9))])
      let run = try EngineRun(try Self.feed(policies: policies), session) { engine in
        #expect(!engine.visible.isEmpty)
      }
      #expect(run.engine.visible.last?.position == 8)
    }
  }

  @Test func `many items are inserted at once`() throws {
    let session = ScrollScript(
      steps: [.rest(100 * Self.millisecond)],
      updates: [ListUpdate(at: 0, .insert(100_000, at: 1))])
    let run = try EngineRun(try Self.feed(of: 2), session)
    #expect(run.engine.content.items.map(\.id.number).prefix(3) == [10_002, 110_002, 110_001])
    #expect(run.engine.content.items.count == 100_002)
  }

  @Test func `an image whose bitmap was evicted is requested again when its item changes`() throws {
    var configuration = try Self.feed(policies: "images=background")
    configuration.content = ListContent(feedOf: 20, seed: 1, percentOfPhotos: 100)
    configuration.imageCacheBytes = 1
    let session = ScrollScript(
      steps: [.rest(3_000 * Self.millisecond)],
      updates: [ListUpdate(at: 1_000 * Self.millisecond, .change(1))])
    let run = try EngineRun(configuration, session)
    #expect(run.counters.loadsInFlight == 0)
    #expect(run.engine.visible.first?.content == .final)
  }

  @Test func `a captured cell receives its content while it is out of view, too`() async {
    await forEachCase(of: ["one-ahead", "idle"], oneCase)
    @Sendable func oneCase(cells: String) throws {
      let configuration = try Self.feed(policies: "updates=captured,cells=\(cells)")
      let session = ScrollScript(
        steps: [
          .drag(velocity: 900_000, for: 900 * Self.millisecond), .rest(1_500 * Self.millisecond),
          .drag(velocity: 100_000, for: 100 * Self.millisecond), .rest(1_500 * Self.millisecond),
        ])
      let run = try EngineRun(configuration, session)
      #expect(run.counters.loadsInFlight == 0)
      #expect(run.engine.visible.allSatisfy { $0.content == .final })
      #expect(run.engine.kept.allSatisfy { $0.content != .placeholder })
    }
  }

  @Test func `no cell waits forever, whichever policies change along the way`() async {
    await forEachCase(of: ExtraCases.some(5, of: UInt64(1)...60), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed &* 31)
      let session = RandomScript.script(seed)
      var steps = session.steps[...] + [.rest(4_000 * Self.millisecond)]
      let clock = VirtualClock()
      let recorder = try TraceRecorder(to: .memory, options: .virtual(clock.recorderClock))
      let engine = ListEngine(RandomScript.configuration(seed), clock: clock, recorder: recorder)
      engine.run(errands: session.errands, updates: session.updates, next: { steps.popFirst() }) {
        engine, account in
        guard account != nil, steps.count > 0, Int.random(in: 0..<8, using: &random) == 0 else {
          return
        }
        engine.policies.chooseNext(for: EnginePolicies.names.randomElement(using: &random) ?? "")
      }
      try recorder.finish()
      #expect(engine.counters.loadsInFlight == 0)
      if engine.policies.updates != .captured {
        #expect(engine.visible.allSatisfy { $0.content == .final })
      }
      #expect(!engine.visible.isEmpty)
    }
  }
}
