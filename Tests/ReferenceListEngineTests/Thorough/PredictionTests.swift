import Foundation
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
  static let seeds: [UInt64] = ExtraCases.isThorough ? [1, 3] : [1]

  @Test func `M-17: what really comes lies in the certain range, or nothing is promised`() async {
    await forEachCase(of: ExtraCases.some(2, of: PredictionPair.all), oneCase)
    @Sendable func oneCase(pair: PredictionPair) throws {
      for seed in Self.seeds {
        let trial = try PredictionExperiment(pair: pair).trial(seed: seed)
        #expect(trial.recorded > .zero)
        // The replay of what was recorded has its hitch time, to the nanosecond.
        #expect(trial.replayed == trial.recorded)
        guard let ranges = trial.ranges else { continue }
        #expect(ranges.certain.contains(trial.recorded - trial.real), "seed \(seed): \(trial)")
      }
    }
  }

  @Test func `M-17: the ranges are nested, and none removes more than was recorded`() throws {
    for pair in ExtraCases.some(3, of: PredictionPair.all) {
      let trial = try PredictionExperiment(pair: pair, length: 3_000_000_000).trial(seed: 2)
      guard let ranges = trial.ranges else { continue }
      for (inner, outer) in [
        (ranges.possible, ranges.likely), (ranges.likely, ranges.certain),
      ] {
        #expect(outer.low <= inner.low && inner.high <= outer.high)
      }
      #expect(ranges.certain.high <= trial.recorded)
      #expect((ranges.hitRate == nil) == (pair.changes.count > 1))
    }
  }

  @Test(.needsTime) func `M-17: a small study has the hit rate that is printed`() throws {
    let trials = try StudyCommand.trials(45, from: 700_000)
    let predicted = trials.filter { $0.prediction?.ranges != nil }
    let hits = predicted.count { $0.isHit == true }
    // Three standard deviations of so few below the share in the table.
    #expect(predicted.count * 100 >= trials.count * 53)
    #expect(hits * 100 >= predicted.count * 80)
    #expect(trials.count(where: \.isBrokenPromise) * 50 <= trials.count)
  }

  @Test func `the hit rates that are printed are those of the study's table`() throws {
    let page = try String(
      contentsOf: SampleTests.folder.deletingLastPathComponent().appendingPathComponent(
        "Sources/ScrollTraceAnalysis/ScrollTraceAnalysis.docc/Metrics.md"), encoding: .utf8)
    for kind in PredictionKind.allCases {
      let row = try #require(
        page.split(separator: "\n").first {
          $0.hasPrefix("| `\(kind.rawValue)` |") && $0.split(separator: "|").count == 8
        })
      let share = row.split(separator: "|")[4].trimmingCharacters(in: .whitespaces)
      let printed = kind.hitRate
      #expect(Double(share.dropLast()).map { abs($0 / 100 - printed) < 0.000_6 } == true)
    }
  }

  @Test func `S-9: the first run of the panel foretells what the others come to`() throws {
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

  @Test func `what fits at 60 Hz and not at 120 Hz is said, and how cheap it would have to be`()
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

  @Test func `changes are ranked by the hitch time that goes, and two do more than either`() throws
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
