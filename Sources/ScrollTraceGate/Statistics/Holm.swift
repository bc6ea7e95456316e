/// Holm's correction for multiple tests (Holm 1979).
package enum Holm {
  /// Returns the corrected `probabilities` in the same order, to compare with the level.
  package static func corrected(_ probabilities: [Double]) -> [Double] {
    let order = probabilities.indices.sorted {
      (probabilities[$0], $0) < (probabilities[$1], $1)
    }
    var corrected = probabilities
    var greatest = 0.0
    for (rank, index) in order.enumerated() {
      greatest = max(greatest, min(1, probabilities[index] * Double(order.count - rank)))
      corrected[index] = greatest
    }
    return corrected
  }
}
