import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction
import ScrollTraceTestSupport
import Testing

/// What must hold of the replay of any script, whatever the policies (M-17).
@Suite struct ReplayTests {
  private static let seeds = ExtraCases.some(8, of: 0..<120)

  /// A predictor for a script that is played by any policies; `nil` where nothing could be evaluated.
  private func predictor(_ seed: Int) throws -> Predictor? {
    let run = try EngineRun(
      RandomScript.configuration(UInt64(seed)), RandomScript.script(UInt64(seed)))
    let analysis = TraceAnalyzer().analyze(try run.trace())
    guard let surface = analysis.evaluatedPrimarySurface else { return nil }
    return try Predictor(of: analysis, surface: surface)
  }

  @Test func `M-17: a prediction without a change is the recording`() async {
    await forEachCase(of: Self.seeds, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      guard let predictor = try predictor(seed) else { return }
      let prediction = try #require(predictor.predict([]))
      #expect(prediction.hitchTime == predictor.surface.hitchTime)
      #expect(prediction.hitches == predictor.surface.hitchesInMotion)
      #expect(prediction.deadlineMisses == predictor.surface.counts.deadlineMisses)
    }
  }

  @Test func `M-17: the replay of a recording without a change has the recorded hitch time`() async
  {
    await forEachCase(of: Self.seeds, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      guard let predictor = try predictor(seed) else { return }
      #expect(predictor.replayedHitchTime == predictor.surface.hitchTime)
    }
  }

  /// By about a refresh, since a frame that is ready earlier may meet a refresh that comes just before
  /// the next one of another rate.
  @Test func `M-17: work that takes no time causes no hitches, within one refresh`() async {
    await forEachCase(of: Self.seeds.prefix(ExtraCases.isThorough ? 24 : 3), oneCase)
    @Sendable func oneCase(seed: Int) throws {
      guard let predictor = try predictor(seed) else { return }
      let refresh = predictor.surface.refreshIntervals.map(\.refreshInterval).max() ?? .zero
      let categories = Set(
        predictor.surface.causes.compactMap { cause -> String? in
          guard case .work(let category, _) = cause.kind else { return nil }
          return category
        })
      for category in categories.sorted() {
        let free = try #require(
          predictor.predict([.speedup(WorkName(category: category), percent: 0)]))
        // Data that takes no time moves the work on cells into frames that had none.
        withKnownIssue(isIntermittent: true) {
          #expect(free.removed * 4 + refresh * 5 >= .zero, "\(category)")
        } when: {
          seed == 3 && category == "scrolltrace.data"
        }
      }
    }
  }
}
