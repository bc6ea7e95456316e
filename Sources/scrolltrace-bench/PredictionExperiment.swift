internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

/// Holds predictions against the same script played again: `scrolltrace-bench predict`.
struct PredictionExperiment {
  /// One prediction and what really came.
  struct Trial {
    /// The hitch time of the first engine.
    var recorded: TimeSpan
    /// The same, as the replay of the recording has it.
    var replayed: TimeSpan
    /// What was predicted for the second engine.
    var predicted: TimeSpan
    /// The hitch time of the second engine.
    var real: TimeSpan
    /// The same as ranges of removed hitch time, or `nil` if it is not predictable.
    var ranges: RemovedTimeRanges?
    /// A refresh of the second engine.
    var refresh: TimeSpan

    /// By how much the prediction was wrong.
    var error: TimeSpan { (predicted - real).magnitude }
    /// By how much it may be wrong (M-17).
    var bound: TimeSpan { max(TimeSpan(nanoseconds: recorded.nanoseconds / 10), refresh) }
    /// Whether it is within its bound.
    var isWithin: Bool { error <= bound }
  }

  /// What is compared.
  let pair: PredictionPair
  /// How long each script lasts.
  var length: Nanoseconds = 8_000_000_000

  /// Plays the script `seed` on both engines, on virtual time.
  func trial(seed: UInt64) throws -> Trial {
    let script = pair.script(seed: seed, length: length)
    let before = try Self.analysis(of: pair.before(seed: seed), script, on: VirtualClock())
    let after = try Self.analysis(of: pair.after(seed: seed), script, on: VirtualClock())
    return try trial(before, after)
  }

  /// The prediction from one recording compared with another.
  func trial(_ before: Analysis, _ after: Analysis) throws -> Trial {
    guard let surface = before.evaluatedPrimarySurface, let recorded = surface.hitchTime,
      let real = after.evaluatedPrimarySurface?.hitchTime,
      let refresh = after.primarySurface?.refreshInterval
    else { throw BenchError.noData }
    let predictor = try Predictor(of: before, surface: surface)
    guard let prediction = predictor.predictRange(pair.changes) else { throw BenchError.noData }
    return Trial(
      recorded: recorded, replayed: predictor.replayedHitchTime,
      predicted: prediction.hitchTime, real: real, ranges: prediction.ranges, refresh: refresh)
  }

  /// What came of a script on an engine.
  static func analysis(
    of configuration: EngineConfiguration, _ script: ScrollScript, on clock: any EngineClock
  ) throws -> Analysis {
    var options = RecorderOptions()
    options.clock = clock.recorderClock
    let recorder = try TraceRecorder(to: .memory, options: options)
    ListEngine(configuration, clock: clock, recorder: recorder).run(script)
    try recorder.finish()
    let trace = try TraceFile.read(MemoryByteSource(recorder.recordedBytes ?? []))
    return TraceAnalyzer().analyze(trace)
  }
}

/// What keeps a benchmark from measuring.
enum BenchError: Error {
  /// A recording holds nothing to judge.
  case noData
}
