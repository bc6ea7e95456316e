import ScrollTraceModel

/// Walks through the packets of a trace and collects their content.
struct PerfettoReader: ~Copyable {
  var packets: PerfettoPackets
  var clocks = PerfettoClocks()
  var sequences = PerfettoSequences()
  var processes = PerfettoProcesses()
  var tracks = PerfettoTracks()
  var events = PerfettoEvents()
  var schedule = PerfettoSchedule()
  var threadTimes = PerfettoThreadTimes()
  var arguments = PerfettoArguments()
  var frames = PerfettoFrameTimeline()
  var samples = PerfettoSamples()
  /// The category of lines in the kernel's buffer, once there was one.
  var lineCategory: StringID?
  var calls: PerfettoCalls?
  var callNames = ChromeCallNames()
  /// The frames of Flutter's engine.
  var flutter = FlutterEvents()
  /// The positions of the labels of calls.
  var recentCalls = RecentValues<RecentTexts, Int32>(count: 64)
  private var inflater: PerfettoInflater?
  /// The time of the current packet, or `nil` if its clock cannot be read.
  private var placed: Int64?
  /// The time of the last packet that had one.
  private var latest: Int64 = 0
  /// The number of packets whose clock no snapshot contains.
  private var unplaced: UInt64 = 0
  /// The number of packets with an unsupported compression.
  private var unexpanded: UInt64 = 0
  /// The recorder's statistics of its buffers.
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

  /// Creates a reader of the trace in `source`, with the decompression limit of `options`.
  init(_ source: any ByteSource, options: ImportOptions) {
    maximumExpandedByteCount = options.maximumDecompressedByteCount
    packets = PerfettoPackets(source)
    if let count = source.byteCount { events.reserve(forByteCount: count) }
  }

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
    samples.note(in: &builder)
    finish(in: &builder)
  }

  // MARK: - Packets

  private mutating func take(
    _ packet: PerfettoPacket, in builder: inout TraceBuilder
  ) throws(ImportError) {
    if packet.contentNumber == 50, let content = packet.content {
      return try takeCompressed(content, in: &builder)
    }
    guard let position = sequences.enter(packet, in: &builder) else {
      unnamed += 1
      return builder.countLoss(.sourceDroppedRecords)
    }
    if packet.contentNumber == 6, let content = packet.content {
      // A snapshot contains its own time.
      if !clocks.add(content, sequence: packet.sequence) { builder.countLoss(.malformedRecord) }
      return
    }
    // If times are incremental, each packet is an increment, whatever its content.
    place(packet, at: position)
    samples.enter(packet, in: &builder)
    guard let content = packet.content else { return }
    if !take(content, packet, at: position, in: &builder) { builder.countLoss(.malformedRecord) }
  }

  /// Adds a packet's content; returns `false` if it is damaged.
  private mutating func take(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Bool {
    switch packet.contentNumber {
    case 1: return takeKernelEvents(content, in: &builder)
    case 2: return processes.addTree(content)
    case 11: return takeTrackEvent(content, packet, at: position, in: &builder)
    case 35: return buffers.read(content)
    case 43: return processes.addProcess(content) != nil
    case 44: return takeThread(content, at: position)
    case 60: return tracks.add(content, &processes, in: &builder)
    case 76: return takeFrame(content, packet, in: &builder)
    case 54: return takeStream(content, packet, at: position, in: &builder)
    case 66, 135: return takeSample(content, packet, in: &builder)
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
  private mutating func takeThread(_ content: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var fields = WireFields(content)
    var reference: Int64 = 0
    while fields.next() { if fields.number == 6, !fields.isBytes { reference = fields.signed } }
    sequences.states[position].thread = tracks.addThread(content)
    let (nanoseconds, overflow) = reference.multipliedReportingOverflow(by: 1000)
    sequences.states[position].reference = overflow ? 0 : nanoseconds
    return !fields.isDamaged && !overflow
  }

  /// Adds the packets compressed in one packet.
  private mutating func takeCompressed(
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
        try take(packet, in: &builder)
      }
    }
    builder.offset = offset
    let damaged = UInt64(expanded.damagedByteCount) + (inner.damage?.bytes ?? 0)
    if damaged > 0 {
      innerDamage = (innerDamage?.first ?? offset ?? 0, (innerDamage?.bytes ?? 0) + damaged)
    }
    if inner.cut != nil { innerCut = innerCut ?? offset }
  }

  private mutating func takeFrame(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, in builder: inout TraceBuilder
  ) -> Bool {
    guard let event = PerfettoFrameEvent(content) else { return false }
    if event.hasInvalidValue { builder.countLoss(.invalidValue) }
    if let time = time(of: packet, in: &builder) { frames.add(event, at: time) }
    return true
  }

  private mutating func takeSample(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, in builder: inout TraceBuilder
  ) -> Bool {
    guard let time = time(of: packet, in: &builder) else { return true }
    return packet.contentNumber == 66
      ? samples.addPerfSample(content, packet, at: time, in: &builder)
      : samples.addStackSample(content, packet, at: time, in: &builder)
  }

  private mutating func takeStream(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Bool {
    let state = sequences.states[position]
    return samples.addStream(
      content, packet, of: state.thread ?? (0, 0), from: state.reference, in: &builder)
  }

  /// Works out when the packet was written.
  private mutating func place(_ packet: PerfettoPacket, at position: Int) {
    guard let timestamp = packet.timestamp else {
      placed = latest
      return
    }
    let clock = packet.clock ?? sequences.defaultClock(at: position)
    placed = clocks.place(timestamp, clock: clock, sequence: packet.sequence)
    if let placed, placed >= 0 { latest = placed }
  }

  /// Returns the time of the packet's event, or counts a loss and returns `nil` if it is unknown.
  mutating func time(
    of packet: PerfettoPacket, in builder: inout TraceBuilder
  ) -> Timestamp? {
    if let time = placed.flatMap(Timestamp.init(nanoseconds:)) { return time }
    if placed == nil, packet.timestamp.map({ $0 <= UInt64(Int64.max) }) == true { unplaced += 1 }
    builder.countLoss(.timeOutOfRange)
    return nil
  }

  // MARK: - Losses

  /// Reports the trace's damage, and data lost before it was written.
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
    noteInnerDamage(in: &builder)
    buffers.note(in: &builder)
    if unexpanded > 0 {
      builder.addNotice(
        .source(
          "packets compressed with zstd, which cannot be expanded here, left out: \(unexpanded)"))
    }
    if !unread.isEmpty {
      let list = unread.sorted { $0.key < $1.key }.map { number, count in
        "\(Self.unreadKinds[number] ?? "field \(number)") (\(count))"
      }
      builder.addNotice(
        .source("packets of kinds that are not read: \(list.joined(separator: ", "))"))
    }
    if unplaced > 0 {
      builder.addNotice(
        .source("packets skipped, because no snapshot relates their clock: \(unplaced)"))
    }
    if unnamed > 0 {
      builder.addNotice(
        .source("packets that use names from before the recording, left out: \(unnamed)"))
    }
  }

  private func noteInnerDamage(in builder: inout TraceBuilder) {
    if let damage = innerDamage {
      builder.addNotice(
        .source(
          "\(damage.bytes) bytes of compressed packets could not be read, the first in the packet"
            + " at byte \(damage.first)"))
    }
    if let innerCut {
      builder.source.wasClosed = false
      builder.addNotice(
        .source("what is compressed in the packet at byte \(innerCut) ends inside a packet"))
    }
  }
}

