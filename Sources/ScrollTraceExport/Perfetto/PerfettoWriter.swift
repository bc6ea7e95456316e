import ScrollTraceLayout
import ScrollTraceModel

/// Writes the parts of a trace as packets.
struct PerfettoWriter: TraceWriter, ~Copyable {
  private typealias Field = PerfettoField

  /// A group of rows for spans that can overlap.
  private struct Group: Hashable {
    var process: ProcessID?
    var track: TrackID?
    var label: LabelID?
    var name: String
  }

  private let trace: Trace
  private let numbers: SmallNumbers
  /// The host's process, or `nil` if there is none.
  private let host: ProcessID?
  private var output: ExportOutput
  private(set) var leftOut = ExportOmissions()
  private var lanes: [Group: PerfettoLanes] = [:]
  private var nextTrack: UInt64 = 1
  /// The event that is being written, whose memory all share.
  private var event = ProtoMessage()
  /// The numbers of the names that packets so far define, by handle and kind, or 0.
  private var names: [UInt32]
  /// How many names of each kind packets so far define.
  private var nameCounts: [Field.Name: UInt32] = [:]
  /// The starts of spans that differ only in their times, by label, of the thread that used it last.
  private var starts: [RepeatedPacket]
  /// The texts in UTF-8 that annotations have, by handle.
  private var texts: [[UInt8]?] = []
  private var processTracks: [UInt64] = []
  /// The row of the process that makes frames if the trace has none.
  private var rootTrack: UInt64?
  private static let unknownProcess: Int64 = 1
  private var threadTracks: [UInt64] = []

  init(_ trace: Trace, _ output: consuming ExportOutput) {
    self.trace = trace
    self.output = output
    var numbers = SmallNumbers(trace)
    numbers.numberMainThread(of: trace)
    self.numbers = numbers
    names = Array(repeating: 0, count: trace.strings.count * 3)
    starts = Array(repeating: RepeatedPacket(), count: trace.labels.labels.count)
    host =
      trace.mainTrack.map { trace.tracks[$0.index].process }
      ?? trace.tracks.first { trace.processes[$0.process.index].isHost }?.process
  }

  consuming func finish() -> ExportOutput { output }

  /// Writes everything that packets can represent, and counts the rest.
  mutating func writeAll() {
    writeProcesses()
    writeFrames()
    for interaction in trace.interactions { write(interaction) }
    writeStates()
    for (id, track) in trace.numberedTracks { write(track.spans, on: id) }
    for span in trace.openSpans { write(span) }
    for span in trace.asyncSpans { write(span) }
    for mark in trace.marks {
      addEvent(
        .instant, on: threadTracks[mark.track.index], at: mark.time, mark.label,
        list: mark.arguments)
    }
    for counter in trace.counters { write(counter) }
    for point in trace.flows { write(point) }
    writeThreadTimes()
    leftOut.addSurfaces(of: trace)
    leftOut.addFacts(about: trace)
    leftOut.add(.changedName, numbers.changedCount)
  }

  // MARK: - Rows

  private mutating func writeProcesses() {
    if host == nil {
      var message = ProtoMessage()
      message.add(Field.Track.processID, Self.unknownProcess)
      rootTrack = addTrack(Field.Track.process, message)
    }
    for (index, process) in trace.processes.enumerated() {
      var message = ProtoMessage()
      message.add(Field.Track.processID, numbers.processes[index])
      if !process.name.isEmpty { message.add(Field.Track.processName, process.name) }
      processTracks.append(addTrack(Field.Track.process, message))
    }
    for (index, track) in trace.tracks.enumerated() {
      var message = ProtoMessage()
      message.add(Field.Track.processID, numbers.processes[track.process.index])
      message.add(Field.Track.threadID, numbers.threads[index])
      if !track.name.isEmpty { message.add(Field.Track.threadName, track.name) }
      threadTracks.append(addTrack(Field.Track.thread, message))
    }
  }

  private mutating func addTrack(
    _ field: UInt64? = nil, _ part: borrowing ProtoMessage = ProtoMessage(), name: String = "",
    parent: UInt64? = nil
  ) -> UInt64 {
    let number = nextTrack
    nextTrack += 1
    var descriptor = ProtoMessage()
    descriptor.add(Field.Track.uuid, number)
    if let parent { descriptor.add(Field.Track.parent, parent) }
    if !name.isEmpty { descriptor.add(Field.Track.name, name) }
    if let field { descriptor.add(field, part) }
    var packet = ProtoMessage()
    packet.add(Field.Packet.track, descriptor)
    if number == 1 { packet.add(Field.Packet.flags, Field.Flag.forgetsNames) }
    add(packet)
    return number
  }

