internal import ScrollTraceLayout
package import ScrollTraceModel

/// Reads traces in the Fuchsia trace format: recordings, intact or damaged, and other programs' files.
package struct FXTImporter: TraceImporter {
  package static let name = "fxt"
  package static let files = "ScrollTrace, Fuchsia"
  package static let recipe = "record with ScrollTraceRecorder, or from C"

  package static let fileEndings = ["fxt"]

  /// The number of bytes that `recognizes` needs to identify a recording whose first page is lost.
  static let recognizedByteCount = RecordingLayout.pageSize + RecordingLayout.chunkSize

  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      if recognizes(bytes) { return .yes }
      return bytes.count < recognizedByteCount ? .needMoreBytes : .no
    }
  }

  /// Returns whether `prefix` starts with the format's magic number, or contains chunks at a recording's
  /// offsets.
  ///
  /// A trace in the other byte order is recognized so that it can be rejected by name.
  static func recognizes(_ prefix: UnsafeRawBufferPointer) -> Bool {
    guard prefix.count >= 8 else { return false }
    let word = prefix.word(at: 0)
    return word == RecordingLayout.magic || word == RecordingLayout.magic.byteSwapped
      || FXTFileReader.isScrollTraceRecording(prefix)
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
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
