package import ScrollTraceModel

/// What it would take to have no hitch at a refresh rate (M-17).
package struct RequiredSpeedup: Hashable, Sendable {
  /// How cheap one category would have to be.
  package struct Part: Hashable, Sendable {
    /// The work.
    package let work: WorkName
    /// The most percent of its time that it may take where all else stays; `nil` where that does not
    /// suffice.
    package let percent: Int?
  }

  /// The refresh interval.
  package let refreshInterval: TimeSpan
  /// What would come of that rate if nothing else changed.
  package let unchanged: Prediction
  /// The categories of the work inside commits, most time first.
  package let parts: [Part]
  /// The most percent that all of them together may take; `nil` where no price is low enough.
  package let percentOfAll: Int?
  /// The hitch time that is left where all that work takes no time; zero where a price is low enough.
  package let leftWithoutAll: TimeSpan
}
