/// The error to expect of a kind of prediction, as the study measured it: the one place of these
/// numbers.
///
/// The weights and factors were fitted to sessions of the seeds from 100 000 on; the hit rates are those
/// of other sessions: `scrolltrace-bench predict --study 1000` prints the table that is in Metrics.md.
struct PredictionCalibration {
  /// What the error depends on, in nanoseconds.
  struct Evidence {
    /// A refresh interval.
    var refresh: Double
    /// The recorded hitch time.
    var recorded: Double
    /// How far replays are apart in which all work takes 7 % less and more.
    var work: Double
    /// How far replays are apart that differ in what the recording does not say of the host.
    var host: Double
    /// The predicted removal, without its sign.
    var removed: Double
    /// The hitch time that remains.
    var remaining: Double
    /// The time of giving new content to existing cells.
    var content: Double

    var all: [Double] { [refresh, recorded, work, host, removed, remaining, content] }
  }

  /// The weight of each part of the evidence, in its order.
  var weights: [Double]
  /// The half width of the intervals, in expected errors.
  var possible: Double
  var likely: Double
  var certain: Double
  /// The largest expected error with a prediction, in parts of a quarter of the recorded hitch time or
  /// two refreshes.
  var limit: Double
  /// The share of pairs in the likely interval, of those that were predicted.
  var hitRate: Double

  /// Returns the error to expect.
  func expectedError(_ evidence: Evidence) -> Double {
    zip(weights, evidence.all).reduce(500_000) { $0 + $1.0 * $1.1 }
  }

  /// Returns the calibration of a kind.
  static func of(_ kind: PredictionKind) -> PredictionCalibration {
    switch kind {
    case .prepareWhenIdle:
      PredictionCalibration(
        weights: [0, 0, 0.2465, 0.3084, 0.1012, 0, 0],
        possible: 0.49, likely: 2.98, certain: 6.49, limit: 1.567, hitRate: 0.896)
    case .prepareOneAhead:
      PredictionCalibration(
        weights: [0.0002197, 0, 0.2321, 0.3123, 0, 0.09248, 0.04099],
        possible: 0.57, likely: 2.56, certain: 5.89, limit: 2.366, hitRate: 0.951)
    case .decodeInBackground:
      PredictionCalibration(
        weights: [0.0001919, 0.03273, 0.02212, 0.1338, 0.001538, 0.03655, 0.0007546],
        possible: 0.65, likely: 3.06, certain: 5.40, limit: 0.251, hitRate: 0.876)
    case .loadInBackground:
      PredictionCalibration(
        weights: [0.07394, 0.02885, 1.365e-05, 0.123, 0.01337, 0.06137, 3.484e-05],
        possible: 0.57, likely: 2.84, certain: 6.70, limit: 0.366, hitRate: 0.924)
    case .reuseCells:
      PredictionCalibration(
        weights: [0.0002225, 0.01806, 2.674e-05, 0, 0.1239, 0.02354, 1.177e-05],
        possible: 0.35, likely: 3.95, certain: 10.16, limit: 0.440, hitRate: 0.937)
    case .reconfigureItems:
      PredictionCalibration(
        weights: [0.1744, 1.18e-06, 0.004623, 0.2531, 0.2784, 0, 0],
        possible: 0.77, likely: 2.14, certain: 4.76, limit: 0.816, hitRate: 0.941)
    case .applyDifferences:
      PredictionCalibration(
        weights: [0.1089, 0.003005, 0.0935, 0, 0.006823, 0.2098, 5.304e-05],
        possible: 0.67, likely: 3.09, certain: 5.41, limit: 0.470, hitRate: 0.946)
    case .speedup:
      PredictionCalibration(
        weights: [0.2243, 1.394e-05, 0.00284, 0, 0.1055, 0.01083, 0.0004773],
        possible: 0.11, likely: 3.23, certain: 8.18, limit: 1.000, hitRate: 0.848)
    case .refreshRate:
      PredictionCalibration(
        weights: [0.4751, 2.709e-06, 0.06376, 0.3755, 0.03562, 2.686e-06, 0.02581],
        possible: 0.49, likely: 2.74, certain: 4.83, limit: 0.551, hitRate: 0.951)
    }
  }
}
