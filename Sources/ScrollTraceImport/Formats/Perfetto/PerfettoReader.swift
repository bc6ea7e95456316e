import ScrollTraceModel

/// Walks through the packets of a trace and collects their content.
struct PerfettoReader: ~Copyable {
  private var packets: PerfettoPackets
  private var trackEvents = PerfettoTrackEventReader()
  private var frames = PerfettoFrameTimeline()
  private var samples = PerfettoSamples()
  private(set) var flutter: FlutterEvents
  private var inflater: PerfettoInflater?
  /// The number of packets with an unsupported compression.
  private var unexpanded: UInt64 = 0
  private var buffers = PerfettoBuffers()
  /// The offset of the first compressed packet with damage inside, and the number of damaged bytes
  /// in all of them.
  private var innerDamage: (first: UInt64, bytes: UInt64)?
  /// The offset of the first compressed packet that ends inside a nested one.
  private var innerCut: UInt64?
  /// The number of packets that use undefined names.
  private var unnamed: UInt64 = 0

  /// The number of packets of each unsupported kind, by its number.
  private var unread: [UInt32: Int] = [:]
  private static let unreadKinds: [UInt32: String] = [
    37: "heap profiles", 38: "battery counters", 39: "Android log lines", 40: "power rails",
    52: "GPU counters", 53: "GPU render stages",
    56: "heap graphs", 57: "graphics frame events", 62: "Vulkan memory events", 63: "GPU log lines",
    71: "totals of GPU memory",
  ]

  private let maximumExpandedByteCount: UInt64

  var hasEvents: Bool { !trackEvents.work.events.all.isEmpty }

  /// Creates a reader of the trace in `source`, with the decompression limit of `options`.
  ///
  /// - Parameter flutter: The reader of the frames of Flutter's engine.
  init(_ source: any ByteSource, options: ImportOptions, flutter: FlutterEvents = FlutterEvents()) {
    self.flutter = flutter
    maximumExpandedByteCount = options.maximumDecompressedByteCount
    packets = PerfettoPackets(source)
    if let count = source.byteCount { trackEvents.work.events.reserve(forByteCount: count) }
  }

  mutating func read(into builder: inout TraceBuilder) throws(ImportError) {
    while let bytes = try packets.next(&builder) {
      guard let packet = PerfettoPacket(bytes) else {
        try packets.rejectPacket(&builder)
        continue
      }
      try read(packet, in: &builder)
    }
    builder.offset = nil
    reportDamage(in: &builder)
    samples.report(in: &builder)
    finish(in: &builder)
  }

  // MARK: - Packets

  private mutating func read(
    _ packet: PerfettoPacket, in builder: inout TraceBuilder
  ) throws(ImportError) {
    if packet.contentNumber == 50, let content = packet.content {
      return try readCompressed(content, in: &builder)
    }
    guard let position = trackEvents.sequences.enter(packet, in: &builder) else {
      unnamed += 1
      return builder.countLoss(.sourceDroppedRecords)
    }
    if packet.contentNumber == 6, let content = packet.content {
      // A snapshot contains its own time.
      if !trackEvents.clocks.add(content, sequence: packet.sequence) {
        builder.countLoss(.malformedRecord)
      }
      return
    }
    // If times are incremental, each packet is an increment, whatever its content.
    trackEvents.clocks.enter(
      packet, clock: packet.clock ?? trackEvents.sequences.defaultClock(at: position))
    samples.enter(packet, in: &builder)
    guard let content = packet.content else { return }
    if !read(content, packet, at: position, in: &builder) { builder.countLoss(.malformedRecord) }
  }

