import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceRecorder

/// An effect that talks on smooth scrolling describe, measured in the reference engine, and a case in
/// which it disappears.
struct Effect: Sendable {
  /// An engine and what is scrolled.
  struct Setup: Sendable {
    var engine: EngineConfiguration
    var script: ScrollScript
  }

  /// What an engine did with a script.
  struct Outcome {
    let counters: EngineCounters
    let analysis: Analysis

    var surface: SurfaceAnalysis? { analysis.evaluatedPrimarySurface }
  }

  /// A number that shows the effect.
  struct Measure: Sendable {
    let name: String
    let value: @Sendable (Outcome) -> Double
  }

  /// What the claim says of the number after the change.
  enum Direction: Sendable { case falls, rises }

  let row: String
  let claim: String
  let measure: Measure
  let direction: Direction
  /// How the number has to change for the effect to be there, as a factor.
  var factor = 1.3
  /// Makes a case in which the effect shows.
  let base: @Sendable (inout Setup) -> Void
  /// What the claim is about.
  let change: @Sendable (inout Setup) -> Void
  /// When the effect disappears.
  let limit: String
  /// Makes such a case.
  let limitBase: @Sendable (inout Setup) -> Void

  /// The number before and after the change, in the case in which the effect shows, and in the other.
  struct Result {
    let shown: (before: Double, after: Double)
    let gone: (before: Double, after: Double)
  }

  /// Plays two sessions with each engine, and adds the numbers up.
  func result() throws -> Result {
    func values(_ prepare: (inout Setup) -> Void) throws -> (Double, Double) {
      var (before, after) = (0.0, 0.0)
      for seed in UInt64(1)...2 {
        var setup = Setup(
          engine: EngineConfiguration(
            content: ListContent(feedOf: 1_000, seed: seed, percentOfPhotos: 0)),
          script: .reading(for: 4_000_000_000, seed: seed))
        // Texts are on the machine; photos are downloaded.
        setup.engine.costs.readData = 1_000
        base(&setup)
        prepare(&setup)
        before += try measure.value(Self.play(setup))
        change(&setup)
        after += try measure.value(Self.play(setup))
      }
      return (before / 2, after / 2)
    }
    return Result(shown: try values { _ in }, gone: try values(limitBase))
  }

  /// Whether the number changed as the claim says.
  func isClaimed(_ values: (before: Double, after: Double)) -> Bool {
    switch direction {
    case .falls: values.before > 0 && values.after * factor <= values.before
    case .rises: values.after > 0 && values.before * factor <= values.after
    }
  }

  /// The effect as a row of a table in Markdown.
  func tableRow(_ result: Result) -> String {
    func text(_ values: (before: Double, after: Double)) -> String {
      "\(Self.number(values.before)) → \(Self.number(values.after))"
    }
    return "| *\(row)* | \(claim) | \(measure.name): \(text(result.shown)) | \(limit): "
      + "\(text(result.gone)) |"
  }

  /// A number with three digits at least.
  private static func number(_ value: Double) -> String {
    guard abs(value) < 100 else { return "\(Int(value.rounded()))" }
    let tenths = Int((abs(value) * 10).rounded())
    let text = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return value < 0 && tenths > 0 ? "-\(text)" : text
  }

  private static func play(_ setup: Setup) throws -> Outcome {
    let clock = VirtualClock()
    let recorder = try TraceRecorder(to: .memory, options: .virtual(clock.recorderClock))
    let engine = ListEngine(setup.engine, clock: clock, recorder: recorder)
    engine.run(setup.script)
    try recorder.finish()
    let trace = try TraceFile.read(MemoryByteSource(recorder.recordedBytes ?? []))
    return Outcome(counters: engine.counters, analysis: TraceAnalyzer().analyze(trace))
  }
}

extension Effect.Measure {
  private static func milliseconds(_ time: TimeSpan?) -> Double {
    Double((time ?? .zero).nanoseconds) / 1_000_000
  }

  static let hitchTime = Effect.Measure(name: "hitch time in ms") {
    milliseconds($0.surface?.hitchTime)
  }
  static let misses = Effect.Measure(name: "late commits") { Double($0.counters.deadlineMisses) }
  static let longestCommit = Effect.Measure(name: "longest commit in ms") {
    milliseconds($0.surface?.commit?.max)
  }
  static let peak = Effect.Measure(name: "longest commit in medians") {
    milliseconds($0.surface?.commit?.max) / max(0.001, milliseconds($0.surface?.commit?.p50))
  }
  static let reuse = Effect.Measure(name: "cells created per 100 prepared") {
    100 * Double($0.counters.cellsCreated) / Double(max(1, $0.counters.cellsPrepared))
  }
  static let ahead = Effect.Measure(name: "cells prepared ahead per 100") {
    100 * Double($0.counters.cellsPreparedAhead) / Double(max(1, $0.counters.cellsPrepared))
  }
  static let placeholders = Effect.Measure(name: "placeholders per 100 cells displayed") {
    100 * Double($0.counters.cellsShownAsPlaceholder) / Double(max(1, $0.counters.cellsShown))
  }
  static let backgroundBusy = Effect.Measure(name: "background work in ms") {
    Double($0.counters.backgroundBusy) / 1_000_000
  }
  static let wrong = Effect.Measure(name: "cells with another item's content") {
    Double($0.counters.staleResults)
  }
  static let headroom = Effect.Measure(name: "headroom of the 5% fullest frames in ms") {
    max(0, milliseconds($0.surface?.slackP5))
  }
  static let sizeError = Effect.Measure(name: "points of error per estimate") {
    Double($0.counters.sizeError) / 1000 / Double(max(1, $0.counters.inaccurateSizeEstimates))
  }
  static let correction = Effect.Measure(name: "repeated layouts in ms") {
    Double($0.counters.layoutCorrectionTime) / 1_000_000
  }
  static func ratio(of kind: String) -> Effect.Measure {
    Effect.Measure(name: "ratio of \(kind) in ms/s") {
      $0.surface?.interactions.filter { $0.kind == kind }
        .compactMap { $0.ratio?.millisecondsPerSecond }.max() ?? 0
    }
  }
}
