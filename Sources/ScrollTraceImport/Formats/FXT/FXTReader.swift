internal import ScrollTraceLayout
package import ScrollTraceModel

/// Reads traces in the Fuchsia trace format: recordings, intact or damaged, and other programs'
/// files.
///
/// ```swift
/// var builder = TraceBuilder(format: "fxt")
/// try FXTReader.read(MemoryByteSource(bytes), into: &builder)
/// let trace = builder.finish()
/// ```
package enum FXTReader {
  /// The number of bytes that `recognizes` needs to identify a recording whose first page is lost.
  package static var recognizedByteCount: Int {
    RecordingLayout.pageSize + RecordingLayout.chunkSize
  }

  /// Returns whether `prefix` starts a trace of this format, intact or without its first page.
  ///
  /// A trace in the other byte order is recognized so that `read` can reject it by name.
  package static func recognizes(_ prefix: UnsafeRawBufferPointer) -> Bool {
    guard prefix.count >= 8 else { return false }
    let word = prefix.word(at: 0)
    return word == RecordingLayout.magic || word == RecordingLayout.magic.byteSwapped
      || FXTFileReader.isScrollTraceRecording(prefix)
  }

  /// Reads `bytes` to their end.
  ///
  /// Damaged parts are skipped and counted; an error is thrown if nothing can be read.
  package static func read(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var first = FXTFileReader(bytes, builder, preferred: [:])
    try first.run()
    // Of two chunks with one number the sealed one counts (R10), even if it comes second.
    let preferred = first.preferred
    if !preferred.isEmpty, try bytes.rewind() {
      var second = FXTFileReader(bytes, builder, preferred: preferred)
      try second.run()
      builder = second.finish()
    } else {
      builder = first.finish()
    }
  }
}