  private mutating func lane(_ group: Group, from start: Timestamp, to end: Timestamp?) -> UInt64 {
    let end = end?.nanoseconds ?? .max
    if let lane = lanes[group]?.occupy(from: start.nanoseconds, to: end) { return lane }
    let parent =
      group.track.map { threadTracks[$0.index] }
      ?? group.process.map { processTracks[$0.index] } ?? rootTrack
    let lane = addTrack(name: group.name, parent: parent)
    lanes[group, default: PerfettoLanes()].add(lane, to: end)
    return lane
  }

  // MARK: - Spans

  private mutating func write(_ spans: SpanColumns, on track: TrackID) {
    let row = threadTracks[track.index]
    beginEvent(.end, on: row)
    let end = RepeatedPacket(event.bytes, on: row, usesNames: false)
    // The end of the innermost open span, the maximum if there is none, and of those around it.
    var innermostEnd = Int64.max
    var outerEnds: [Int64] = []
    spans.forEachBlock { block in
      guard !output.hasFailed else { return }
      spans.withArguments(inBlockAt: block.first) { lists in
        for (index, bounds) in block.times.enumerated() {
          while innermostEnd <= bounds.start, let outer = outerEnds.popLast() {
            write(end, at: innermostEnd)
            innermostEnd = outer
          }
          let label = block.labels[index]
          let list = lists.isEmpty ? .none : lists[index]
          guard bounds.end <= innermostEnd else {
            writeCrossing(spans[block.first + index].range, label, list, on: track)
            continue
          }
          outerEnds.append(innermostEnd)
          innermostEnd = bounds.end
          let number = Int(label.rawValue)
          guard list == .none, number < starts.count else {
            addEvent(.start, on: row, at: Timestamp(clamping: bounds.start), label, list: list)
            continue
          }
          if starts[number].row != row { setStart(of: label, on: row) }
          write(starts[number], at: bounds.start)
        }
      }
    }
    while let outer = outerEnds.popLast() {
      write(end, at: innermostEnd)
      innermostEnd = outer
    }
  }

  @inline(never)
  private mutating func setStart(of label: LabelID, on row: UInt64) {
    beginEvent(.start, on: row)
    addFields(of: label)
    starts[Int(label.rawValue)] = RepeatedPacket(event.bytes, on: row, usesNames: true)
  }

  /// Writes a span that crosses another one on a row of its own, because on a thread's row, spans are nested.
  private mutating func writeCrossing(
    _ range: TimeRange, _ label: LabelID, _ list: ArgumentListID, on track: TrackID
  ) {
    leftOut.add(.crossingSpan)
    let group = Group(track: track, name: trace.displayName(of: track) + ", crossing")
    let row = lane(group, from: range.start, to: range.end)
    addEvent(.start, on: row, at: range.start, label, list: list, overlaps: true)
    addEnd(on: row, at: range.end)
  }

  private mutating func write(_ span: AsyncSpan) {
    let process = trace.tracks[span.track.index].process
    let group = Group(process: process, label: span.label, name: trace.name(of: span.label))
    let row = lane(group, from: span.range.start, to: span.range.end)
    addEvent(.start, on: row, at: span.range.start, span.label, list: span.arguments)
    addEnd(on: row, at: span.range.end)
  }

  /// On a separate row, because an end on the thread's row would be matched with the open span.
  private mutating func write(_ span: OpenSpan) {
    let group = Group(
      track: span.track, name: trace.displayName(of: span.track) + ", open at the end")
    let row = lane(group, from: span.since, to: nil)
    addEvent(.start, on: row, at: span.since, span.label, item: span.item)
  }

  // MARK: - Others

  private mutating func write(_ interaction: Interaction) {
    let name = interaction.name.isEmpty ? interaction.kind : interaction.name
    let row = lane(
      Group(process: host, name: "interactions"), from: interaction.start, to: interaction.end)
    let surface = interaction.surface.map { trace.surfaces[$0.index].name }
    addEvent(
      .start, on: row, at: interaction.start, Vocabulary.Category.interaction.description, name
    ) {
      if !interaction.name.isEmpty { $0.annotate(.kind, interaction.kind) }
      if let surface { $0.annotate(.surface, surface) }
    }
    if let end = interaction.end { addEnd(on: row, at: end) }
  }

