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
        weightsBelow: [0.750, 0.084, 0.480, 0, 0.090, 0, 0.015, 0, 0, 0.035, 0.239, 0.063],
        weightsAbove: [0, 0.012, 0, 0.525, 0, 0.081, 0.031, 0, 0, 0.024, 0.093, 0.063],
        possible: 0.08, certain: 1.80, limit: 1.972, hitRate: 0.945)
    case .prepareOneAhead:
      PredictionCalibration(
        weightsBelow: [0.757, 0.145, 0.161, 0, 0, 0, 0.018, 0, 0, 0.118, 0.059, 0.048],
        weightsAbove: [0, 0, 0, 0.409, 0.046, 0.058, 0, 0, 0, 0.075, 0.263, 0.048],
        possible: 0.20, certain: 2.44, limit: 2.371, hitRate: 0.917)
    case .decodeInBackground:
      PredictionCalibration(
        weightsBelow: [1.587, 0.012, 0.579, 0, 0.030, 0.175, 0.094, 0, 0.260, 0, 0, 0.056],
        weightsAbove: [0, 0, 0, 1.171, 0.017, 0.020, 0.046, 0.218, 0, 0, 0, 0.056],
        possible: 0.21, certain: 1.82, limit: 1.191, hitRate: 0.948)
    case .loadInBackground:
      PredictionCalibration(
        weightsBelow: [0, 0.086, 0, 0.884, 0.092, 0.064, 0.213, 0, 0, 0, 0.107, 0.052],
        weightsAbove: [1.317, 0.096, 0.159, 0.926, 0.041, 0.027, 0, 0.337, 0.209, 0, 0.042, 0.052],
        possible: 0.21, certain: 2.18, limit: 1.562, hitRate: 0.920)
    case .reuseCells:
      PredictionCalibration(
        weightsBelow: [0, 0.371, 1.500, 0, 0.376, 0, 0.024, 0, 0.202, 0, 0.132, 0.061],
        weightsAbove: [0, 0.001, 0, 1.285, 0.009, 0, 0, 0.145, 0.170, 0, 0, 0.061],
        possible: 0.12, certain: 4.14, limit: 1.839, hitRate: 0.926)
    case .reconfigureItems:
      PredictionCalibration(
        weightsBelow: [0.047, 0.079, 1.092, 0, 0.057, 0, 0.011, 0.464, 0.232, 0, 0, 0.047],
        weightsAbove: [0.266, 0.134, 0, 0.293, 0.002, 0, 0.007, 0, 0.036, 0, 0.026, 0.047],
        possible: 0.24, certain: 1.94, limit: 1.725, hitRate: 0.935)
    case .applyDifferences:
      PredictionCalibration(
        weightsBelow: [0.309, 0.478, 0, 0, 0.063, 0.539, 0, 0, 0, 0.151, 0.085, 0.051],
        weightsAbove: [0, 0.070, 0, 0, 0, 0.102, 0, 0.307, 0, 0, 0, 0.051],
        possible: 0.16, certain: 2.04, limit: 1.657, hitRate: 0.943)
    case .speedup:
      PredictionCalibration(
        weightsBelow: [0.874, 0.004, 0, 0, 0.095, 0.010, 0.013, 0.119, 0, 0, 0.037, 0.055],
        weightsAbove: [1.625, 0, 0, 0, 0.144, 0.021, 0, 0.459, 0.055, 0.012, 0, 0.055],
        possible: 0.16, certain: 2.20, limit: 1.652, hitRate: 0.942)
    case .refreshRate:
      PredictionCalibration(
        weightsBelow: [1.220, 0.070, 1.077, 0, 0.006, 0, 0.051, 0.113, 0.267, 0, 0.053, 0.051],
        weightsAbove: [0.825, 0.192, 0, 0.771, 0.033, 0, 0.019, 0.256, 0.158, 0, 0, 0.051],
        possible: 0.20, certain: 2.02, limit: 2.145, hitRate: 0.915)
    }
  }
}
