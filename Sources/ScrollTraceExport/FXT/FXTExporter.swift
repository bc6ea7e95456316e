import ScrollTraceLayout
package import ScrollTraceModel

/// Writes a ScrollTrace recording that contains the whole trace: reading it gives the same trace.
///
/// The trace's properties and the objects of the vocabulary come first: frames, hitches,
/// interactions, states. Spans follow thread by thread, then marks, samples and flows, in chunks
/// marked as literal.
package struct FXTExporter: TraceExporter {
  /// `fxt`
  package static let name = "fxt"

  /// `fxt`
  package static let fileEndings = ["fxt"]

  /// An exporter.
  package init() {}

  /// Writes `trace`.
  package func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    let host = trace.processes.first { $0.isHost } ?? trace.processes.first
    let process = host?.systemID ?? 0
    output.append(Self.page(process: process, wasClosed: trace.source.wasClosed))
    var writer = RecordingWriter(trace, process: process, output)
    writer.writeVocabulary()
    writer.writeTracks()
    writer.writeRest()
    output = writer.chunks.output
    var leftOut = writer.chunks.leftOut
    leftOut.add(.cutName, writer.chunks.names.cutCount)
    leftOut.add(.sample, writer.valuelessCount)
    leftOut.add(.aggregate, trace.aggregates.count)
    return leftOut
  }

  /// The first page: a session without a clock and an identifier of its own.
  private static func page(process: UInt64, wasClosed: Bool?) -> [UInt8] {
    typealias Session = RecordingLayout.Session
    var words = [UInt64](repeating: 0, count: Session.size / 8)
    words[0] = UInt64(RecordingLayout.majorVersion) | UInt64(RecordingLayout.minorVersion) << 16
    words[Session.process / 8] = process
    words[Session.ticksPerSecond / 8] = 1_000_000_000
    words[Session.chunkSize / 8] = UInt64(RecordingLayout.chunkSize)
    words[Session.pageSize / 8] = UInt64(RecordingLayout.pageSize)
    words[Session.state / 8] = wasClosed == false ? 0 : 1
    var payload = FXTWriter()
    for word in words { payload.appendWord(word) }
    var page = FXTWriter()
    page.appendMagic()
    page.appendBlob(
      .inline(RecordingLayout.BlobName.session.description), payload.bytes,
      type: RecordingLayout.blobType)
    page.appendPad(words: (RecordingLayout.pageSize - page.bytes.count) / 8)
    return page.bytes
  }
}
