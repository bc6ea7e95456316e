import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

@testable import scrolltrace_bench

/// M-17: what is predicted from one recording, held against the same session played again.
@Suite struct PredictionTests {
  /// The sessions that each pair plays: half of the benchmark's if everything is to be tried.
  static let seeds: [UInt64] = ExtraCases.isThorough ? [1, 3, 5, 7] : [1]

  /// The pairs whose second engine has other pictures at rest than the first: one that comes less than a
  /// refresh before a movement makes the wait for the movement's first picture a hitch (M-3, the head),
  /// and when data comes at rest is not foretold.
  private static let depending: Set<String> = [
    "cells on demand -> in spare time", "cells on demand -> one ahead",
    "images main -> background",
  ]

  @Test func `M-17: the prediction is within 10%, or one refresh, of the real outcome`() async {
    let pairs = PredictionPair.all.filter { $0.failingAssumption == nil }
    await forEachCase(of: ExtraCases.some(5, of: pairs), oneCase)
    @Sendable func oneCase(pair: PredictionPair) throws {
      for seed in Self.seeds {
        let trial = try PredictionExperiment(pair: pair).trial(seed: seed)
        #expect(trial.recorded > .zero)
        // The replay of what was recorded has its hitch time, to the nanosecond.
        #expect(trial.replayed == trial.recorded)
        guard Self.depending.contains(pair.name) else {
          #expect(trial.isWithin, "seed \(seed): \(trial)")
          continue
        }
        withKnownIssue("the replay keeps the pictures at rest as they were", isIntermittent: true) {
          #expect(trial.isWithin, "seed \(seed): \(trial)")
        }
      }
    }
  }

  @Test func `an inaccurate assumption errs on the safe side`() throws {
    let failing = PredictionPair.all.filter { $0.failingAssumption != nil }
    #expect(failing.count <= 1)
    for pair in failing {
      for seed in Self.seeds {
        let trial = try PredictionExperiment(pair: pair).trial(seed: seed)
        #expect(trial.replayed == trial.recorded)
        #expect(trial.predicted >= trial.real && trial.predicted < trial.recorded)
      }
    }
  }

  @Test func `S-9: the first run of the panel predicts the hitch time of the others`() throws {
    let first = try Self.analysis(of: "panel-1-on-demand")
    let surface = try #require(first.evaluatedPrimarySurface)
    let predictor = try Predictor(of: first, surface: surface)
    for (name, changes) in [
      ("panel-2-spare-time", [ProposedChange.prepareWhenIdle]),
      ("panel-3-background", [.prepareWhenIdle, .loadInBackground]),
    ] {
      let real = try #require(Self.analysis(of: name).evaluatedPrimarySurface?.hitchTime)
      #expect(predictor.predict(changes)?.hitchTime == real)
    }
    #expect(predictor.predict([])?.removed == .zero)
  }

  @Test func `work that meets 60 Hz but not 120 Hz is reported with its required speedup`()
    throws
  {
    let pair = try #require(PredictionPair.all.first { $0.name == "60 Hz -> 120 Hz" })
    // Nothing that is made cheaper takes away a picture that comes right before a movement: the session
    // is the first without one.
    var found: (predictor: Predictor, requirement: RequiredSpeedup)?
    for seed in UInt64(1)...12 where found == nil {
      let analysis = try PredictionExperiment.analysis(
        of: pair.before(seed: seed), pair.script(seed: seed, length: 4_000_000_000),
        on: VirtualClock())
      let surface = try #require(analysis.evaluatedPrimarySurface)
      let predictor = try Predictor(of: analysis, surface: surface)
      let requirement = try #require(
        predictor.requiredSpeedup(at: TimeSpan(nanoseconds: 8_333_333)))
      if requirement.percentOfAll != nil { found = (predictor, requirement) }
    }
    let (predictor, requirement) = try #require(found)
    #expect(requirement.unchanged.hitchTime > .zero)
    let percent = try #require(requirement.percentOfAll)
    let works = requirement.parts.map(\.work)
    #expect(percent > 0 && percent < 100 && !works.isEmpty)
    // At that price there is no hitch, and for a hundredth more there is.
    let rate = ProposedChange.refreshInterval(requirement.refreshInterval)
    for part in requirement.parts {
      guard let percent = part.percent, percent < 100 else { continue }
      #expect(
        predictor.predict([rate, .speedup(part.work, percent: percent)])?.hitchTime == .zero)
      let more = predictor.predict([rate, .speedup(part.work, percent: percent + 1)])
      #expect(more.map { $0.hitchTime > .zero } == true)
    }
  }

  @Test func `changes are ranked by removed hitch time, and two remove more than either alone`()
    throws
  {
    let pair = try #require(
      PredictionPair.all.first { $0.name == "cells in spare time, data ahead" })
    let analysis = try PredictionExperiment.analysis(
      of: pair.before(seed: 2), pair.script(seed: 2, length: 4_000_000_000), on: VirtualClock())
    let report = PredictionReport(of: analysis)
    #expect(report.error == nil && !report.predictions.isEmpty)
    let removed = report.predictions.map(\.removed)
    #expect(removed == removed.sorted(by: >))
    for both in report.combinations {
      let single = report.predictions.filter { both.changes.contains($0.changes[0]) }
      #expect(single.count == 2 && single.allSatisfy { $0.removed < both.removed })
    }
  }

  private static func analysis(of sample: String) throws -> Analysis {
    let trace = try #require(SampleTraces.all.first { $0.name == sample })
    return try TraceAnalyzer().analyze(EngineRun(trace.configuration, trace.script).trace())
  }
}

extension PredictionPair: CustomTestStringConvertible {
  /// The pair's name.
  public var testDescription: String { name }
}
