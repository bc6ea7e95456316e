import ScrollTraceKit
import ScrollTraceRecorder

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
