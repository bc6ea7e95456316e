import ScrollTraceLayout
package import ScrollTraceModel

/// Writes a ScrollTrace recording that contains the whole trace: reading it gives the same trace.
///
/// The trace's properties and the objects of the vocabulary come first: frames, hitches,
/// interactions, states. Spans follow thread by thread, then marks, samples and flows, in chunks
/// marked as literal.
package struct FXTExporter: TraceExporter {
  package static let name = "fxt"

  package static let fileEndings = ["fxt"]

  package init() {}

  package func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    let host = trace.processes.first { $0.isHost } ?? trace.processes.first
    let process = host?.systemID ?? 0
    // The first page contains the file's length.
    let length = Self.written(trace, process, ExportOutput { _ in 0 }).chunks.output.byteCount
    output.append(
      Self.page(process: process, wasClosed: trace.source.wasClosed, chunkBytes: length))
    let writer = Self.written(trace, process, output)
    var leftOut = writer.chunks.leftOut
    leftOut.add(.cutName, writer.chunks.names.cutCount)
    leftOut.add(.sample, writer.valuelessCount)
    leftOut.add(.stackSample, writer.omittedSampleCount)
    output = writer.finish()
    return leftOut
  }

  /// Returns a writer that has written all chunks to `output`.
  private static func written(
    _ trace: Trace, _ process: UInt64, _ output: consuming ExportOutput
  ) -> RecordingWriter {
    var writer = RecordingWriter(trace, process: process, output)
    writer.writeVocabulary()
    writer.writeTracks()
    writer.writeRest()
    writer.writeThreadTimes()
    writer.writeSamples()
    return writer
  }

  /// Returns the first page: a session without a clock and an identifier of its own.
  private static func page(process: UInt64, wasClosed: Bool?, chunkBytes: UInt64) -> [UInt8] {
    typealias Session = RecordingLayout.Session
    var words = [UInt64](repeating: 0, count: Session.extendedSize / 8)
    words[0] = UInt64(RecordingLayout.majorVersion) | UInt64(RecordingLayout.minorVersion) << 16
    words[Session.process / 8] = process
    words[Session.ticksPerSecond / 8] = 1_000_000_000
    words[Session.chunkSize / 8] = UInt64(RecordingLayout.chunkSize)
    words[Session.pageSize / 8] = UInt64(RecordingLayout.pageSize)
    words[Session.state / 8] = wasClosed == false ? 0 : 1
    words[Session.finishedSize / 8] = UInt64(RecordingLayout.pageSize) + chunkBytes
    words[Session.finishedChunks / 8] = chunkBytes / UInt64(RecordingLayout.chunkSize)
    var payload = FXTWriter()
    for word in words { payload.appendWord(word) }
    var page = FXTWriter()
    page.appendMagic()
    page.appendBlob(
      .inline(RecordingLayout.BlobName.session.description), payload.bytes)
    page.appendPad(words: (RecordingLayout.pageSize - page.bytes.count) / 8)
    return page.bytes
  }
}
