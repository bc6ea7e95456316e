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
        weightsBelow: [1.096, 0.658, 0.181, 0, 0.116, 0, 0.150, 0, 0],
        weightsAbove: [0.683, 0.037, 0, 0.301, 0, 0.096, 0, 0, 0.294],
        possible: 0.22, certain: 2.20, limit: 3.106, hitRate: 0.907)
    case .prepareOneAhead:
      PredictionCalibration(
        weightsBelow: [3.329, 0.769, 0, 0, 0.136, 0.045, 0.056, 0, 0.158],
        weightsAbove: [0.194, 0.112, 0, 0.282, 0.029, 0.038, 0.076, 0, 0.461],
        possible: 0.22, certain: 1.90, limit: 4.905, hitRate: 0.938)
    case .decodeInBackground:
      PredictionCalibration(
        weightsBelow: [1.849, 0, 0.341, 0, 0.053, 0.081, 0, 0, 0],
        weightsAbove: [0, 0, 0, 0, 0, 0.554, 0, 0.204, 0.122],
        possible: 0.26, certain: 1.70, limit: 1.777, hitRate: 0.935)
    case .loadInBackground:
      PredictionCalibration(
        weightsBelow: [0.750, 0.021, 0.126, 0, 0.240, 0.125, 0, 0.124, 0],
        weightsAbove: [0.231, 0, 0, 0, 0, 0.227, 0.097, 0.316, 0.043],
        possible: 0.18, certain: 1.90, limit: 1.984, hitRate: 0.924)
    case .reuseCells:
      PredictionCalibration(
        weightsBelow: [0.337, 0.405, 0.710, 0, 0.235, 0, 0.278, 0, 0],
        weightsAbove: [0, 0, 0, 0, 0, 0.744, 0, 0, 0],
        possible: 0.16, certain: 1.30, limit: 3.316, hitRate: 0.942)
    case .reconfigureItems:
      PredictionCalibration(
        weightsBelow: [0.244, 0.034, 0, 0, 0.125, 0, 0, 0.298, 0],
        weightsAbove: [0, 0, 1.254, 0.907, 0.041, 0.088, 0, 0.079, 0],
        possible: 0.38, certain: 2.40, limit: 2.073, hitRate: 0.921)
    case .applyDifferences:
      PredictionCalibration(
        weightsBelow: [0.370, 0.013, 0, 0, 0.057, 0.323, 0, 0, 0.200],
        weightsAbove: [0, 0, 0, 0, 0, 0.492, 0, 0.121, 0],
        possible: 0.26, certain: 2.00, limit: 1.650, hitRate: 0.894)
    case .speedup:
      PredictionCalibration(
        weightsBelow: [0.838, 0.018, 0, 0, 0.146, 0.015, 0, 0.035, 0],
        weightsAbove: [0.990, 0, 0, 0, 0.130, 0.045, 0, 0.481, 0],
        possible: 0.10, certain: 2.80, limit: 1.385, hitRate: 0.938)
    case .refreshRate:
      PredictionCalibration(
        weightsBelow: [1.482, 0.080, 2.379, 0, 0.015, 0.036, 0, 0.134, 0.076],
        weightsAbove: [1.007, 0.133, 0, 0.624, 0.054, 0, 0.086, 0.770, 0],
        possible: 0.20, certain: 2.10, limit: 2.417, hitRate: 0.910)
    }
  }
}
