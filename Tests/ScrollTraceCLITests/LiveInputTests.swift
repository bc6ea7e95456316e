@testable import ScrollTraceCLI
import ReferenceListEngine
import ScrollTraceRecorder
import Testing

@testable import ScrollTraceTerminal

/// The way of keys to the engine, and of what it does to the screen.
@Suite struct LiveInputTests {
  /// Runs an engine on virtual time with what `body` gives and is told.
  private func run(
    errands: [Errand] = [], next: () -> ScrollStep?,
    afterEachRefresh: (ListEngine, FrameAccount?) -> Void
  ) throws {
    let clock = VirtualClock()
    let recorder = try TraceRecorder(to: .memory, options: .virtual(clock.recorderClock))
    let engine = ListEngine(
      EngineConfiguration(content: ListContent(feedOf: 50, seed: 1)), clock: clock,
      recorder: recorder)
    engine.run(errands: errands, next: next, afterEachRefresh: afterEachRefresh)
    try recorder.finish()
  }

  /// How many of the first refreshes moved something where `input` is all that moves it.
  private func movingRefreshes(_ input: LiveInput) throws -> Int {
    var moving = 0
    try run {
      input.takeStep()
    } afterEachRefresh: { engine, _ in
      if engine.isMoving { moving += 1 }
      _ = input.apply(to: engine)
    }
    return moving
  }

  @Test func `a key pressed after the previous step has ended is not interrupted`() throws {
    let input = LiveInput()
    input.press(.down)
    #expect(try movingRefreshes(input) > 5)
  }

  @Test func `a paused list forgets its pending steps`() throws {
    let input = LiveInput()
    input.press(.down)
    input.press(.space)
    #expect(input.isPaused)
    #expect(try movingRefreshes(input) == 0)
  }

  @Test func `a step interrupted by a key ends immediately`() throws {
    let input = LiveInput()
    var moving = 0
    var steps: [ScrollStep] = [.drag(velocity: 100_000, for: 2_000_000_000)]
    try run {
      input.takeStep() ?? steps.popLast()
    } afterEachRefresh: { engine, _ in
      if engine.isMoving { moving += 1 }
      if moving == 10 { input.press(.space) }
      _ = input.apply(to: engine)
    }
    #expect(moving == 10)
  }

  @Test func `refreshes missed by late frames are time in motion`() throws {
    var account = LiveAccount()
    var steps: [ScrollStep] = [
      .drag(velocity: 3_000_000, for: 2_000_000_000), .rest(500_000_000),
      .drag(velocity: 3_000_000, for: 1_000_000_000),
    ]
    var state = LiveState()
    try run {
      steps.popLast()
    } afterEachRefresh: { engine, frame in
      account.add(engine, frame, at: engine.schedule.time(of: 0))
      state = account.state(of: engine)
    }
    #expect(state.missed > 10)
    #expect(abs(state.movingTime - 3_000_000_000) < 50_000_000)
  }

  @Test func `the graph restarts if the process was stopped for long`() throws {
    var account = LiveAccount()
    var steps: [ScrollStep] = [.rest(300_000_000_000), .rest(100_000_000)]
    var longest = 0
    try run(errands: [Errand(at: 299_000_000_000, "sync", cost: 5_000_000)]) {
      steps.popLast()
    } afterEachRefresh: { engine, frame in
      account.add(engine, frame, at: engine.schedule.time(of: 0))
      longest = max(longest, account.state(of: engine).refreshes.count)
    }
    #expect((1...20).contains(longest))
  }

  @Test
  func `a session longer than an hour is written as the script's first hour`() throws {
    var played = PlayedSteps()
    let second: Int64 = 1_000_000_000
    for index in 0..<Int64(4000) { played.begin(.rest(2 * second), at: index * second) }
    played.begin(nil, at: 4000 * second)
    let script = ScrollScript(steps: played.steps)
    #expect(script.duration > 3_500 * second && script.duration <= ScriptText.longest)
    #expect(try ScriptText.parse(ScriptText.text(of: script)) == script)
  }
}