  /// Writes a row for each key, on which each value is a span until the next, and no value an instant.
  private mutating func writeStates() {
    var rows: [String: (row: UInt64, isOpen: Bool)] = [:]
    for change in trace.states {
      var state = rows[change.key] ?? (0, false)
      if state.row == 0 {
        state.row = addTrack(name: change.key, parent: host.map { processTracks[$0.index] })
      }
      if state.isOpen { addEnd(on: state.row, at: change.time) }
      state.isOpen = change.value != nil
      rows[change.key] = state
      let category = Vocabulary.Category.state.description
      guard let value = change.value else {
        addEvent(.instant, on: state.row, at: change.time, category, change.key)
        continue
      }
      addEvent(.start, on: state.row, at: change.time, category, value) {
        $0.annotate(.key, change.key)
        $0.annotate(.value, value)
      }
    }
  }

  private mutating func write(_ counter: Counter) {
    var name = trace.name(of: counter.label)
    let series = trace.strings[counter.series]
    if !series.isEmpty, series != Vocabulary.Key.value.description { name += " " + series }
    if counter.id != 0 { name += " \(counter.id)" }
    let row = addTrack(
      Field.Track.counter, name: name, parent: host.map { processTracks[$0.index] })
    for (time, value) in zip(counter.times, counter.values) {
      addValue(value, of: row, at: Timestamp(clamping: time))
      guard !output.hasFailed else { return }
    }
  }

  private mutating func addValue(_ value: Double, of row: UInt64, at time: Timestamp) {
    beginEvent(.counter, on: row)
    event.add(Field.Event.value, value)
    endEvent(at: time)
  }

  private mutating func write(_ point: FlowPoint) {
    beginEvent(.instant, on: threadTracks[point.track.index])
    addFields(of: point.label)
    event.addFixed(point.kind == .end ? Field.Event.lastFlow : Field.Event.flow, point.id)
    endEvent(at: point.time)
  }

  // MARK: - Events

  private mutating func addEvent(
    _ kind: Field.Kind, on row: UInt64, at time: Timestamp, _ label: LabelID,
    list: ArgumentListID = .none, item: ArgumentValue? = nil, overlaps: Bool = false
  ) {
    beginEvent(kind, on: row)
    if overlaps {
      event.add(Field.Event.category, trace.overlapCategory(of: label))
      event.add(Field.Event.name, trace.name(of: label))
    } else {
      addFields(of: label)
    }
    if let item {
      addAnnotation(item) { $0.add(Field.Annotation.name, Vocabulary.Key.item.description) }
    }
    if list != .none {
      let arguments = trace.arguments
      arguments.forEach(in: list) { argument in
        let number = number(of: argument.key, as: .annotation)
        addAnnotation(argument.value) { $0.add(Field.Annotation.nameNumber, number) }
      }
    }
    endEvent(at: time)
  }

  private mutating func addEvent(
    _ kind: Field.Kind, on row: UInt64, at time: Timestamp, _ category: String, _ name: String,
    annotate: (inout ProtoMessage) -> Void = { _ in }
  ) {
    beginEvent(kind, on: row)
    if !category.isEmpty { event.add(Field.Event.category, category) }
    event.add(Field.Event.name, name)
    annotate(&event)
    endEvent(at: time)
  }

  private mutating func addEnd(on row: UInt64, at time: Timestamp) {
    beginEvent(.end, on: row)
    endEvent(at: time)
  }

  private mutating func beginEvent(_ kind: Field.Kind, on row: UInt64) {
    event.removeAll()
    event.add(Field.Event.type, kind.rawValue)
    event.add(Field.Event.track, row)
  }

  private mutating func endEvent(at time: Timestamp) {
    write(event.bytes, as: Field.Packet.event, at: time)
  }

  /// Writes a packet of one message and its time, whose size is known without making it.
  private mutating func write(
    _ message: UnsafeRawBufferPointer, as field: UInt64, at time: Timestamp
  ) {
    let instant = UInt64(time.nanoseconds)
    let size = UInt64(message.count)
    let tag = field << 3 | 2
    let header = 1 + Self.varintSize(instant) + Self.varintSize(tag) + Self.varintSize(size)
    output.appendNumber { start in
      var end = start
      end.add(varint: Field.Trace.packet << 3 | 2)
      end.add(varint: header + size + 4)
      end.add(varint: Field.Packet.timestamp << 3)
      end.add(varint: instant)
      end.add(varint: tag)
      end.add(varint: size)
      return end - start
    }
    output.append(message)
    output.appendNumber { start in
      var end = start
      end.add(varint: Field.Packet.flags << 3)
      end.add(varint: Field.Flag.usesNames)
      end.add(varint: Field.Packet.sequence << 3)
      end.add(varint: 1)
      return end - start
    }
  }

