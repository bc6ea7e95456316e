public import ScrollTraceKit
public import ScrollTraceRecorder

extension TraceRuns {
  /// Records what `body` does, once for each run.
  ///
  /// ```swift
  /// let feed = try TraceRuns.recording(runs: 5) { recorder in
  ///   try scrollThroughTheFeed(recorder)
  /// }
  /// #expect(feed.check(against: .scroll).passed)
  /// ```
  ///
  /// A recording is in memory, and attached to the test if a limit is exceeded. `body` need not finish
  /// it.
  ///
  /// - Parameters:
  ///   - runs: The number of calls of `body`, each with its own recorder.
  ///   - name: The name of the recording in reports and attachments, without an extension.
  ///   - folder: The folder for recordings that survive a crash of the test, or `nil` for memory. Files
  ///     of the same names are replaced.
  ///   - options: The options of the recorder.
  ///   - analysis: The options of the analysis.
  ///   - body: The code to record.
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

  /// Records what an asynchronous `body` does on the caller's actor, once for each run.
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
