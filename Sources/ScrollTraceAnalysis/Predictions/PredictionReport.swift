public import ScrollTraceModel

/// Everything that is predicted of one surface.
public struct PredictionReport: Sendable {
  /// The surface's name.
  public let surface: String
  /// Why nothing could be predicted; `nil` where it could.
  public let obstacle: Predictor.Obstacle?
  /// The hitch time that the replay of the unchanged recording has; `nil` with an obstacle.
  public let replayedHitchTime: TimeSpan?
  /// What would come of each change alone, ranked by the hitch time that it removes.
  public let predictions: [Prediction]
  /// What would come of two changes together, ranked.
  public let combinations: [Prediction]
  /// What it would take to be smooth, one for each rate that was asked for.
  public let requirements: [SmoothRequirement]

  /// What is predicted of the leading surface of `analysis`.
  ///
  /// - Parameters:
  ///   - changes: The changes to try, all of a part together; `nil` for all that would alter
  ///     something.
  ///   - intervals: The refresh intervals at which it is to be smooth; `nil` for the one that was
  ///     recorded, where there are hitches, and that of 120 Hz.
  public init(
    of analysis: Analysis, changes: [[Change]]? = nil, intervals: [TimeSpan]? = nil
  ) {
    surface = analysis.leadingSurface?.name ?? ""
    do throws(Predictor.Obstacle) {
      guard let surface = analysis.leadingSurface else { throw .notJudged }
      let predictor = try Predictor(of: analysis, surface: surface)
      obstacle = nil
      replayedHitchTime = predictor.replayedHitchTime
      if let changes {
        predictions = changes.compactMap { predictor.predict($0) }
        combinations = []
      } else {
        // What a report advises is predicted here too, so that both say the same.
        var advised: [Change] = []
        for change in analysis.findings.compactMap({ $0.change(for: surface) })
        where !advised.contains(change) {
          advised.append(change)
        }
        predictions = predictor.predictions(advised: advised)
        combinations = predictor.combinations(of: predictions)
      }
      requirements = (intervals ?? Self.usualIntervals(of: surface)).compactMap {
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
    let recorded = surface.hitchTime == .zero ? [] : surface.interval.map { [$0] } ?? []
    return (surface.interval ?? fast) * 10 > fast * 11 ? recorded + [fast] : recorded
  }
}
