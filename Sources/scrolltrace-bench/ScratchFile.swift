internal import ScrollTraceRecorder

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A recording in a file that is deleted after the benchmark.
enum ScratchFile {
  /// Returns a path in the temporary directory that only this process uses.
  static func path(_ ending: String) -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return "\(folder)/scrolltrace-bench-\(getpid()).\(ending)"
  }

  /// Records into a new file with `prepared` preallocated bytes, or into a ring of `ring` bytes.
  ///
  /// - Parameter threadTime: Whether frames record their thread's counts.
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
    options.recordsThreadTimes = threadTime
    let recorder = try TraceRecorder(writingTo: path, options: options)
    defer {
      // The recorder keeps its mapping; only the first page is still needed.
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
