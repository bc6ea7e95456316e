public import ScrollTraceKit
public import ScrollTraceRecorder

/// Runs of one scenario that a test checks against a budget: traces from files, or new recordings.
///
/// ```swift
/// @Test func `the feed scrolls smoothly`() throws {
///   let feed = try TraceRuns(of: "SampleTraces/feed-smooth.fxt")
///   #expect(feed.check(against: .scroll).passed)
/// }
/// ```
///
/// Limits are checked against the median of the runs, as in `scrolltrace check`.
public struct TraceRuns: Sendable {
  /// One run: its analysis, and the recording unless it is a file.
  struct Run: Sendable {
    let analysis: Analysis
    let bytes: [UInt8]?

    /// The name of its file or attachment.
    var fileName: String { analysis.trace.source.path.fileName }
  }

  let runs: [Run]

  /// The analysis of each run, in order.
  public var analyses: [Analysis] { runs.map(\.analysis) }

  init(_ runs: [Run]) {
    self.runs = runs
  }

  /// Opens a trace of any format that `scrolltrace` can read.
  ///
  /// - Throws: `ImportError` if the file is no trace, or lacks what the options select.
  public init(
    of path: String, options: AnalysisOptions = AnalysisOptions()
  ) throws(ImportError) {
    try self.init(of: [path], options: options)
  }

  /// Opens the traces of several runs of one scenario.
  ///
  /// - Throws: `ImportError` if a file is no trace, or lacks what the options select.
  public init(
    of paths: [String], options: AnalysisOptions = AnalysisOptions()
  ) throws(ImportError) {
    var runs: [Run] = []
    for path in paths { runs.append(try Run(at: path, options: options)) }
    self.init(runs)
  }
}

extension TraceRuns.Run {
  init(at path: String, options: AnalysisOptions) throws(ImportError) {
    try self.init(TraceFile.open(path), bytes: nil, options: options)
  }

  init(_ bytes: [UInt8], name: String, options: AnalysisOptions) throws(ImportError) {
    let trace: Trace
    do throws(ImportError) {
      trace = try TraceFile.read(bytes, path: name)
    } catch {
      throw error.inFile(name)
    }
    try self.init(trace, bytes: bytes, options: options)
  }

  /// The run that is `trace`, where it holds what the options select.
  private init(
    _ trace: Trace, bytes: [UInt8]?, options: AnalysisOptions
  ) throws(ImportError) {
    let analyzer = TraceAnalyzer(options)
    if let problem = analyzer.selectionProblem(in: trace) {
      throw ImportError(Messages.text(of: problem)).inFile(trace.path)
    }
    analysis = analyzer.analyze(trace)
    self.bytes = bytes
  }
}

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

/// A recording of a test, from its start to its analysis.
struct TestRecording {
  /// The recorder that is passed to the test's closure.
  let recorder: TraceRecorder
  /// The path of the file, or the name of a recording in memory.
  private let path: String
  private let isFile: Bool

  /// Starts run `number` of a recording, in memory or in a file of `folder`.
  init(
    _ number: Int, named name: String, keptIn folder: String?, options: RecorderOptions
  ) throws(RecorderError) {
    let file = name + (number == 1 ? "" : "-\(number)") + ".fxt"
    isFile = folder != nil
    path = folder.map { $0 + "/" + file } ?? file
    var options = options
    // Replaces the file of the last test run.
    if isFile { options.replacesExistingFile = true }
    recorder = try TraceRecorder(to: isFile ? .mappedFile(path: path) : .memory, options: options)
  }

  /// Ends the recording and analyzes it.
  func finish(_ options: AnalysisOptions) throws -> TraceRuns.Run {
    try recorder.finish()
    guard !isFile else { return try TraceRuns.Run(at: path, options: options) }
    return try TraceRuns.Run(recorder.recordedBytes ?? [], name: path, options: options)
  }

  /// Ends the recording after the closure failed; its file remains readable.
  func abandon() {
    try? recorder.finish()
  }
}
