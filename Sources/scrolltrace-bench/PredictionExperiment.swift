internal import ReferenceListEngine
internal import ScrollTraceKit
internal import ScrollTraceRecorder

/// Compares predictions with the same script played again: `scrolltrace-bench predict`.
struct PredictionExperiment {
  /// One prediction and the real result.
  struct Trial {
    /// The hitch time of the first engine.
    var recorded: TimeSpan
    /// The hitch time in the replay of the recording.
    var replayed: TimeSpan
    /// The predicted hitch time of the second engine.
    var predicted: TimeSpan
    /// The hitch time of the second engine.
    var real: TimeSpan
    /// The refresh interval of the second engine.
    var refresh: TimeSpan

    /// The error of the prediction.
    var error: TimeSpan { (predicted - real).magnitude }
    /// The maximum allowed error (M-17).
    var bound: TimeSpan { max(TimeSpan(nanoseconds: recorded.nanoseconds / 10), refresh) }
    /// A Boolean value indicating whether the error is within its bound.
    var isWithin: Bool { error <= bound }
  }

  /// The compared engines.
  let pair: PredictionPair
  /// The duration of each script.
  var length: Nanoseconds = 8_000_000_000

  /// Plays the script `seed` on both engines in virtual time.
  func trial(seed: UInt64) throws -> Trial {
    let script = pair.script(seed: seed, length: length)
    let before = try Self.analysis(of: pair.before(seed: seed), script, on: VirtualClock())
    let after = try Self.analysis(of: pair.after(seed: seed), script, on: VirtualClock())
    return try trial(before, after)
  }

  /// Compares the prediction from one recording with another recording.
  func trial(_ before: Analysis, _ after: Analysis) throws -> Trial {
    guard let surface = before.evaluatedPrimarySurface, let recorded = surface.hitchTime,
      let real = after.evaluatedPrimarySurface?.hitchTime,
      let refresh = after.primarySurface?.refreshInterval
    else { throw BenchError.noData }
    let predictor = try Predictor(of: before, surface: surface)
    guard let prediction = predictor.predict(pair.changes) else { throw BenchError.noData }
    return Trial(
      recorded: recorded, replayed: predictor.replayedHitchTime,
      predicted: prediction.hitchTime, real: real, refresh: refresh)
  }

  /// Returns the analysis of a script on an engine.
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

/// The reason a benchmark cannot measure.
enum BenchError: Error {
  /// A recording contains nothing to evaluate.
  case noData
}
