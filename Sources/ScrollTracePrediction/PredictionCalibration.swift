/// The range of a kind of prediction, as the study measured it: the one place of these numbers.
///
/// The weights, factors and limits were fitted to sessions of seeds below 4 000 000; the hit rates are those
/// of other sessions: `scrolltrace-bench predict --study 4500` prints the table that is in Metrics.md.
struct PredictionCalibration {
  /// What the width of a range depends on, in nanoseconds.
  struct Evidence {
    /// A refresh interval.
    var refresh: Double
    /// How far replays are apart in which all work takes 7 % less and more.
    var work: Double
    /// How far below and above the replay others are that differ in what the recording does not say of
    /// the host.
    var hostBelow: Double
    var hostAbove: Double
    /// The predicted removal, without its sign.
    var removed: Double
    /// The hitch time that remains.
    var remaining: Double
    /// The time of giving new content to existing cells.
    var content: Double
    /// The tolerance if the recorded list prepares cells ahead, otherwise zero.
    var preparesAhead: Double
    /// The tolerance if it prepares them in spare time, otherwise zero.
    var preparesWhenIdle: Double
    /// The tolerance if cells size themselves, otherwise zero.
    var sizesCells: Double
    /// The tolerance if the scroll changes its direction, otherwise zero.
    var turns: Double
    /// A quarter of the recorded hitch time, or two refreshes if that is more.
    var tolerance: Double

    var all: [Double] {
      [
        refresh, work, hostBelow, hostAbove, removed, remaining, content, preparesAhead,
        preparesWhenIdle, sizesCells, turns, tolerance,
      ]
    }
  }

  /// How far the likely range reaches below and above the replay: the weight of each part of the
  /// evidence, in its order.
  private var weightsBelow: [Double]
  private var weightsAbove: [Double]
  /// The distances of the possible and the certain range, in those of the likely one.
  var possible: Double
  var certain: Double
  /// The largest width of a likely range with a prediction, in tolerances, before it is rounded.
  var limit: Double
  /// The share of pairs in the likely range, of those that were predicted.
  var hitRate: Double

  /// Returns how far the likely range reaches below and above the replay, in nanoseconds.
  func distances(_ evidence: Evidence) -> (below: Double, above: Double) {
    func sum(_ weights: [Double]) -> Double {
      zip(weights, evidence.all).reduce(0) { $0 + $1.0 * $1.1 }
    }
    return (sum(weightsBelow), sum(weightsAbove))
  }

  /// Returns the calibration of a kind.
  static func of(_ kind: PredictionKind) -> PredictionCalibration {
    switch kind {
    case .prepareWhenIdle:
      PredictionCalibration(
        weightsBelow: [1.000, 0.168, 0.278, 0, 0.061, 0, 0.027, 0, 0, 0.296, 0.021, 0.062],
        weightsAbove: [0, 0, 0, 0.429, 0, 0.069, 0.007, 0, 0, 0, 0.237, 0.062],
        possible: 0.11, certain: 1.90, limit: 1.777, hitRate: 0.921)
    case .prepareOneAhead:
      PredictionCalibration(
        weightsBelow: [0.942, 0.283, 0.085, 0, 0, 0, 0.058, 0, 0, 0.233, 0.170, 0.049],
        weightsAbove: [0.412, 0.032, 0, 0.357, 0.033, 0.037, 0, 0, 0, 0, 0.336, 0.049],
        possible: 0.21, certain: 2.36, limit: 2.468, hitRate: 0.928)
    case .decodeInBackground:
      PredictionCalibration(
        weightsBelow: [1.521, 0.016, 1.287, 0, 0.033, 0.132, 0, 0.087, 0.141, 0, 0, 0.053],
        weightsAbove: [0, 0, 0, 0, 0.020, 0.076, 0, 0.204, 0, 0.048, 0, 0.053],
        possible: 0.24, certain: 2.14, limit: 1.120, hitRate: 0.932)
    case .loadInBackground:
      PredictionCalibration(
        weightsBelow: [0, 0.232, 0.109, 0, 0, 0.103, 0.150, 0, 0, 0.148, 0, 0.056],
        weightsAbove: [1.287, 0.003, 0.299, 0.107, 0.019, 0.052, 0, 0.267, 0.198, 0, 0.067, 0.056],
        possible: 0.21, certain: 1.96, limit: 1.571, hitRate: 0.919)
    case .reuseCells:
      PredictionCalibration(
        weightsBelow: [0, 0.365, 1.405, 0, 0.273, 0, 0.024, 0, 0.306, 0, 0, 0.053],
        weightsAbove: [0, 0, 0, 0.177, 0, 0.083, 0, 0.436, 0, 0.012, 0, 0.053],
        possible: 0.15, certain: 4.70, limit: 1.716, hitRate: 0.914)
    case .reconfigureItems:
      PredictionCalibration(
        weightsBelow: [0, 0.078, 0.946, 0, 0.024, 0, 0.060, 0.128, 0.141, 0, 0, 0.042],
        weightsAbove: [0.345, 0.022, 0, 1.117, 0, 0, 0, 0.088, 0.081, 0, 0, 0.042],
        possible: 0.34, certain: 2.82, limit: 2.443, hitRate: 0.954)
    case .applyDifferences:
      PredictionCalibration(
        weightsBelow: [0.389, 0.377, 0, 0, 0.087, 0.153, 0, 0.078, 0.067, 0.115, 0, 0.041],
        weightsAbove: [0, 0, 0, 0, 0, 0.496, 0, 0.025, 0, 0, 0, 0.041],
        possible: 0.22, certain: 1.64, limit: 1.552, hitRate: 0.943)
    case .speedup:
      PredictionCalibration(
        weightsBelow: [0.690, 0, 0, 0, 0.159, 0.012, 0.002, 0.072, 0.012, 0, 0, 0.054],
        weightsAbove: [1.393, 0.026, 0, 0, 0.119, 0.059, 0.015, 0.029, 0.400, 0, 0, 0.054],
        possible: 0.19, certain: 2.46, limit: 1.470, hitRate: 0.904)
    case .refreshRate:
      PredictionCalibration(
        weightsBelow: [1.666, 0.081, 4.656, 0, 0.008, 0, 0.030, 0.136, 0, 0.002, 0, 0.051],
        weightsAbove: [0.896, 0.028, 0, 1.097, 0.089, 0, 0.017, 0.332, 0.086, 0, 0.075, 0.051],
        possible: 0.25, certain: 2.30, limit: 2.108, hitRate: 0.933)
    }
  }
}
