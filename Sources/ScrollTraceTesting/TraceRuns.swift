public import ScrollTraceKit

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
