import ScrollTraceKit
import ScrollTraceRecorder

/// A recording that a test makes, from its begin to its analysis.
struct TestRecording {
  /// Where the test's closure records.
  let recorder: TraceRecorder
  /// The file that is kept, or the name of a recording in memory.
  private let path: String
  private let passed: Bool

  /// Begins run `number` of a recording, in memory or in a file of `folder`.
  init(
    _ number: Int, named name: String, keptIn folder: String?, options: RecorderOptions
  ) throws(RecorderError) {
    let file = name + (number == 1 ? "" : "-\(number)") + ".fxt"
    passed = folder != nil
    path = folder.map { $0 + "/" + file } ?? file
    var options = options
    // The file of the last time the test ran.
    if passed { options.replacesExistingFile = true }
    recorder = try TraceRecorder(to: passed ? .mappedFile(path: path) : .memory, options: options)
  }

  /// Ends the recording and analyzes it.
  func finish(_ options: AnalysisOptions) throws -> TraceRuns.Run {
    try recorder.finish()
    guard !passed else { return try TraceRuns.Run(of: path, options: options) }
    return try TraceRuns.Run(recorder.recordedBytes ?? [], name: path, options: options)
  }

  /// Ends the recording where the test's closure failed; a file stays, whole, for whoever asks why.
  func abandon() {
    try? recorder.finish()
  }
}
