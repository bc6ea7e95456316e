public import ScrollTraceModel

/// Reads traces in the Fuchsia trace format: recordings of the profile, whole or damaged, and what
/// other programs write.
///
/// ```swift
/// var builder = TraceBuilder(format: "fxt")
/// try FXTReader.read(MemoryByteSource(bytes), into: &builder)
/// let trace = builder.finish()
/// ```
public enum FXTReader {
  /// Reads `bytes` to their end.
  ///
  /// What is damaged is left out and counted; an error is thrown where there is nothing to read.
  public static func read(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var first = FXTPass(bytes, builder, preferred: [:])
    try first.run()
    // Of two chunks of one number the sealed one counts (R10), also where it came second.
    let preferred = first.preferred
    if !preferred.isEmpty, try bytes.rewind() {
      var second = FXTPass(bytes, builder, preferred: preferred)
      try second.run()
      builder = second.finish()
    } else {
      builder = first.finish()
    }
  }
}