  @inline(__always)
  private mutating func write(_ packet: RepeatedPacket, at time: Int64) {
    output.appendNumber { packet.write(to: $0, at: Timestamp(clamping: time)) }
  }

  private static func varintSize(_ number: UInt64) -> UInt64 {
    UInt64((64 - (number | 1).leadingZeroBitCount + 6) / 7)
  }

  /// Adds the category and the name of a label to the event.
  private mutating func addFields(of label: LabelID) {
    let label = trace.labels[label]
    if label.category != .empty {
      event.add(Field.Event.categoryNumber, number(of: label.category, as: .category))
    }
    event.add(Field.Event.nameNumber, number(of: label.name, as: .event))
  }

  /// Returns the number of a name of a kind, which a packet defines before the first event that uses it.
  private mutating func number(of name: StringID, as kind: Field.Name) -> UInt64 {
    // A handle of another trace has the empty name.
    let name = Int(name.rawValue) < trace.strings.count ? name : .empty
    let index = Int(name.rawValue) * 3 + kind.rawValue - 1
    if names[index] == 0 {
      nameCounts[kind, default: 0] += 1
      names[index] = nameCounts[kind] ?? 0
      define(name, as: kind, UInt64(names[index]))
    }
    return UInt64(names[index])
  }

  @inline(never)
  private mutating func define(_ name: StringID, as kind: Field.Name, _ number: UInt64) {
    var entry = ProtoMessage()
    entry.add(Field.Name.number, number)
    entry.add(Field.Name.text, trace.strings[name])
    var definitions = ProtoMessage()
    definitions.add(UInt64(kind.rawValue), entry)
    var packet = ProtoMessage()
    packet.add(Field.Packet.names, definitions)
    add(packet)
  }

  private mutating func text(of id: StringID) -> [UInt8] {
    let index = Int(id.rawValue)
    if index < texts.count, let text = texts[index] { return text }
    let text = Array(trace.strings[id].utf8)
    if index >= texts.count { texts += repeatElement(nil, count: index + 1 - texts.count) }
    texts[index] = text
    return text
  }

  /// Adds an annotation of the event, whose name or its number `addName` adds.
  private mutating func addAnnotation(
    _ value: ArgumentValue, _ addName: (inout ProtoMessage) -> Void
  ) {
    let text = if case .string(let id) = value { text(of: id) } else { [UInt8]() }
    event.add(Field.Event.annotation) { message in
      addName(&message)
      switch value {
      case .integer(let number): message.add(Field.Annotation.integer, number)
      case .unsigned(let number): message.add(Field.Annotation.unsigned, number)
      case .double(let number): message.add(Field.Annotation.double, number)
      case .bool(let truth): message.add(Field.Annotation.bool, truth)
      case .string: message.add(Field.Annotation.string, text)
      case .null: break
      }
    }
  }

  private mutating func add(_ packet: consuming ProtoMessage) {
    packet.add(Field.Packet.sequence, UInt64(1))
    var message = ProtoMessage()
    message.add(Field.Trace.packet, packet)
    output.append(message.bytes)
  }

  // MARK: - Frames and hitches

  private mutating func writeFrames() {
    let process = host.map { numbers.processes[$0.index] } ?? Self.unknownProcess
    let keepsNumbers = hasOwnNumbers
    var token: Int64 = 0
    for surface in trace.surfaces {
      if !surface.frames.isEmpty { writeProperties(of: surface) }
      let rows = "frames of " + surface.name
      for index in 0..<surface.frames.count {
        let frame = surface.frames[index]
        token = keepsNumbers ? Int64(frame.id) : token + 1
        var timeline = PerfettoTimelineFrame(frame, of: surface, process: process, token: token)
        timeline.writeEvents { write($1, as: Field.Packet.frame, at: $0) }
        write(frame, of: surface, on: rows)
        guard !output.hasFailed else { return }
      }
      for hitch in surface.listedHitches { write(hitch, of: surface) }
    }
  }

