import ScrollTraceModel

/// The thresholds that several rules share (M-19); each rule declares its others.
package enum FindingThresholds {
  /// The part of a late frame's time that work must fill to count.
  static let lateFrameShare = Threshold(
    "lateFrameShare", 0.1, source: "Removing less than this rarely saves a frame.")
  /// The part of the hitch time that a cause must explain.
  static let explainedShare = Threshold(
    "explainedShare", 0.5, source: "A cause of most of the hitch time is the one to fix first.")
  /// The part of a late frame's time off a core from which no work in it is the cause (M-25).
  static let offCoreWindowShare = Threshold(
    "offCoreWindowShare", 0.5, source: "Work that hardly ran did not make the frame late.")
  /// The number of causes that are taken out in pairs.
  static let combinedCauses = Threshold(
    "combinedCauses", 4, source: "Nobody makes more changes at once.")
  /// How long a frame is open at the end of the recording that did not just happen to end in it.
  static let openFrame = Threshold(
    "openFrame", TimeSpan.milliseconds(250),
    source: "People notice that an app does not answer from about a quarter of a second on.")
  /// The fewest cells that allow a statement about all of them.
  static let minimumCells = Threshold("minimumCells", 8, source: "A list displays about this many.")
  /// The fewest cells of a view whose replacement is a jump.
  static let minimumView = Threshold(
    "minimumView", 4, source: "A pager that displays fewer replaces all of them as it scrolls.")
  /// The fewest items with new cells.
  static let reloadedItems = Threshold(
    "reloadedItems", 4, source: "A few new cells now and then cost nothing.")
  /// The longest time between a snapshot and the preparation of a cell that it discarded.
  static let reloadTime = Threshold(
    "reloadTime", TimeSpan.milliseconds(100), source: "A list prepares its cells within frames.")
  /// The part of the work ahead that may be wasted.
  static let wastedShare = Threshold(
    "wastedShare", 0.25, source: "Every turn of the scroll wastes some.")
  /// The longest wait of a cell for its data that nobody notices, if no refresh interval is known.
  static let visibleWait = Threshold(
    "visibleWait", TimeSpan.milliseconds(16), source: "One refresh at 60 Hz.")
}
