package import ScrollTraceAnalysis
package import ScrollTraceModel

/// The speedup required for zero hitch time at a refresh rate (M-17).
package struct RequiredSpeedup: Equatable, Sendable {
  /// The required speedup of one category.
  package struct Part: Equatable, Sendable {
    /// The work.
    package let work: WorkName
    /// The highest percentage of its time that it may take if nothing else changes, or `nil` if even
    /// zero is not enough.
    package let percent: Int?
  }

  /// The refresh interval.
  package let refreshInterval: TimeSpan
  /// The prediction for that rate without other changes.
  package let unchanged: Prediction
  /// The categories of the work inside commits, most time first.
  package let parts: [Part]
  /// The highest percentage that all of them together may take, or `nil` if even zero is not enough.
  package let percentOfAll: Int?
  /// The hitch time if all that work takes no time; zero if some percentage is low enough.
  package let remainingHitchTime: TimeSpan
}
