/// The part of a series that follows another one, which is removed to see changes of its own.
package enum SharedVariation {
  /// The number of values after each one with which it is compared.
  private static let reach = 16
  /// The distance from the median at which a value of the other series is an outlier, in standard deviations.
  private static let outlier = 3.0
  /// The standard deviation of normal numbers by their median absolute deviation.
  private static let deviation = 1.4826

  /// Returns `values` without what follows `others`: the slope is the median of those between nearby pairs
  /// (Theil and Sen), so that a step of `values` hardly changes it. Outliers of `others` are limited.
  package static func removed(from values: [Double], sharedWith others: [Double]) -> [Double] {
    guard values.count == others.count, let middle = RunStatistics.median(others),
      let spread = RunStatistics.median(others.map { ($0 - middle).magnitude })
    else { return values }
    let limit = outlier * deviation * spread
    let others = others.map { min(max($0 - middle, -limit), limit) }
    var slopes: [Double] = []
    for first in values.indices {
      for second in (first + 1)..<max(first + 1, min(first + 1 + reach, values.count)) {
        let distance = others[second] - others[first]
        if distance != 0 { slopes.append((values[second] - values[first]) / distance) }
      }
    }
    guard let slope = RunStatistics.median(slopes) else { return values }
    return zip(values, others).map { $0 - slope * $1 }
  }
}
