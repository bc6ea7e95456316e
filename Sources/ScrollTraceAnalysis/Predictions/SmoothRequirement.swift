public import ScrollTraceModel

/// What it would take to have no hitch at a refresh rate (M-17).
public struct SmoothRequirement: Hashable, Sendable {
  /// How cheap one category would have to be.
  public struct Part: Hashable, Sendable {
    /// The work.
    public let work: WorkName
    /// The most percent of its time that it may take where all else stays; `nil` where that does not
    /// suffice.
    public let percent: Int?
  }

  /// The refresh interval.
  public let interval: TimeSpan
  /// What would come of that rate if nothing else changed.
  public let unchanged: Prediction
  /// The categories of the work inside commits, most time first.
  public let parts: [Part]
  /// The most percent that all of them together may take; `nil` where no price is low enough: the
  /// hitches come from something else.
  public let percentOfAll: Int?
}

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

  /// What is predicted of `surface`.
  ///
  /// - Parameters:
  ///   - changes: The changes to try, all of a part together; `nil` for all that would alter
  ///     something.
  ///   - intervals: The refresh intervals at which it is to be smooth.
  public init(
    of surface: SurfaceAnalysis, in analysis: Analysis, changes: [[Change]]? = nil,
    intervals: [TimeSpan] = []
  ) {
    self.surface = surface.name
    do throws(Predictor.Obstacle) {
      let predictor = try Predictor(of: analysis, surface: surface)
      obstacle = nil
      replayedHitchTime = predictor.replayedHitchTime
      if let changes {
        predictions = changes.compactMap { predictor.predict($0) }
        combinations = []
      } else {
        predictions = predictor.predictions()
        combinations = predictor.combinations(of: predictions)
      }
      requirements = intervals.compactMap { predictor.requirement(at: $0) }
    } catch {
      obstacle = error
      replayedHitchTime = nil
      (predictions, combinations, requirements) = ([], [], [])
    }
  }
}
