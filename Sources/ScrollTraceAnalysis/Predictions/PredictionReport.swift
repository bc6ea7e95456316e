package import ScrollTraceModel

/// Everything that is predicted of one surface.
package struct PredictionReport: Sendable {
  /// The surface's name.
  package let surface: String
  /// Why nothing could be predicted; `nil` where it could.
  package let obstacle: Predictor.PredictionError?
  /// The hitch time that the replay of the unchanged recording has; `nil` with an obstacle.
  package let replayedHitchTime: TimeSpan?
  /// What would come of each change alone, ranked by the hitch time that it removes.
  package let predictions: [Prediction]
  /// What would come of two changes together, ranked.
  package let combinations: [Prediction]
  /// What it would take to be smooth, one for each rate that was asked for.
  package let requirements: [RequiredSpeedup]

  /// What is predicted of the leading surface of `analysis`.
  ///
  /// - Parameters:
  ///   - changes: The changes to try, all of a part together; `nil` for all that would alter
  ///     something.
  ///   - intervals: The refresh intervals at which it is to be smooth; `nil` for the one that was
  ///     recorded, where there are hitches, and that of 120 Hz.
  package init(
    of analysis: Analysis, changes: [[ProposedChange]]? = nil, refreshIntervals: [TimeSpan]? = nil
  ) {
    surface = analysis.evaluatedPrimarySurface?.name ?? ""
    do throws(Predictor.PredictionError) {
      guard let surface = analysis.evaluatedPrimarySurface else { throw .notEvaluated }
      let predictor = try Predictor(of: analysis, surface: surface)
      obstacle = nil
      replayedHitchTime = predictor.replayedHitchTime
      if let changes {
        predictions = changes.compactMap { predictor.predict($0) }
        combinations = []
      } else {
        // What a report advises is predicted here too, so that both say the same.
        var advised: [ProposedChange] = []
        for change in analysis.findings.compactMap({ $0.change(for: surface) })
        where !advised.contains(change) {
          advised.append(change)
        }
        predictions = predictor.predictions(advised: advised)
        combinations = predictor.combinations(of: predictions)
      }
      requirements = (refreshIntervals ?? Self.usualIntervals(of: surface)).compactMap {
        predictor.requirement(at: $0)
      }
    } catch {
      obstacle = error
      replayedHitchTime = nil
      (predictions, combinations, requirements) = ([], [], [])
    }
  }

  private static func usualIntervals(of surface: SurfaceAnalysis) -> [TimeSpan] {
    let fast = TimeSpan(nanoseconds: 8_333_333)
    let recorded = surface.hitchTime == .zero ? [] : surface.refreshInterval.map { [$0] } ?? []
    return (surface.refreshInterval ?? fast) * 10 > fast * 11 ? recorded + [fast] : recorded
  }
}