/// Lines that Android's system libraries and apps write into the kernel's trace buffer:
/// `B|4242|Choreographer#doFrame 17`, and `E|4242` at its end.
extension PerfettoReader {
  /// Takes a line; `false` for one of which nothing was made.
  mutating func takeLine(
    _ bytes: UnsafeRawBufferPointer, at time: Timestamp, of thread: UInt64,
    in builder: inout TraceBuilder
  ) -> Bool {
    let text = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    let line: PerfettoLine
    switch PerfettoLine.read(text) {
    case .line(let read): line = read
    case .none: return false
    case .loss(let reason):
      builder.countLoss(reason)
      return false
    }
    // The line names the process, not the thread; an end can lack both.
    let process = line.process ?? processes.process(of: thread)
    if let named = line.process, named > 0 { processes.setProcess(named, of: thread) }
    let track =
      line.lane.map {
        tracks.position(
          process: process, thread: nil, lane: string($0, in: &builder), cookie: line.number ?? 0)
      } ?? tracks.position(process: process, thread: thread)
    let event = PerfettoEvents.Event(
      time: time, spot: events.spot(track: track, home: nil),
      entry: entry(of: line, in: &builder), kind: line.kind)
    if let number = line.number {
      events.add(
        event,
        PerfettoEvents.Detail(
          value: Double(number), id: UInt64(bitPattern: number), isLocal: true))
    } else {
      events.add(event)
    }
    return true
  }

  private mutating func entry(
    of line: PerfettoLine, in builder: inout TraceBuilder
  ) -> Int32 {
    let category = lineCategory ?? builder.string("atrace")
    lineCategory = category
    let name = string(line.commonName, in: &builder)
    return events.entry(category: category, name: name, in: &builder)
  }

  private func string(_ text: PerfettoLine.Text, in builder: inout TraceBuilder) -> StringID {
    builder.string(UnsafeRawBufferPointer(rebasing: text).bindMemory(to: UInt8.self))
  }
}
