import ScrollTraceFormat
import ScrollTraceModel

/// Walks through the packets of a trace and takes what each one says.
struct PerfettoReader: ~Copyable {
  var packets: PerfettoPackets
  var clocks = PerfettoClocks()
  var sequences = PerfettoSequences()
  var processes = PerfettoProcesses()
  var frames = PerfettoFrameTimeline()
  private var inflater: PerfettoInflater?
  private var latest = Timestamp.zero
  /// How many packets name a clock that no snapshot has.
  private var unplaced: UInt64 = 0
  /// How many packets use names that were never given.
  private var unnamed: UInt64 = 0

  /// A reader of the trace in `source`.
  init(_ source: any ByteSource) {
    packets = PerfettoPackets(source)
  }

  /// Adds everything to `builder`.
  mutating func read(into builder: inout TraceBuilder) throws(ImportError) {
    while let bytes = try packets.next(&builder) {
      guard let packet = PerfettoPacket(bytes) else {
        try packets.rejectPacket(&builder)
        continue
      }
      try take(packet, in: &builder)
    }
    builder.offset = nil
    noteDamage(in: &builder)
    finish(in: &builder)
  }

  private mutating func finish(in builder: inout TraceBuilder) {
    let tracks = ChromeTracks()
    frames.finish(processes, tracks: tracks, in: &builder)
  }

  // MARK: - Packets

  private mutating func take(
    _ packet: PerfettoPacket, in builder: inout TraceBuilder
  ) throws(ImportError) {
    if packet.contentNumber == 50, let content = packet.content {
      return try takeCompressed(content, in: &builder)
    }
    guard sequences.enter(packet, countingLossesIn: &builder) else {
      unnamed += 1
      return builder.countLoss(.sourceDroppedRecords)
    }
    guard let content = packet.content else { return }
    if packet.contentNumber == 6 {
      // A snapshot tells what time it is itself.
      if !clocks.add(content, sequence: packet.sequence) { builder.countLoss(.malformedRecord) }
      return
    }
    let isWhole: Bool
    switch packet.contentNumber {
    case 2: isWhole = processes.addTree(content)
    case 43: isWhole = processes.addProcess(content) != nil
    case 76: isWhole = takeFrame(content, packet, in: &builder)
    case 133:
      // Compressed in a way that systems bring no library for.
      builder.countLoss(.unknownRecord)
      isWhole = true
    default: isWhole = true
    }
    if !isWhole { builder.countLoss(.malformedRecord) }
  }

  /// Takes the packets that are compressed in one packet.
  private mutating func takeCompressed(
    _ content: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) throws(ImportError) {
    let offset = builder.offset
    let inflater: PerfettoInflater
    if let known = self.inflater { inflater = known } else { inflater = try PerfettoInflater() }
    self.inflater = inflater
    let (expanded, isWhole) = inflater.expand(content)
    if !isWhole { builder.countLoss(.damagedBytes, count: UInt64(content.count)) }
    var inner = PerfettoPackets(
      MemoryByteSource(expanded), blockSize: 1 << 16, outerOffset: offset)
    while let bytes = try inner.next(&builder) {
      guard let packet = PerfettoPacket(bytes) else {
        try inner.rejectPacket(&builder)
        continue
      }
      if packet.contentNumber == 50 {
        // Compressed twice, as no writer does.
        builder.countLoss(.limitReached)
      } else {
        try take(packet, in: &builder)
      }
    }
    builder.offset = offset
  }

  private mutating func takeFrame(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, in builder: inout TraceBuilder
  ) -> Bool {
    guard let event = PerfettoFrameEvent(content) else { return false }
    if event.hasInvalidValue { builder.countLoss(.invalidValue) }
    if let time = time(of: packet, in: &builder) { frames.add(event, at: time) }
    return true
  }

  /// When what the packet tells happened; `nil`, and counted, where that cannot be known.
  mutating func time(
    of packet: PerfettoPacket, in builder: inout TraceBuilder
  ) -> Timestamp? {
    guard let timestamp = packet.timestamp else { return latest }
    let clock = packet.clock ?? sequences.defaultClock(of: packet.sequence)
    guard let nanoseconds = clocks.place(timestamp, clock: clock, sequence: packet.sequence) else {
      if timestamp <= UInt64(Int64.max) { unplaced += 1 }
      builder.countLoss(.timeOutOfRange)
      return nil
    }
    guard let time = Timestamp(nanoseconds: nanoseconds) else {
      builder.countLoss(.timeOutOfRange)
      return nil
    }
    latest = time
    return time
  }

  // MARK: - Losses

  /// Says in words where the trace is damaged, and what it lost before it was written.
  private func noteDamage(in builder: inout TraceBuilder) {
    if let damage = packets.damage {
      builder.addNotice(
        .source(
          "\(damage.bytes) bytes could not be read as packets, the first at byte \(damage.first);"
            + " the packets around them are kept"))
    }
    if let cut = packets.cut {
      builder.source.wasClosed = false
      builder.addNotice(
        .source(
          "the trace ends inside a packet at byte \(cut.offset); \(cut.bytes) bytes are unread"))
    }
    if unplaced > 0 {
      builder.addNotice(
        .source("packets of a clock that no snapshot tells how to read, left out: \(unplaced)"))
    }
    if unnamed > 0 {
      builder.addNotice(
        .source("packets that use names from before the recording, left out: \(unnamed)"))
    }
  }
}
