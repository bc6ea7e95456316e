package import ScrollTraceRecorder

/// What the engine itself has counted, without looking at any recording.
package struct EngineCounters: Hashable, Sendable {
  /// Frames that were committed.
  package var frames = 0
  /// Commits that ended after their deadline.
  package var deadlineMisses = 0
  /// Frames that came to the screen later than it waited for them.
  package var hitches = 0
  /// How long the screen has shown an old frame where a new one was due.
  package var hitchTime: Nanoseconds = 0
  /// How long the main thread has worked, in frames and between them.
  package var mainBusy: Nanoseconds = 0
  /// Cells that were made.
  package var cellsCreated = 0
  /// Cells that were taken from the reuse pool.
  package var cellsReused = 0
  /// Cells, of those, that were prepared before they were needed.
  package var cellsPreparedAhead = 0
  /// Cells that were displayed.
  package var cellsShown = 0
  /// Cells, of those, that had been prepared ahead.
  package var cellsShownAhead = 0
  /// Cells, of those, that had been in view before and were still as they were.
  package var cellsShownAgain = 0
  /// Cells that left the view.
  package var cellsHidden = 0
  /// Cells that were prepared ahead and given up without having been shown.
  package var cellsWasted = 0
  /// Cells that got new content in place.
  package var cellsReconfigured = 0
  /// Cells that were thrown away for another one that shows the same item.
  package var cellsReloaded = 0
  /// Cells that somebody wrote another item's content into.
  package var wrongContents = 0
  /// Snapshots of the data that were applied.
  package var snapshots = 0
  /// Lines that turned out to be of another height than the layout had guessed.
  package var inaccurateSizeEstimates = 0
  /// By how much the guesses were wrong, all together.
  package var sizeError: Millipoints = 0
  /// Items whose data was asked for.
  package var loadsRequested = 0
  /// Items whose data has come.
  package var loadsFinished = 0
  /// Items whose data was not needed any more after all.
  package var loadsCancelled = 0
  /// Items whose data the main thread has read itself.
  package var readsOnMain = 0
  /// Results that came when their cell was already showing another item.
  package var staleResults = 0
  /// Images that the main thread made bitmaps of.
  package var decodesOnMain = 0
  /// Images that other threads made bitmaps of.
  package var decodesInBackground = 0
  /// Images whose bitmap was still in memory.
  package var cacheHits = 0
  /// Images whose bitmap was not in memory any more.
  package var cacheMisses = 0
  /// How long other threads were busy with jobs that are done.
  package var backgroundBusy: Nanoseconds = 0

  /// Cells that were prepared, new or reused.
  package var cellsPrepared: Int { cellsCreated + cellsReused }
  /// Cells that were prepared when they were needed.
  package var cellsPreparedOnDemand: Int { cellsPrepared - cellsPreparedAhead }
  /// Items whose data is still on its way.
  package var loadsInFlight: Int { loadsRequested - loadsFinished - loadsCancelled }

  /// Nothing counted.
  package init() {}
}
