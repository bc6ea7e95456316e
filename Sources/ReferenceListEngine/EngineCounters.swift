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
  /// How long the main thread has worked, in frames and between them.
  public var mainBusy: Nanoseconds = 0
  /// Cells that were made.
  public var cellsCreated = 0
  /// Cells that were taken from the reuse pool.
  public var cellsReused = 0
  /// Cells, of those, that were prepared before they were needed.
  public var cellsPreparedAhead = 0
  /// Cells that came into view.
  public var cellsShown = 0
  /// Cells, of those, that had been prepared ahead.
  public var cellsShownAhead = 0
  /// Cells, of those, that had been in view before and were still as they were.
  public var cellsShownAgain = 0
  /// Cells that left the view.
  public var cellsHidden = 0
  /// Cells that were prepared ahead and given up without having been shown.
  public var cellsWasted = 0
  /// Cells that got new content in place.
  public var cellsReconfigured = 0
  /// Cells that were thrown away for another one that shows the same item.
  public var cellsReloaded = 0
  /// Cells that somebody wrote another item's content into.
  public var wrongContents = 0
  /// Snapshots of the data that were applied.
  public var snapshots = 0
  /// Lines that turned out to be of another height than the layout had guessed.
  public var inaccurateSizeEstimates = 0
  /// By how much the guesses were wrong, all together.
  public var sizeError: Millipoints = 0
  /// Items whose data was asked for.
  public var loadsRequested = 0
  /// Items whose data has come.
  public var loadsFinished = 0
  /// Items whose data was not needed any more after all.
  public var loadsCancelled = 0
  /// Items whose data the main thread has read itself.
  public var readsOnMain = 0
  /// Results that came when their cell was already showing another item.
  public var staleResults = 0
  /// Images that the main thread made bitmaps of.
  public var decodesOnMain = 0
  /// Images that other threads made bitmaps of.
  public var decodesInBackground = 0
  /// Images whose bitmap was still in memory.
  public var cacheHits = 0
  /// Images whose bitmap was not in memory any more.
  public var cacheMisses = 0
  /// How long other threads were busy with jobs that are done.
  public var backgroundBusy: Nanoseconds = 0

  /// Cells that were prepared, new or reused.
  public var cellsPrepared: Int { cellsCreated + cellsReused }
  /// Cells that were prepared when they were needed.
  public var cellsPreparedOnDemand: Int { cellsPrepared - cellsPreparedAhead }
  /// Items whose data is still on its way.
  public var loadsInFlight: Int { loadsRequested - loadsFinished - loadsCancelled }

  /// Nothing counted.
  public init() {}
}