  /// Adds a packet's content; returns `false` if it is damaged.
  private mutating func read(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Bool {
    switch packet.contentNumber {
    case 1: return readKernelEvents(content, in: &builder)
    case 2: return trackEvents.work.processes.addTree(content)
    case 11: return trackEvents.read(content, packet, at: position, in: &builder)
    case 35: return buffers.read(content)
    case 43: return trackEvents.work.processes.addProcess(content) != nil
    case 44: return readThread(content, at: position)
    case 60: return trackEvents.work.tracks.add(content, &trackEvents.work.processes, in: &builder)
    case 76: return readFrame(content, packet, at: position, in: &builder)
    case 54: return readStream(content, packet, at: position, in: &builder)
    case 66, 135: return readSample(content, packet, in: &builder)
    case 37...40, 52, 53, 56, 57, 62, 63, 71:
      unread[packet.contentNumber, default: 0] += 1
      return true
    case 133:
      unexpanded += 1
      builder.countLoss(.unknownRecord)
      return true
    default: return true
    }
  }

  /// Adds the thread that writes the sequence, and the reference of its times.
  private mutating func readThread(_ content: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var fields = WireFields(content)
    var reference: Int64 = 0
    while fields.next() { if fields.number == 6, !fields.isBytes { reference = fields.signed } }
    trackEvents.sequences.states[position].thread = trackEvents.work.tracks.addThread(content)
    let nanoseconds = reference.times(1000)
    trackEvents.sequences.states[position].reference = nanoseconds ?? 0
    return !fields.isDamaged && nanoseconds != nil
  }

  /// Adds the packets compressed in one packet.
  private mutating func readCompressed(
    _ content: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) throws(ImportError) {
    let offset = builder.offset
    let inflater: PerfettoInflater
    if let known = self.inflater {
      inflater = known
    } else {
      inflater = try PerfettoInflater(maximumByteCount: maximumExpandedByteCount)
    }
    self.inflater = inflater
    let expanded = try inflater.expand(content)
    builder.countLoss(.damagedBytes, count: UInt64(expanded.damagedByteCount))
    if expanded.isOverLimit { builder.countLoss(.limitReached) }
    var inner = PerfettoPackets(
      MemoryByteSource(expanded.bytes), blockSize: 1 << 16, outerOffset: offset)
    while let bytes = try inner.next(&builder) {
      guard let packet = PerfettoPacket(bytes) else {
        try inner.rejectPacket(&builder)
        continue
      }
      if packet.contentNumber == 50 {
        // Doubly compressed, which no writer does.
        builder.countLoss(.limitReached)
      } else {
        try read(packet, in: &builder)
      }
    }
    builder.offset = offset
    let damaged = UInt64(expanded.damagedByteCount) + (inner.damage?.bytes ?? 0)
    if damaged > 0 {
      innerDamage = (innerDamage?.first ?? offset ?? 0, (innerDamage?.bytes ?? 0) + damaged)
    }
    if inner.cut != nil { innerCut = innerCut ?? offset }
  }

  private mutating func readKernelEvents(
    _ content: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> Bool {
    guard var bundle = PerfettoKernelBundle(content, in: &builder) else { return false }
    return bundle.addEvents(to: &trackEvents.work, &trackEvents.clocks, in: &builder)
  }

  private mutating func readFrame(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Bool {
    guard let event = PerfettoFrameEvent(content) else { return false }
    if event.hasInvalidValue { builder.countLoss(.invalidValue) }
    if let time = trackEvents.clocks.time(of: packet, in: &builder) {
      trackEvents.addHole(beforeFrameAt: time, sequence: position)
      frames.add(event, at: time)
    }
    return true
  }

  private mutating func readSample(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, in builder: inout TraceBuilder
  ) -> Bool {
    guard let time = trackEvents.clocks.time(of: packet, in: &builder) else { return true }
    return packet.contentNumber == 66
      ? samples.addPerfSample(content, packet, at: time, in: &builder)
      : samples.addStackSample(content, packet, at: time, in: &builder)
  }

  private mutating func readStream(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Bool {
    let state = trackEvents.sequences.states[position]
    return samples.addStream(
      content, packet, of: state.thread ?? (0, 0), from: state.reference, in: &builder)
  }

  // MARK: - Losses

  /// Reports the trace's damage, and data lost before it was written.
  private func reportDamage(in builder: inout TraceBuilder) {
    if let damage = packets.damage {
      builder.addNotice(
        "\(Self.text(damage.bytes)) could not be read as packets, the first at byte \(damage.first);"
          + " the packets around them are kept")
    }
    if let cut = packets.cut {
      builder.source.wasClosed = false
      builder.addNotice(
        "the trace ends inside a packet at byte \(cut.offset); \(Self.text(cut.bytes))"
          + " \(cut.bytes == 1 ? "is" : "are") unread")
    }
    reportInnerDamage(in: &builder)
    buffers.report(in: &builder)
    builder.addNotice(
      "packets compressed with zstd, which cannot be decompressed here, omitted", count: unexpanded)
    if !unread.isEmpty {
      let list = unread.sorted { $0.key < $1.key }.map { number, count in
        "\(Self.unreadKinds[number] ?? "field \(number)") (\(count))"
      }
      builder.addNotice("packets of kinds that are not read: \(list.joined(separator: ", "))")
    }
    builder.addNotice(
      "packets skipped, because no snapshot relates their clock",
      count: trackEvents.clocks.unknownClockCount)
    builder.addNotice("packets that use names from before the recording, omitted", count: unnamed)
  }

  private static func text(_ bytes: some BinaryInteger) -> String {
    bytes == 1 ? "1 byte" : "\(bytes) bytes"
  }

  private func reportInnerDamage(in builder: inout TraceBuilder) {
    if let damage = innerDamage {
      builder.addNotice(
        "\(Self.text(damage.bytes)) of compressed packets could not be read, the first in the packet"
          + " at byte \(damage.first)")
    }
    if let innerCut {
      builder.source.wasClosed = false
      builder.addNotice(
        "the compressed data in the packet at byte \(innerCut) ends inside a packet")
    }
  }

  // MARK: - The end

  private mutating func finish(in builder: inout TraceBuilder) {
    var collector = ChromeEventCollector()
    collector.flutter = flutter
    collector.spans.reportsLosses = true
    swap(&collector.samples, &trackEvents.profiles)
    // Frames come from another process than the rest, which can reach further.
    if packets.cut != nil, let last = frames.lastTime { builder.addHole(from: last) }
    trackEvents.work.finish(in: &collector, &builder)
    let app = frames.finish(
      trackEvents.work.processes, tracks: collector.tracks, besides: collector.recorded.process,
      in: &builder)
    let isPageHost = collector.finish(app: app, in: &builder)
    trackEvents.addHoles(to: &builder)
    flutter = collector.flutter
    if let app, !isPageHost { setHost(app, in: &builder) }
  }

  private func setHost(_ app: UInt64, in builder: inout TraceBuilder) {
    let process = builder.process(app)
    builder.setHost(process)
    // A process without work of its own has no name yet.
    if let name = trackEvents.work.processes.name(app) { builder.setName(name, of: process) }
  }
}
