public import ScrollTraceKit
public import ScrollTraceRecorder

extension TraceRuns {
  /// Records what `body` does, as often as there shall be runs.
  ///
  /// ```swift
  /// let feed = try TraceRuns.recording(runs: 5) { recorder in
  ///   try scrollThroughTheFeed(recorder)
  /// }
  /// #expect(feed.judged(by: .scroll).isKept)
  /// ```
  ///
  /// A recording is in memory, and attached to the test where the budget is not kept. `body` need not
  /// finish it.
  ///
  /// - Parameters:
  ///   - runs: How many times to call `body`, each time with a recorder of its own.
  ///   - name: What the recording is called in reports and attachments, without an ending.
  ///   - folder: Where to keep the recordings as files, which survive a crash of the test; files of
  ///     the same names are replaced. `nil` for memory.
  ///   - options: How to record.
  ///   - analysis: What the analysis is told besides.
  ///   - body: What is recorded.
  public static func recording(
    runs: Int = 1, named name: String = "recording", keepingIn folder: String? = nil,
    options: RecorderOptions = RecorderOptions(), analysis: AnalysisOptions = AnalysisOptions(),
    _ body: (TraceRecorder) throws -> Void
  ) throws -> TraceRuns {
    var recorded: [Run] = []
    for number in 1..<max(runs, 0) + 1 {
      let run = try TestRecording(number, named: name, keptIn: folder, options: options)
      do {
        try body(run.recorder)
      } catch {
        run.abandon()
        throw error
      }
      recorded.append(try run.finish(analysis))
    }
    return TraceRuns(recorded)
  }

  /// Records what `body` does while it also waits, as often as there shall be runs.
  ///
  /// It stays on the caller's actor; all else is as it is without waiting.
  public static func recording(
    runs: Int = 1, named name: String = "recording", keepingIn folder: String? = nil,
    options: RecorderOptions = RecorderOptions(), analysis: AnalysisOptions = AnalysisOptions(),
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TraceRecorder) async throws -> Void
  ) async throws -> TraceRuns {
    var recorded: [Run] = []
    for number in 1..<max(runs, 0) + 1 {
      let run = try TestRecording(number, named: name, keptIn: folder, options: options)
      do {
        try await body(run.recorder)
      } catch {
        run.abandon()
        throw error
      }
      recorded.append(try run.finish(analysis))
    }
    return TraceRuns(recorded)
  }
}
