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
        weightsBelow: [0.300, 0.105, 0.374, 0, 0.055, 0, 0.066, 0, 0, 0.134, 0.136, 0.064],
        weightsAbove: [0, 0, 0, 0.366, 0, 0.080, 0.056, 0, 0, 0.055, 0.129, 0.064],
        possible: 0.07, certain: 1.96, limit: 1.892, hitRate: 0.961)
    case .prepareOneAhead:
      PredictionCalibration(
        weightsBelow: [0.606, 0.229, 0.128, 0, 0.001, 0, 0.066, 0, 0, 0.091, 0.205, 0.045],
        weightsAbove: [0.287, 0.099, 0, 0.328, 0.022, 0.012, 0.003, 0, 0, 0, 0.333, 0.045],
        possible: 0.21, certain: 2.26, limit: 2.240, hitRate: 0.901)
    case .decodeInBackground:
      PredictionCalibration(
        weightsBelow: [
          1.438, 0.050, 0.744, 0.221, 0.038, 0.168, 0.005, 0.012, 0.063, 0, 0.058, 0.050,
        ],
        weightsAbove: [0, 0, 0, 0.014, 0.006, 0.097, 0, 0.237, 0, 0.007, 0, 0.050],
        possible: 0.22, certain: 1.94, limit: 1.108, hitRate: 0.905)
    case .loadInBackground:
      PredictionCalibration(
        weightsBelow: [0, 0.118, 0.365, 0, 0.013, 0.085, 0.191, 0, 0, 0.116, 0, 0.055],
        weightsAbove: [1.512, 0.036, 0.454, 0, 0.010, 0.013, 0.041, 0.409, 0.113, 0, 0.038, 0.055],
        possible: 0.20, certain: 2.14, limit: 1.603, hitRate: 0.913)
    case .reuseCells:
      PredictionCalibration(
        weightsBelow: [0, 0.371, 1.550, 0.051, 0.258, 0, 0.034, 0, 0.070, 0, 0, 0.055],
        weightsAbove: [0, 0, 0, 0, 0, 0.100, 0, 0.504, 0, 0, 0, 0.055],
        possible: 0.14, certain: 4.40, limit: 1.646, hitRate: 0.917)
    case .reconfigureItems:
      PredictionCalibration(
        weightsBelow: [0.200, 0.078, 0.911, 0, 0.028, 0, 0.040, 0.125, 0.106, 0, 0, 0.040],
        weightsAbove: [0.033, 0.014, 0, 1.147, 0, 0, 0, 0.078, 0.011, 0, 0, 0.040],
        possible: 0.34, certain: 4.40, limit: 2.315, hitRate: 0.901)
    case .applyDifferences:
      PredictionCalibration(
        weightsBelow: [0.420, 0.839, 0, 0, 0.039, 0.150, 0, 0.018, 0, 0.058, 0.160, 0.041],
        weightsAbove: [0, 0, 0, 0, 0, 0.550, 0, 0, 0.056, 0, 0, 0.041],
        possible: 0.20, certain: 2.16, limit: 1.717, hitRate: 0.930)
    case .speedup:
      PredictionCalibration(
        weightsBelow: [0.465, 0, 0, 0, 0.140, 0.007, 0.028, 0.119, 0, 0, 0.032, 0.059],
        weightsAbove: [1.575, 0, 0, 0, 0.095, 0.028, 0.032, 0.404, 0.080, 0, 0, 0.059],
        possible: 0.15, certain: 2.18, limit: 1.569, hitRate: 0.906)
    case .refreshRate:
      PredictionCalibration(
        weightsBelow: [1.199, 0.207, 1.857, 0, 0, 0, 0.030, 0.022, 0.339, 0.045, 0, 0.056],
        weightsAbove: [0.306, 0.105, 0.717, 1.566, 0.051, 0, 0.021, 0.219, 0.341, 0, 0.076, 0.056],
        possible: 0.20, certain: 2.40, limit: 2.176, hitRate: 0.919)
    }
  }
}
