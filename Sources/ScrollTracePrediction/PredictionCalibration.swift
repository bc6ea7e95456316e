/// The range of a kind of prediction, as the study measured it: the one place of these numbers.
///
/// The weights, factors and limits were fitted to sessions of the seeds from 100 000 on; the hit rates are
/// those of other sessions: `scrolltrace-bench predict --study 1000` prints the table that is in
/// Metrics.md.
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
    /// A quarter of the recorded hitch time, or two refreshes if that is more.
    var tolerance: Double

    var all: [Double] {
      [
        refresh, work, hostBelow, hostAbove, removed, remaining, content, preparesAhead,
        preparesWhenIdle, sizesCells, tolerance,
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
  /// The largest width of a likely range with a prediction, in tolerances.
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
        weightsBelow: [0, 0.006, 0.306, 0, 0.166, 0, 0.110, 0, 0, 0.535, 0.063],
        weightsAbove: [0, 0.061, 0, 0.276, 0.005, 0.040, 0.083, 0, 0, 0.087, 0.063],
        possible: 0.09, certain: 2.16, limit: 1.975, hitRate: 0.945)
    case .prepareOneAhead:
      PredictionCalibration(
        weightsBelow: [0.524, 0.224, 0.116, 0, 0, 0, 0.119, 0, 0, 0.585, 0.042],
        weightsAbove: [0.312, 0.290, 0, 0.273, 0.063, 0.027, 0, 0, 0, 0.139, 0.042],
        possible: 0.19, certain: 2.00, limit: 2.869, hitRate: 0.936)
    case .decodeInBackground:
      PredictionCalibration(
        weightsBelow: [2.377, 0.027, 0.695, 0, 0.011, 0.219, 0.012, 0, 0.041, 0, 0.046],
        weightsAbove: [0, 0, 0, 0.290, 0.025, 0.077, 0.051, 0.220, 0, 0, 0.046],
        possible: 0.18, certain: 1.64, limit: 1.435, hitRate: 0.947)
    case .loadInBackground:
      PredictionCalibration(
        weightsBelow: [0.057, 0.041, 0, 0, 0.331, 0.062, 0, 0, 0.392, 0.144, 0.039],
        weightsAbove: [0.650, 0.029, 0.100, 0, 0, 0.117, 0, 0.288, 0, 0, 0.039],
        possible: 0.14, certain: 1.95, limit: 1.650, hitRate: 0.902)
    case .reuseCells:
      PredictionCalibration(
        weightsBelow: [0, 0.576, 1.472, 0, 0.236, 0, 0, 0, 0.493, 0, 0.048],
        weightsAbove: [0, 0, 0, 0.203, 0, 0.203, 0, 0.345, 0, 0.002, 0.048],
        possible: 0.11, certain: 2.85, limit: 2.115, hitRate: 0.930)
    case .reconfigureItems:
      PredictionCalibration(
        weightsBelow: [0, 0.021, 3.112, 0, 0.059, 0, 0, 0.384, 0.032, 0, 0.039],
        weightsAbove: [0, 0, 0, 1.158, 0, 0.003, 0.052, 0.089, 0.075, 0, 0.039],
        possible: 0.34, certain: 3.43, limit: 2.729, hitRate: 0.936)
    case .applyDifferences:
      PredictionCalibration(
        weightsBelow: [0.526, 0.189, 0, 0, 0.047, 0.155, 0, 0.086, 0.151, 0.244, 0.043],
        weightsAbove: [0, 0, 0, 0, 0, 0.309, 0, 0.179, 0, 0, 0.043],
        possible: 0.21, certain: 1.94, limit: 1.380, hitRate: 0.915)
    case .speedup:
      PredictionCalibration(
        weightsBelow: [1.274, 0.024, 0, 0, 0.090, 0.021, 0, 0.041, 0, 0, 0.047],
        weightsAbove: [1.106, 0.013, 0, 0, 0.144, 0.015, 0.028, 0.362, 0.227, 0, 0.047],
        possible: 0.06, certain: 2.04, limit: 1.733, hitRate: 0.937)
    case .refreshRate:
      PredictionCalibration(
        weightsBelow: [1.439, 0.063, 1.304, 0, 0.006, 0, 0.099, 0.132, 0.119, 0.019, 0.050],
        weightsAbove: [1.082, 0.035, 0, 1.064, 0.098, 0, 0.037, 0, 0.353, 0.110, 0.050],
        possible: 0.21, certain: 1.91, limit: 2.511, hitRate: 0.937)
    }
  }
}
