import ReferenceListEngine
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceRecorder

/// A script played on virtual time, recorded into memory.
struct EngineRun {
  /// What the engine counted.
  let counters: EngineCounters
  /// The recording.
  let bytes: [UInt8]
  /// The engine at the end.
  let engine: ListEngine

  /// Plays `script` on an engine made of `configuration`.
  init(
    _ configuration: EngineConfiguration, _ script: ScrollScript,
    afterEachFrame: (ListEngine) -> Void = { _ in }
  ) throws {
    let clock = VirtualClock()
    let recorder = try TraceRecorder(to: .memory, options: .virtual(clock.recorderClock))
    engine = ListEngine(configuration, clock: clock, recorder: recorder)
    engine.run(script, afterEachFrame: afterEachFrame)
    try recorder.finish()
    counters = engine.counters
    bytes = recorder.recordedBytes ?? []
  }

  /// The recording as a trace, read like any file.
  func trace() throws -> Trace { try TraceFile.read(bytes) }
}
