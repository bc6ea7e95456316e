internal import ScrollTraceLayout
internal import ScrollTraceModel

/// Reads the samples in blobs of Perfetto's packets. Each blob stands on its own (F-9).
enum FXTSamples {
  /// Reads a blob, and returns whether it held any samples, or was damaged.
  ///
  /// - Parameter isRecording: Whether the file has the recording layout.
  static func read(_ record: FXTRecord, isRecording: Bool, _ trace: inout FXTTrace) -> Bool {
    guard let payload = payload(of: record) else {
      trace.lose(.malformedRecord, at: record.offset)
      return true
    }
    trace.builder.samplesExtendRange = isRecording
    var samples = PerfettoSamples()
    var packets = WireFields(payload)
    trace.builder.offset = record.offset
    defer { trace.builder.offset = nil }
    while packets.next() {
      guard packets.isBytes, packets.number == 1, let packet = PerfettoPacket(packets.bytes) else {
        continue
      }
      samples.enter(packet, in: &trace.builder)
      guard let content = packet.content, let ticks = packet.timestamp,
        packet.contentNumber == 66 || packet.contentNumber == 135
      else { continue }
      guard let time = Int64(exactly: ticks).flatMap(Timestamp.init(nanoseconds:)) else {
        trace.builder.countLoss(.timeOutOfRange)
        continue
      }
      let isWhole =
        packet.contentNumber == 66
        ? samples.addPerfSample(content, packet, at: time, in: &trace.builder)
        : samples.addStackSample(content, packet, at: time, in: &trace.builder)
      if !isWhole { trace.builder.countLoss(.malformedRecord) }
    }
    samples.report(in: &trace.builder)
    return samples.count > 0
  }

  /// The bytes of a blob behind its name, or `nil` if the record is too short.
  private static func payload(of record: FXTRecord) -> UnsafeRawBufferPointer? {
    let reference = record.header.bits(16, 16)
    let isInline = reference & FXT.inlineBit != 0
    let words = isInline ? FXT.words(forBytes: Int(reference & 0x7fff)) : 0
    let count = Int(record.header.bits(32, 15))
    guard let bytes = record.text(at: 1 + words, count: count) else { return nil }
    return UnsafeRawBufferPointer(bytes)
  }
}
