package import ScrollTraceRecorder

/// The engine's own counts, which are independent of any recording.
package struct EngineCounters: Equatable, Sendable {
  package var frames = 0
  /// Commits that ended after their deadline.
  package var deadlineMisses = 0
  /// Frames that were presented late.
  package var hitches = 0
  /// The time that the screen kept an old frame while a new one was due.
  package var hitchTime: Nanoseconds = 0
  /// The busy time of the main thread, in frames and between them.
  package var mainBusy: Nanoseconds = 0
  package var cellsCreated = 0
  package var cellsReused = 0
  /// Cells that were prepared before they were needed.
  package var cellsPreparedAhead = 0
  package var cellsShown = 0
  package var cellsShownAsPlaceholder = 0
  /// Displayed cells that had been prepared ahead.
  package var cellsShownAhead = 0
  /// Displayed cells that had been in view before and were unchanged.
  package var cellsShownAgain = 0
  package var cellsHidden = 0
  /// Cells that were prepared ahead and discarded without being displayed.
  package var cellsWasted = 0
  /// Cells that were replaced by another one for the same item.
  package var cellsReloaded = 0
  package var snapshots = 0
  package var inaccurateSizeEstimates = 0
  package var sizeError: Millipoints = 0
  /// The time of layouts that were repeated because of inaccurate estimates.
  package var layoutCorrectionTime: Nanoseconds = 0
  package var loadsRequested = 0
  package var loadsFinished = 0
  package var loadsCancelled = 0
  /// Items whose data the main thread read itself.
  package var readsOnMain = 0
  /// Results that were written into a cell that displayed another item by then.
  package var staleResults = 0
  /// Images decoded on the main thread.
  package var decodesOnMain = 0
  package var decodesInBackground = 0
  package var cacheHits = 0
  package var cacheMisses = 0
  /// The busy time of other threads in finished jobs, without waits.
  package var backgroundBusy: Nanoseconds = 0
  /// The time for which other threads waited in finished jobs.
  package var backgroundWaiting: Nanoseconds = 0

  /// Prepared cells, new or reused.
  package var cellsPrepared: Int { cellsCreated + cellsReused }
  package var cellsPreparedOnDemand: Int { cellsPrepared - cellsPreparedAhead }
  /// Items that are being loaded.
  package var loadsInFlight: Int { loadsRequested - loadsFinished - loadsCancelled }

  package init() {}
}

/// The engine's account of a committed frame.
package struct FrameAccount: Equatable, Sendable {
  /// The refresh that requested it.
  package let refresh: Int
  /// The start of the engine's work on it.
  package let start: Nanoseconds
  /// The end of its commit.
  package let end: Nanoseconds
  /// The time it is presented.
  package let shown: Nanoseconds
  package let isLate: Bool
}

/// A range of main-thread work.
package struct MainWork: Equatable, Sendable {
  package let start: Nanoseconds
  package let end: Nanoseconds
  /// Whether it was for cells that are needed later.
  package let isAhead: Bool
}
