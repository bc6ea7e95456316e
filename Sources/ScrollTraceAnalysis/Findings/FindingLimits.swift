import ScrollTraceModel

/// From when on something is worth a finding (M-19), each with its reason.
enum FindingThresholds {
  /// The part of a late frame's time that work must fill to count: what is less would not have saved
  /// the frame, as a rule.
  static let share = 0.1
  /// The part of a late frame's time that passes idle or waiting where that is its cause.
  static let causeShare = 0.5
  /// The part of the hitch time that a cause must explain to be spoken of for the surface.
  static let explainedShare = 0.5
  /// The same for frames that the main thread did not fill: it is easily overlooked.
  static let idleShare = 0.25
  /// The least cells of which it can be said that none is used again: about a view full.
  static let leastCells = 8
  /// The reuse rate up to which cells count as never used again.
  static let reuseRate = 0.05
  /// The part of all cells whose registration must be theirs alone.
  static let registrationShare = 0.8
  /// How many times the cells in view are made before some must have been given back: lists keep about
  /// a view above and one below.
  static let viewsKept = 3
  /// The least items that get new cells: a few now and then cost nothing.
  static let reloadedItems = 4
  /// How long after a snapshot a cell that is prepared again was thrown away by it.
  static let reloadTime = TimeSpan.milliseconds(100)
  /// The part of what was done ahead that may be for nothing: a turn wastes some.
  static let wastedShare = 0.25
  /// The least cells that were prepared for nothing: a turn wastes a line of them.
  static let wastedCells = 4
  /// The least requests that were for nothing: they are made further ahead than cells.
  static let wastedRequests = 8
  /// The least requests that should have been cancelled.
  static let uncancelledRequests = 4
  /// The part of the cells that come into view without their data.
  static let lateDataShare = 0.25
  /// The least of them: one or two are chance.
  static let lateData = 3
  /// How long a cell waits for its data before anybody sees it, where no refresh interval is known.
  static let visibleWait = TimeSpan.milliseconds(16)
  /// The part of the sizes that was guessed wrong.
  static let correctedShare = 0.5
  /// By which part of the true size guesses are wrong on average: a quarter of a cell moves what is
  /// below it visibly.
  static let sizeError = 0.25
  /// The part of a refresh that one commit in twenty should leave: less is lost on a slower device.
  static let slackPart: Int64 = 10
}
