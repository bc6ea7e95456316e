internal import ScrollTraceRecorder

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A recording in a file that is gone when the benchmark is over.
enum ScratchFile {
  /// A path in the temporary folder that only this process uses.
  static func path(_ ending: String) -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return "\(folder)/scrolltrace-bench-\(getpid()).\(ending)"
  }

  /// Records into a new file with `prepared` bytes ready to be written, or into a ring of `ring` bytes.
  ///
  /// - Parameter threadTime: Whether frames say what the system counted for their thread.
  static func record<Value>(
    prepared: Int = 0, ring: Int? = nil, threadTime: Bool = false,
    _ body: (TraceRecorder) throws -> Value
  ) throws -> Value {
    let path = path("fxt")
    var options = RecorderOptions()
    options.preallocatedBytes = prepared
    options.ringBytes = ring
    options.replacesExistingFile = true
    options.sealsChunks = false
    options.threadTime = threadTime
    let recorder = try TraceRecorder(writingTo: path, options: options)
    defer {
      // The recorder keeps its memory for good; all but the first page is not needed any more.
      truncate(path, 4096)
      unlink(path)
    }
    let value = try body(recorder)
    try recorder.finish()
    let losses = recorder.losses
    if losses.total > 0 { Console.warn("lost: \(losses)") }
    return value
  }
}