  private mutating func writeProperties(of surface: Surface) {
    let time = trace.range.start
    let row = lane(Group(process: host, name: "surfaces"), from: time, to: time)
    addEvent(
      .instant, on: row, at: time, Vocabulary.Category.surface.description, surface.name
    ) {
      for property in surface.properties() { $0.annotate(property.key.rawValue, property.text) }
    }
  }

  /// Whether the numbers of all frames are unique and valid as tokens.
  private var hasOwnNumbers: Bool {
    var seen: Set<UInt64> = []
    for surface in trace.surfaces {
      for index in 0..<surface.frames.count {
        let id = surface.frames[index].id
        guard 1..<(1 << 48) ~= id, seen.insert(id).inserted else { return false }
      }
    }
    return true
  }

  /// Writes all times of a frame as a span below the thread that committed it. Android's timeline has no names of
  /// surfaces, no presentations and no refresh intervals.
  private mutating func write(_ frame: Frame, of surface: Surface, on rows: String) {
    guard let range = frame.shownRange else { return leftOut.add(.frame) }
    let row = lane(
      Group(process: host, track: frame.track, name: rows), from: range.start, to: range.end)
    let label = frame.sourceLabel.map { trace.strings[$0] }
    addEvent(
      .start, on: row, at: range.start, Vocabulary.Category.frame.description, surface.name
    ) { message in
      message.annotate(.frame) { $0.add(Field.Annotation.unsigned, frame.id) }
      frame.forEachKeyedTime { key, time in
        message.annotate(key) { annotation in
          annotation.add(Field.Annotation.string) { $0.append(microseconds: time) }
        }
      }
      if let word = frame.outcomeWord { message.annotate(.outcome, word.description) }
      if let label { message.annotate(.label, label) }
    }
    addEnd(on: row, at: range.end)
  }

  private mutating func write(_ hitch: ListedHitch, of surface: Surface) {
    let end = hitch.start + hitch.length
    if hitch.refreshInterval != nil { leftOut.add(.refreshInterval) }
    let row = lane(
      Group(process: host, name: "hitches of " + surface.name), from: hitch.start, to: end)
    let name = hitch.sourceLabel.map { trace.strings[$0] } ?? "hitch"
    addEvent(.start, on: row, at: hitch.start, Vocabulary.Category.hitch.description, name)
    addEnd(on: row, at: end)
  }

  // MARK: - Threads

  /// Writes the samples and slices of all threads: their counts as counters, and their states as kernel
  /// events.
  private mutating func writeThreadTimes() {
    for (id, track) in trace.numberedTracks where !track.threadTimes.isEmpty {
      write(track.threadTimes, on: id)
      guard !output.hasFailed else { return }
    }
    guard trace.tracks.contains(where: { !$0.threadStates.isEmpty }) else { return }
    if PerfettoSwitches.canTell(trace, numbers) {
      writeSwitches()
    } else {
      for (id, track) in trace.numberedTracks where !track.threadStates.isEmpty {
        write(track.threadStates, on: id)
      }
    }
  }

  private mutating func write(_ times: ThreadTimeColumns, on track: TrackID) {
    var counter = ProtoMessage()
    counter.add(Field.Counter.type, Field.Counter.threadTime)
    let row = addTrack(
      Field.Track.counter, counter, name: "CPU time", parent: threadTracks[track.index])
    for index in 0..<times.count {
      let sample = times[index]
      if !sample.hasOnlyCPU { leftOut.add(.threadTime) }
      guard let cpu = sample.cpu else { continue }
      addValue(Double(cpu), of: row, at: Timestamp(clamping: times.time(at: index)))
    }
  }

  /// Writes slices on a separate row: real switches would require the cores.
  private mutating func write(_ states: ThreadStateColumns, on track: TrackID) {
    let row = addTrack(name: "thread state", parent: threadTracks[track.index])
    leftOut.add(.threadState, states.count)
    for index in 0..<states.count {
      let name =
        switch states.states[index] {
        case .running: "Running"
        case .ready: "Runnable"
        case .blocked: "Sleeping"
        }
      addEvent(
        .start, on: row, at: Timestamp(clamping: states.starts[index]),
        Vocabulary.Category.thread.description, name)
      addEnd(on: row, at: Timestamp(clamping: states.ends[index]))
      guard !output.hasFailed else { return }
    }
  }

  // MARK: - Events of the kernel

  private static let bundleSize = 512

