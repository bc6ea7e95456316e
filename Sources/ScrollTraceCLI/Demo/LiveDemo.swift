import Dispatch
import ReferenceListEngine
import ScrollTraceKit
import ScrollTraceRecorder
import Synchronization

/// The engine on a thread of its own, as a list that scrolls in the terminal.
struct LiveDemo {
  /// What the engine is made of.
  let configuration: EngineConfiguration
  /// What is played when nobody presses a key, over and over; its events happen once.
  let session: ScrollSession
  /// The file to record into.
  let path: String?
  /// How many bytes of the recording are to be kept; `nil` for all.
  let ringBytes: Int?

  /// About thirty pictures a second: the engine's thread must not notice.
  private static let pause = 33

  /// What came of a run.
  struct Outcome: Sendable {
    /// What the engine has counted.
    var counters = EngineCounters()
    /// What was scrolled, by the session and by hand.
    var played = ScrollSession(steps: [])
  }

  /// Runs until somebody quits.
  ///
  /// - Throws: Where there is no terminal, or the recording fails.
  func run(on console: Console) throws -> Outcome {
    let terminal = try LiveTerminal.open()
    defer { terminal.close() }
    let input = LiveInput()
    let outcome = Mutex(Result<Outcome, any Error>.success(Outcome()))
    let done = DispatchSemaphore(value: 0)
    // The engine's thread is the one that the recording calls main.
    let isStarted = DetachedThread.start {
      let result = Result { try play(with: input) }
      outcome.withLock { $0 = result }
      input.end()
      done.signal()
    }
    guard isStarted else {
      throw OutputError(path: "demo", problem: "the system has no thread for the engine")
    }
    let screen = Result { try show(input, on: terminal, ColorLevel(console.environment)) }
    input.end()
    done.wait()
    try screen.get()
    return try outcome.withLock { $0 }.get()
  }

  // MARK: - The terminal's side

  private func show(
    _ input: LiveInput, on terminal: LiveTerminal, _ level: ColorLevel
  ) throws(OutputError) {
    var state = LiveState()
    var isHelpShown = false
    while true {
      if let key = terminal.nextKey(timeoutMilliseconds: Self.pause) {
        if key == .character("?") {
          isHelpShown.toggle()
        } else if key == .escape, isHelpShown {
          isHelpShown = false
        } else {
          input.press(key)
        }
      }
      if input.isEnding { return }
      if let next = input.takeState() { state = next }
      state.isPaused = input.isPaused
      state.isHelpShown = isHelpShown
      state.recording = path
      try terminal.draw(LiveScreen.lines(of: state, size: terminal.size, color: level))
    }
  }

  // MARK: - The engine's side

  private func play(with input: LiveInput) throws(RecorderError) -> Outcome {
    let clock = RealClock()
    var options = RecorderOptions.real(clock)
    // Without a file nothing is recorded.
    options.isEnabled = path != nil
    options.ringBytes = ringBytes
    let recorder =
      if let path { try TraceRecorder(writingTo: path, options: options) } else {
        try TraceRecorder(to: .memory, options: options)
      }
    let engine = ListEngine(configuration, clock: clock, recorder: recorder)
    var account = LiveAccount()
    var steps = session.steps[...]
    var played = PlayedSteps()
    engine.run(errands: session.errands, updates: session.updates) {
      let next: ScrollStep?
      if input.isEnding {
        next = nil
      } else if let step = input.takeStep() {
        next = step
      } else if input.isPaused {
        next = .rest(50_000_000)
      } else if let step = steps.popFirst() {
        next = step
      } else {
        // Also for a session that takes no time.
        steps = session.steps[...]
        next = .rest(500_000_000)
      }
      played.begin(next, at: clock.now)
      return next
    } afterEachRefresh: { engine, frame in
      if input.isPaused, frame == nil {
        account.pause()
      } else {
        account.note(engine, frame, at: clock.now)
      }
      if input.apply(to: engine) { account.restart(engine) }
      var state = account.state(of: engine)
      state.hertz = LiveRate.of(engine)
      input.show(state)
    }
    try recorder.finish()
    return Outcome(
      counters: engine.counters,
      played: ScrollSession(
        steps: played.steps, errands: session.errands, updates: session.updates))
  }
}

extension RecorderOptions {
  /// Options for a recording on the machine's own time.
  static func real(_ clock: any EngineClock) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = clock.recorderClock
    options.isMainThreadFullyInstrumented = true
    return options
  }
}
