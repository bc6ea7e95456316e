public import ScrollTraceModel

/// What it would take to have no hitch at a refresh rate (M-17).
public struct SmoothRequirement: Hashable, Sendable {
  /// How cheap one category would have to be.
  public struct Part: Hashable, Sendable {
    /// The work.
    public let work: WorkName
    /// The most percent of its time that it may take where all else stays; `nil` where that does not
    /// suffice.
    public let percent: Int?
  }

  /// The refresh interval.
  public let interval: TimeSpan
  /// What would come of that rate if nothing else changed.
  public let unchanged: Prediction
  /// The categories of the work inside commits, most time first.
  public let parts: [Part]
  /// The most percent that all of them together may take; `nil` where no price is low enough.
  public let percentOfAll: Int?
  /// The hitch time that is left where all that work takes no time; zero where a price is low enough.
  public let leftWithoutAll: TimeSpan
}
