internal import ScrollTraceLayout
internal import ScrollTraceModel

extension FXTDecoder {
  /// Reads the samples in a blob of Perfetto's packets. Each blob stands on its own.
  mutating func readPackets(_ record: FXTRecord) {
    guard let payload = blobPayload(of: record) else {
      return lose(.malformedRecord, at: record.offset)
    }
    builder.samplesExtendRange = isScrollTraceRecording
    var samples = PerfettoSamples()
    var trace = WireFields(payload)
    builder.offset = record.offset
    defer { builder.offset = nil }
    while trace.next() {
      guard trace.isBytes, trace.number == 1, let packet = PerfettoPacket(trace.bytes) else {
        continue
      }
      samples.enter(packet, in: &builder)
      guard let content = packet.content, let ticks = packet.timestamp,
        packet.contentNumber == 66 || packet.contentNumber == 135
      else { continue }
      guard let time = Int64(exactly: ticks).flatMap(Timestamp.init(nanoseconds:)) else {
        builder.countLoss(.timeOutOfRange)
        continue
      }
      let isWhole =
        packet.contentNumber == 66
        ? samples.addPerfSample(content, packet, at: time, in: &builder)
        : samples.addStackSample(content, packet, at: time, in: &builder)
      if !isWhole { builder.countLoss(.malformedRecord) }
    }
    samples.note(in: &builder)
    // Whatever else another writer puts there is its own.
    if samples.count == 0 { skipBlob(of: FXT.perfettoBlob) }
  }

  /// Passes over a blob of a type that is not read.
  mutating func skipBlob(of type: UInt64) {
    switch type {
    case FXT.lastBranchBlob: unread.count("last branch records")
    case FXT.perfettoBlob: unread.count("blobs of Perfetto without samples")
    default: unread.count("blobs of the unknown type \(type)")
    }
  }

  /// The bytes of a blob behind its name, or `nil` if the record is too short.
  private func blobPayload(of record: FXTRecord) -> UnsafeRawBufferPointer? {
    let reference = record.header.bits(16, 16)
    let isInline = reference & FXT.inlineBit != 0
    let words = isInline ? FXT.words(forBytes: Int(reference & 0x7fff)) : 0
    let count = Int(record.header.bits(32, 15))
    guard let bytes = record.text(at: 1 + words, count: count) else { return nil }
    return UnsafeRawBufferPointer(bytes)
  }
}

/// The records of kinds that are not read, which are no loss: their writer means them for others.
struct FXTUnreadRecords {
  private var counts: [String: Int] = [:]

  /// Counts a record.
  mutating func count(_ kind: String) { counts[kind, default: 0] += 1 }

  /// Says once for all what was passed over.
  func note(in builder: inout TraceBuilder) {
    guard !counts.isEmpty else { return }
    let list = counts.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    builder.addNotice(
      .source("records of kinds that are not read: \(list.joined(separator: ", "))"))
  }
}
