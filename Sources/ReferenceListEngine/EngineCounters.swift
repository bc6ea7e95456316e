public import ScrollTraceRecorder

/// What the engine itself has counted, without looking at any recording.
public struct EngineCounters: Hashable, Sendable {
  /// Frames that were committed.
  public var frames = 0
  /// Commits that ended after their deadline.
  public var deadlineMisses = 0
  /// Frames that came to the glass later than it waited for them.
  public var hitches = 0
  /// How long the glass has shown an old frame where a new one was due.
  public var hitchTime: Nanoseconds = 0
  /// Cells that were made.
  public var cellsCreated = 0
  /// Cells that were taken from the reuse pool.
  public var cellsReused = 0
  /// Cells that came into view.
  public var cellsShown = 0
  /// Cells that left the view.
  public var cellsHidden = 0
  /// Cells that got new data while they were in view.
  public var cellsReconfigured = 0
  /// Items whose data was asked for.
  public var loadsRequested = 0
  /// Items whose data has come.
  public var loadsFinished = 0
  /// Results that came when their cell was already showing another item.
  public var lateResults = 0
  /// Images that the main thread made bitmaps of.
  public var decodesOnMain = 0
  /// Images that other threads made bitmaps of.
  public var decodesInBackground = 0
  /// How long other threads were busy with jobs that are done.
  public var backgroundBusy: Nanoseconds = 0

  /// Cells that were prepared, new or reused.
  public var cellsPrepared: Int { cellsCreated + cellsReused }
  /// Items whose data is still on its way.
  public var loadsInFlight: Int { loadsRequested - loadsFinished }

  /// Nothing counted.
  public init() {}
}
