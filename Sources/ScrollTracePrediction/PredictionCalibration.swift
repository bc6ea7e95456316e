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
    /// The tolerance if cells size themselves, otherwise zero.
    var sizesCells: Double
    /// A quarter of the recorded hitch time, or two refreshes if that is more.
    var tolerance: Double

    var all: [Double] {
      [
        refresh, work, hostBelow, hostAbove, removed, remaining, content, preparesAhead, sizesCells,
        tolerance,
      ]
    }
  }

  /// How far the likely range reaches below and above the replay: the weight of each part of the
  /// evidence, in its order. The last one, of the tolerance, is fixed.
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
      zip(weights + [0.03], evidence.all).reduce(0) { $0 + $1.0 * $1.1 }
    }
    return (sum(weightsBelow), sum(weightsAbove))
  }

  /// Returns the calibration of a kind.
  static func of(_ kind: PredictionKind) -> PredictionCalibration {
    switch kind {
    case .prepareWhenIdle:
      PredictionCalibration(
        weightsBelow: [0.445, 0.213, 0.595, 0, 0.254, 0, 0.030, 0, 0],
        weightsAbove: [0.330, 0, 0, 0.571, 0.001, 0, 0.085, 0, 0.373],
        possible: 0.13, certain: 2.06, limit: 2.332, hitRate: 0.892)
    case .prepareOneAhead:
      PredictionCalibration(
        weightsBelow: [0.672, 0, 0.509, 0, 0.117, 0.175, 0.270, 0, 0.091],
        weightsAbove: [0.270, 0, 0, 0.648, 0.022, 0, 0, 0, 0.936],
        possible: 0.22, certain: 1.76, limit: 4.482, hitRate: 0.913)
    case .decodeInBackground:
      PredictionCalibration(
        weightsBelow: [0.861, 0.022, 0.773, 0, 0.079, 0.115, 0.037, 0, 0.033],
        weightsAbove: [0.527, 0, 0, 0.169, 0.019, 0.027, 0.011, 0.206, 0.025],
        possible: 0.23, certain: 1.96, limit: 0.943, hitRate: 0.916)
    case .loadInBackground:
      PredictionCalibration(
        weightsBelow: [1.665, 0, 0.909, 0, 0.183, 0.088, 0, 0.090, 0],
        weightsAbove: [0, 0.099, 0.125, 0.426, 0.027, 0.001, 0.575, 0.135, 0.005],
        possible: 0.20, certain: 1.73, limit: 2.113, hitRate: 0.952)
    case .reuseCells:
      PredictionCalibration(
        weightsBelow: [0.371, 0.283, 0.726, 0.133, 0.287, 0, 0.011, 0.057, 0],
        weightsAbove: [0, 0, 0, 0, 0, 0.343, 0, 0.079, 0],
        possible: 0.14, certain: 2.15, limit: 1.839, hitRate: 0.899)
    case .reconfigureItems:
      PredictionCalibration(
        weightsBelow: [0.447, 0.097, 0, 0, 0.099, 0, 0, 0.186, 0],
        weightsAbove: [0, 0, 0, 0.984, 0.006, 0, 0.051, 0.048, 0],
        possible: 0.42, certain: 2.49, limit: 2.095, hitRate: 0.880)
    case .applyDifferences:
      PredictionCalibration(
        weightsBelow: [0, 0, 0, 0, 0.067, 0.408, 0.075, 0.070, 0.212],
        weightsAbove: [0, 0.056, 0, 0, 0, 0.147, 0.044, 0.249, 0],
        possible: 0.22, certain: 1.83, limit: 1.373, hitRate: 0.892)
    case .speedup:
      PredictionCalibration(
        weightsBelow: [0.723, 0.050, 0, 0, 0.117, 0.017, 0, 0.092, 0],
        weightsAbove: [1.082, 0.016, 0, 0, 0.107, 0.049, 0, 0.241, 0.048],
        possible: 0.09, certain: 2.16, limit: 1.288, hitRate: 0.938)
    case .refreshRate:
      PredictionCalibration(
        weightsBelow: [1.320, 0.025, 1.111, 0, 0.026, 0.015, 0.059, 0.095, 0.133],
        weightsAbove: [1.124, 0, 0, 0.582, 0.104, 0.013, 0.039, 0.198, 0],
        possible: 0.24, certain: 1.96, limit: 1.918, hitRate: 0.926)
    }
  }
}
