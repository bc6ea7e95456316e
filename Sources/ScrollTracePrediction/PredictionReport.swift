package import ScrollTraceAnalysis
package import ScrollTraceModel

/// All predictions for one surface.
package struct PredictionReport: Sendable {
  /// The analysis with ranked findings.
  package let ranking: PredictionRanking
  /// The surface's name.
  package let surface: String
  /// The reason nothing can be predicted, or `nil` if predictions are possible.
  package let error: PredictionError?
  /// The hitch time of the replay without changes, or `nil` if there is an error.
  package let replayedHitchTime: TimeSpan?
  /// The predictions for single changes, ranked by the hitch time they remove.
  package let predictions: [Prediction]
  /// The predictions for pairs of changes, ranked.
  package let combinations: [Prediction]
  /// The speedups required for zero hitch time, one for each rate.
  package let requiredSpeedups: [RequiredSpeedup]

  /// Predicts the effect of changes on the primary surface of `analysis`.
  ///
  /// - Parameters:
  ///   - changes: Groups of changes to predict together; `nil` for each change that has an effect.
  ///   - refreshIntervals: The refresh intervals of required speedups; `nil` for the recorded one, if
  ///     there are hitches, and that of 120 Hz.
  package init(
    of analysis: Analysis, changes: [[ProposedChange]]? = nil, refreshIntervals: [TimeSpan]? = nil
  ) {
    surface = analysis.evaluatedPrimarySurface?.name ?? ""
    do throws(PredictionError) {
      guard let surface = analysis.evaluatedPrimarySurface else { throw .notEvaluated }
      let predictor = try Predictor(of: analysis, surface: surface)
      ranking = PredictionRanking(of: analysis, with: predictor)
      error = nil
      replayedHitchTime = predictor.replayedHitchTime
      if let changes {
        predictions = changes.compactMap { predictor.predictRange($0) }
        combinations = []
      } else {
        // Changes that findings propose are predicted here too, so that both reports agree.
        var proposed: [ProposedChange] = []
        for change in ranking.analysis.findings.compactMap({ $0.change(for: surface) })
        where !proposed.contains(change) {
          proposed.append(change)
        }
        predictions = predictor.predictions(proposed: proposed)
        combinations = predictor.combinations(of: predictions)
      }
      requiredSpeedups = (refreshIntervals ?? Self.usualIntervals(of: surface)).compactMap {
        predictor.requiredSpeedup(at: $0)
      }
    } catch {
      ranking = PredictionRanking(unranked: analysis)
      self.error = error
      replayedHitchTime = nil
      (predictions, combinations, requiredSpeedups) = ([], [], [])
    }
  }

  private static func usualIntervals(of surface: SurfaceAnalysis) -> [TimeSpan] {
    let fast = TimeSpan(nanoseconds: 8_333_333)
    let recorded = surface.hitchTime == .zero ? [] : surface.refreshInterval.map { [$0] } ?? []
    return (surface.refreshInterval ?? fast) * 10 > fast * 11 ? recorded + [fast] : recorded
  }
}
