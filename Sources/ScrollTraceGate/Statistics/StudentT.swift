import ScrollTracePlatform

/// Student's distribution of a mean in units of its standard error.
package enum StudentT {
  /// The degrees of freedom above which nothing changes that matters here.
  private static let maximumFreedom = 200

  /// Returns the probability of a value at least as far from zero as `t`.
  ///
  /// The sum is finite (Abramowitz and Stegun 26.7.3 and 26.7.4).
  package static func twoSided(_ t: Double, freedom: Int) -> Double {
    guard freedom > 0, t.isFinite else { return t.isNaN || freedom <= 0 ? 1 : 0 }
    let degrees = min(freedom, maximumFreedom)
    let angle = atan(t.magnitude / Double(degrees).squareRoot())
    let (sine, cosine) = (sin(angle), cos(angle))
    var (term, sum, step) = (degrees % 2 == 0 ? 1.0 : cosine, 0.0, degrees % 2 == 0 ? 1 : 2)
    while step < degrees {
      sum += term
      term *= Double(step) / Double(step + 1) * cosine * cosine
      step += 2
    }
    let inside = degrees % 2 == 0 ? sine * sum : (angle + sine * sum) * 2 / Double.pi
    return min(1, max(0, 1 - inside))
  }
}

/// The rate of false discoveries by Y. Benjamini and Y. Hochberg, *Controlling the False Discovery Rate*,
/// J. R. Statist. Soc. B 57 (1995).
package enum FalseDiscoveries {
  /// Returns the largest of `probabilities` that is a discovery, or `nil` if none is.
  ///
  /// - Parameter rate: The share of discoveries that may be false.
  package static func threshold(of probabilities: [Double], rate: Double) -> Double? {
    let sorted = probabilities.sorted()
    let rank = sorted.indices.last { sorted[$0] <= rate * Double($0 + 1) / Double(sorted.count) }
    return rank.map { sorted[$0] }
  }
}
