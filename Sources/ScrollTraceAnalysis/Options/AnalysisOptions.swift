public import ScrollTraceModel

/// What an analysis is told besides the trace.
public struct AnalysisOptions: Sendable {
  /// The thresholds of ratings and limits.
  public var thresholds = RatingThresholds.scroll
  /// Interactions that the user names, instead of the trace's own. Times are offsets from the
  /// trace's start.
  public var interactions: [NamedRange] = []
  /// A pattern with `*` and `?`: pairs of marks `NAME:begin` and `NAME:end` and asynchronous spans
  /// `NAME` that it fits are the interactions, instead of the trace's own.
  public var interactionMarks: String?
  /// Whether the whole recording counts as one interaction, instead of the trace's own.
  public var isAlwaysMoving = false
  /// The refresh interval of frames that do not know theirs; `nil` leaves them without one.
  public var refreshInterval: TimeSpan?
  /// The part of the trace that counts; everything where nothing is selected.
  package var selection = Selection()

  /// Whether to find out why: causes, what lists did, findings and predictions. Without them a report
  /// tells how smooth it was and who worked how much.
  package var explains = true

  /// The words of a command line that say all of this but the selection, as they were given.
  ///
  /// Commands that a report proposes repeat them, so that they judge as the report does.
  package var arguments: [String] = []

  /// Whether the user says when something moved, instead of the trace.
  package var namesInteractions: Bool {
    isAlwaysMoving || !interactions.isEmpty || interactionMarks != nil
  }

  /// The options when the user says nothing.
  public init() {}

  /// A range of the recording with a name, measured from the trace's start.
  public struct NamedRange: Hashable, Sendable {
    /// The name the user gave.
    public let name: String
    /// From when on.
    public let from: TimeSpan
    /// Until when.
    public let to: TimeSpan

    /// The range `from ..< to` called `name`.
    public init(name: String, from: TimeSpan, to: TimeSpan) {
      self.name = name
      self.from = from
      self.to = to
    }
  }
}
