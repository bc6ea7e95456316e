/// A fact about a trace, not the app, that a reader of the report should know.
package enum Notice: Hashable, Sendable {
  /// The recording was not finished: the app ended unexpectedly or is still running.
  case notClosed
  /// The recorder was configured to retain only the last part, of length `length`, or `nil` if the
  /// source does not report it.
  case keepsLastPart(length: TimeSpan?, overwrittenChunks: UInt64)
  /// Frames of `surface` were presented before they started. Those times count as unknown.
  case presentedBeforeStart(surface: String, count: Int)
  case noMainTrack
  case noFrames
  /// Frames of `surface` repeat a number. The later records are kept as separate frames.
  case repeatedFrameNumbers(surface: String, count: Int)
  /// Spans that started and never ended, which are not included in durations.
  case unfinishedSpans(count: Int)
  /// The system's counts of a thread's time ran backwards or exceeded wall time `count` times; the time
  /// between those samples is unknown.
  case implausibleThreadTimes(track: String, count: Int)
  /// Scheduling records of a thread contradicted each other `count` times; the earlier ones count.
  case overlappingThreadStates(track: String, count: Int)
  /// There were more scheduling records than are read, so that none of them counts.
  case tooManyThreadStates(limit: Int)
  /// The thread called main made no commit; the one called `track` did, and counts as main.
  case commitsOnOtherThread(track: String)
  /// A message of the importer.
  case source(String)
}
