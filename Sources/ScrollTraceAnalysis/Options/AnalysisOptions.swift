public import ScrollTraceModel

/// The options of an analysis.
public struct AnalysisOptions: Sendable {
  /// The thresholds of ratings.
  public var thresholds = RatingThresholds.scroll
  /// The interactions that replace the trace's own. Times are relative to the trace's start.
  public var interactions: [NamedRange] = []
  /// A pattern with `*` and `?` for the interactions that replace the trace's own: pairs of marks
  /// `NAME:begin` and `NAME:end`, and asynchronous spans `NAME`.
  public var interactionMarks: String?
  /// A Boolean value indicating whether the whole recording replaces the trace's interactions.
  public var isAlwaysMoving = false
  /// The refresh interval of frames without their own, or `nil` to leave it unknown.
  public var refreshInterval: TimeSpan?
  package var selection = Selection()

  /// A Boolean value indicating whether to determine causes and measurements of lists. Otherwise, the
  /// report contains only smoothness and work.
  package var explains = true

  /// A Boolean value indicating whether to determine findings and removable hitch time.
  package var findsCauses: Bool {
    get { explains && wantsFindings }
    set { wantsFindings = newValue }
  }
  private var wantsFindings = true

  /// A Boolean value indicating whether to determine the largest main-thread work and waits.
  package var keepsWorkCosts = false

  /// A Boolean value indicating whether to determine how parallel work was and the self times of categories.
  package var detailsWork = true

  /// A Boolean value indicating whether to count durations in the histograms of a summary.
  package var countsHistograms = false

  /// The command-line arguments of the options without the selection, as given.
  ///
  /// Commands that a report proposes repeat them, so that they evaluate in the same way.
  package var arguments: [String] = []

  /// A Boolean value indicating whether the user replaces the trace's interactions.
  package var namesInteractions: Bool {
    isAlwaysMoving || !interactions.isEmpty || interactionMarks != nil
  }

  /// Creates the default options.
  public init() {}

  /// A named range of the recording, relative to the trace's start.
  public struct NamedRange: Hashable, Sendable {
    /// The name that the user gave.
    public let name: String
    /// The start of the range.
    public let from: TimeSpan
    /// The end of the range.
    public let to: TimeSpan

    /// Creates the range `from ..< to`.
    public init(name: String, from: TimeSpan, to: TimeSpan) {
      self.name = name
      self.from = from
      self.to = to
    }
  }
}