  private mutating func writeSwitches() {
    let switches = PerfettoSwitches(trace)
    leftOut.add(.threadState, switches.unwrittenCount)
    var bundle = ProtoMessage()
    var (core, count) = (Int16(0), 0)
    for event in switches.events {
      if count == Self.bundleSize || (count > 0 && event.core != core) {
        addBundle(bundle)
        count = 0
      }
      if count == 0 {
        core = event.core
        bundle = ProtoMessage()
        bundle.add(Field.Kernel.core, UInt64(UInt16(bitPattern: core)))
      }
      bundle.add(Field.Kernel.event, message(event))
      count += 1
      guard !output.hasFailed else { return }
    }
    if count > 0 { addBundle(bundle) }
  }

  private mutating func addBundle(_ bundle: borrowing ProtoMessage) {
    var packet = ProtoMessage()
    packet.add(Field.Packet.kernel, bundle)
    add(packet)
  }

  private func message(_ event: PerfettoSwitches.Event) -> ProtoMessage {
    var message = ProtoMessage()
    message.add(Field.Kernel.time, UInt64(Timestamp(clamping: event.time).nanoseconds))
    message.add(Field.Kernel.thread, number(event.thread))
    var content = ProtoMessage()
    if let reason = event.reason {
      content.add(Field.Switch.previousName, name(event.thread))
      content.add(Field.Switch.previous, number(event.thread))
      content.add(Field.Switch.reason, reason)
      content.add(Field.Switch.nextName, name(event.other))
      content.add(Field.Switch.next, number(event.other))
      message.add(Field.Kernel.schedulerSwitch, content)
    } else {
      content.add(Field.Wakeup.name, name(event.other))
      content.add(Field.Wakeup.thread, number(event.other))
      message.add(Field.Kernel.wakeup, content)
    }
    return message
  }

  private func number(_ track: TrackID?) -> Int64 { track.map { numbers.threads[$0.index] } ?? 0 }

  private func name(_ track: TrackID?) -> String {
    track.map { trace.tracks[$0.index].name } ?? "swapper"
  }
}

/// A packet of a short event that has the same bytes behind its time as others.
private struct RepeatedPacket {
  private typealias Field = PerfettoField

  private var bytes = SIMD32<UInt8>()
  /// The row of the event, or 0 for no packet.
  private(set) var row: UInt64 = 0
  private var count = 0

  init() {}

  /// - Parameter event: An event of at most 26 bytes: its kind, row, category and name, each a number.
  init(_ event: UnsafeRawBufferPointer, on row: UInt64, usesNames: Bool) {
    self.row = row
    var fields = ProtoMessage()
    fields.add(Field.Packet.event, event)
    if usesNames { fields.add(Field.Packet.flags, Field.Flag.usesNames) }
    fields.add(Field.Packet.sequence, UInt64(1))
    for (index, byte) in fields.bytes.enumerated() { bytes[index] = byte }
    count = fields.bytes.count
  }

  /// Writes the packet to memory with room for 48 bytes, and returns the number of its bytes.
  @inline(__always)
  func write(to start: UnsafeMutableRawPointer, at time: Timestamp) -> Int {
    var end = start + 2
    end.add(varint: Field.Packet.timestamp << 3)
    end.add(varint: UInt64(time.nanoseconds))
    withUnsafeBytes(of: bytes) { bytes in
      // All of them, because a fixed number is copied fastest.
      if let first = bytes.baseAddress { end.copyMemory(from: first, byteCount: bytes.count) }
    }
    end += count
    var first = start
    first.add(UInt8(Field.Trace.packet << 3 | 2))
    first.add(UInt8(truncatingIfNeeded: end - first - 1))
    return end - start
  }
}

extension ProtoMessage {
  /// Adds an annotation of an event, whose value `body` adds.
  fileprivate mutating func annotate(_ key: String, _ body: (inout ProtoMessage) -> Void) {
    add(PerfettoField.Event.annotation) {
      $0.add(PerfettoField.Annotation.name, key)
      body(&$0)
    }
  }

  fileprivate mutating func annotate(
    _ key: Vocabulary.Key, _ body: (inout ProtoMessage) -> Void
  ) {
    annotate(key.description, body)
  }

  fileprivate mutating func annotate(_ key: String, _ text: String) {
    annotate(key) { $0.add(PerfettoField.Annotation.string, text) }
  }

  fileprivate mutating func annotate(_ key: Vocabulary.Key, _ text: String) {
    annotate(key.description, text)
  }
}
