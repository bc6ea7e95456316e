import ReferenceListEngine
import ScrollTraceCLI
import ScrollTraceKit
import ScrollTraceLayout
import ScrollTraceRecorder

/// Runs the engine on its own thread, as a list that scrolls in the terminal.
struct LiveDemo {
  let configuration: EngineConfiguration
  /// The script, which repeats while no key is pressed; its events occur once.
  let script: ScrollScript
  /// The file to record to, or `nil` to record nothing.
  let path: String?
  var overwrites = false
  let ringBytes: Int?

  /// Milliseconds between screens: about 30 per second, so that the engine's thread is not slowed.
  private static let pause = 33

  struct Outcome: Sendable {
    var counters = EngineCounters()
    /// The movements, by the script and by hand.
    var played = ScrollScript(steps: [])
  }

  /// Runs until the user quits.
  ///
  /// - Throws: An error if there is no terminal or the recording fails.
  func run(on console: Console) throws -> Outcome {
    let terminal = try LiveTerminal.open()
    defer { terminal.close() }
    let input = LiveInput()
    let outcome = Locked(Result<Outcome, any Error>.success(Outcome()))
    // The engine's thread is the one that the recording calls main.
    let engine = WorkerThread {
      let result = Result { try play(with: input) }
      outcome.withLock { $0 = result }
      input.end()
    }
    guard let engine else {
      throw OutputError(path: "demo", problem: "cannot start a thread for the engine")
    }
    let screen = Result { try show(input, on: terminal, console.environment.palette) }
    input.end()
    engine.join()
    try screen.get()
    return try outcome.withLock { $0 }.get()
  }

  // MARK: - The terminal's side

  private func show(
    _ input: LiveInput, on terminal: LiveTerminal, _ palette: Palette
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
      try terminal.draw(LiveScreen.lines(of: state, size: terminal.size, color: palette))
    }
  }

  // MARK: - The engine's side

  private func play(with input: LiveInput) throws(RecorderError) -> Outcome {
    let clock = RealClock()
    var options = RecorderOptions.real(clock)
    // Without a file nothing is recorded.
    options.isEnabled = path != nil
    options.ringBytes = ringBytes
    options.replacesExistingFile = overwrites
    let recorder =
      if let path { try TraceRecorder(writingTo: path, options: options) } else {
        try TraceRecorder(to: .memory, options: options)
      }
    let engine = ListEngine(configuration, clock: clock, recorder: recorder)
    var account = LiveAccount()
    var steps = script.steps[...]
    var played = PlayedSteps()
    engine.run(errands: script.errands, updates: script.updates) {
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
        // A pause, even for a script that takes no time.
        steps = script.steps[...]
        next = .rest(500_000_000)
      }
      played.begin(next, at: clock.now)
      return next
    } afterEachRefresh: { engine, frame in
      if input.isPaused, frame == nil {
        account.pause()
      } else {
        account.add(engine, frame, at: clock.now)
      }
      if input.apply(to: engine) { account.restart(engine) }
      var state = account.state(of: engine)
      state.hertz = LiveRate.of(engine)
      input.show(state)
    }
    try recorder.finish()
    return Outcome(
      counters: engine.counters,
      played: ScrollScript(
        steps: played.steps, errands: script.errands, updates: script.updates))
  }
}

extension RecorderOptions {
  static func real(_ clock: any EngineClock) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = clock.recorderClock
    options.isMainThreadFullyInstrumented = true
    return options
  }
}

/// The steps that an engine has played, with interrupted ones shortened. If a session cannot hold
/// all, only the first ones are kept.
struct PlayedSteps {
  private static let capacity = 50_000

  private(set) var steps: [ScrollStep] = []
  private var duration: Int64 = 0
  private var lastBegin: Int64 = 0
  private var isFull = false

  /// Ends the last step at `time` and starts `step`, if there is one.
  mutating func begin(_ step: ScrollStep?, at time: Int64) {
    guard !isFull else { return }
    if let last = steps.popLast() {
      // In whole milliseconds, like a written session.
      let elapsed = (time - lastBegin) / 1_000_000 * 1_000_000
      let isCut = elapsed < last.duration - 20_000_000
      switch last {
      case .rest where isCut: steps.append(.rest(max(0, elapsed)))
      case .drag(let velocity, _) where isCut:
        steps.append(.drag(velocity: velocity, for: max(0, elapsed)))
      default: steps.append(last)
      }
      duration += steps.last?.duration ?? 0
    }
    lastBegin = time
    guard let step else { return }
    isFull =
      steps.count >= Self.capacity || step.duration > ScriptText.longest - duration
    if !isFull { steps.append(step) }
  }
}
