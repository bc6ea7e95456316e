import ScrollTraceModel

extension PerfettoReader {
  /// The phases that mean nothing here, as in Chrome's JSON format.
  private static let passedPhases = Set("PNDOVvc()nTp".utf8)

  /// Takes an event of a track; `false` where it is damaged.
  mutating func takeTrackEvent(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Bool {
    guard let event = PerfettoTrackEvent(content) else { return false }
    guard let time = time(of: event, packet, at: position, in: &builder) else { return true }
    builder.extend(to: time)
    let home = home(ofSequence: position)
    let track = track(of: event, home: home, at: position)
    let entry = entry(of: event, at: position, in: &builder)
    var new = PerfettoEvents.Event(
      time: time, track: Int32(truncatingIfNeeded: track),
      home: Int32(truncatingIfNeeded: home ?? -1), entry: entry, kind: .instant)
    addFlows(of: event, new)
    switch PerfettoTrackEvent.Kind(rawValue: event.kind) {
    case .begin: new.kind = .begin
    case .end: new.kind = .end
    case .instant: break
    case .counter: return addSample(of: event, new, at: position)
    case nil:
      guard event.kind == 0, let legacy = event.legacy, legacy.phase != 0 else {
        builder.countLoss(.unknownRecord)
        return true
      }
      addLegacy(legacy, new, content, at: position, in: &builder)
      return true
    }
    events.add(new, detail(of: content, entry, kind: new.kind, at: position, in: &builder))
    return true
  }

  /// What else the event says, where that has a meaning.
  private mutating func detail(
    of content: UnsafeRawBufferPointer, _ entry: Int32, kind: PerfettoEvents.Kind,
    at position: Int, in builder: inout TraceBuilder
  ) -> PerfettoEvents.Detail? {
    let label = events.entries[Int(entry)]
    guard kind != .end, label.meaning.hasArguments || label.isUserTiming else { return nil }
    return PerfettoEvents.Detail(arguments: arguments(of: content, at: position, in: &builder))
  }

  /// Where the event's arguments stand, once written; counted where they are too many or too long.
  private mutating func arguments(
    of content: UnsafeRawBufferPointer, at position: Int, in builder: inout TraceBuilder
  ) -> Range<Int> {
    let range = arguments.write(of: content, sequences.states[position].names, builder)
    if arguments.wasCut { builder.countLoss(.limitReached) }
    return range
  }

  // MARK: - Where and what

  /// The track of the thread that writes the sequence; `nil` where it does not say.
  private mutating func home(ofSequence position: Int) -> Int? {
    if let uuid = sequences.states[position].defaultTrack { return tracks.position(uuid) }
    guard let thread = sequences.states[position].thread else { return nil }
    return tracks.position(process: thread.process, thread: thread.thread)
  }

  private mutating func track(
    of event: PerfettoTrackEvent, home: Int?, at position: Int
  ) -> Int {
    if event.track ?? 0 == 0, let legacy = event.legacy,
      let named = track(of: legacy, home: home, at: position)
    {
      return named
    }
    if let uuid = event.track { return tracks.position(uuid) }
    return home ?? tracks.position(0)
  }

  /// The track that an older event names by the numbers of a process, a thread or both.
  private mutating func track(
    of legacy: PerfettoTrackEvent.Legacy, home: Int?, at position: Int
  ) -> Int? {
    // Zero says nothing, and the largest number, which is -1, that there is none.
    let named = legacy.process.flatMap { (1..<PerfettoProcesses.none).contains($0) ? $0 : nil }
    let thread = legacy.thread ?? 0
    guard named != nil || thread > 0 else { return nil }
    guard thread != PerfettoProcesses.none else {
      return (named ?? process(home: home, at: position)).map {
        tracks.position(process: $0, thread: nil)
      }
    }
    guard thread > 0 else { return named.map { tracks.position(process: $0, thread: $0) } }
    let process = named ?? process(home: home, at: position) ?? processes.process(of: thread)
    return tracks.position(process: process, thread: thread)
  }

  /// The process that writes the sequence, as far as it is known by now.
  private func process(home: Int?, at position: Int) -> UInt64? {
    sequences.states[position].thread?.process ?? home.flatMap { tracks.owner(of: $0).process }
  }

  private mutating func entry(
    of event: PerfettoTrackEvent, at position: Int, in builder: inout TraceBuilder
  ) -> Int32 {
    var (name, category) = (StringID.empty, StringID.empty)
    if let text = event.name {
      name = builder.string(text.bindMemory(to: UInt8.self))
    } else if let number = event.nameNumber ?? event.legacy?.name {
      if let known = sequences.states[position].names.event(number) {
        name = known
      } else {
        builder.countLoss(.undefinedReference)
      }
    }
    if let text = event.category {
      category = builder.string(text.bindMemory(to: UInt8.self))
    } else if let known = sequences.states[position].names.category(
      event.categoryNumber, event.moreCategoryNumbers, in: &builder)
    {
      category = known
    } else {
      builder.countLoss(.undefinedReference)
    }
    return events.entry(category: category, name: name, in: &builder)
  }

  /// When the event was; older writers tell it in microseconds, from an instant of the sequence on.
  private mutating func time(
    of event: PerfettoTrackEvent, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Timestamp? {
    let micro: Int64 = 1000
    var nanoseconds: Int64?
    if let absolute = event.absolute {
      let (product, overflow) = absolute.multipliedReportingOverflow(by: micro)
      nanoseconds = overflow ? nil : product
    } else if let delta = event.delta {
      let (product, first) = delta.multipliedReportingOverflow(by: micro)
      let (sum, second) = sequences.states[position].reference.addingReportingOverflow(product)
      nanoseconds = first || second ? nil : sum
      if let nanoseconds { sequences.states[position].reference = nanoseconds }
    } else {
      return time(of: packet, in: &builder)
    }
    guard let time = nanoseconds.flatMap(Timestamp.init(nanoseconds:)) else {
      builder.countLoss(.timeOutOfRange)
      return nil
    }
    let monotonic = UInt64(time.nanoseconds)
    return clocks.place(monotonic, clock: PerfettoClocks.monotonic, sequence: packet.sequence)
      .flatMap(Timestamp.init(nanoseconds:)) ?? time
  }

  // MARK: - Kinds

  private mutating func addSample(
    of event: PerfettoTrackEvent, _ new: PerfettoEvents.Event, at position: Int
  ) -> Bool {
    guard let value = event.value ?? event.integer.map(Double.init) else { return false }
    var new = new
    new.kind = .sample
    // The counter may be described later.
    events.add(new, PerfettoEvents.Detail(value: value, id: sequences.states[position].epoch))
    return true
  }

  private mutating func addLegacy(
    _ legacy: PerfettoTrackEvent.Legacy, _ new: PerfettoEvents.Event,
    _ content: UnsafeRawBufferPointer, at position: Int, in builder: inout TraceBuilder
  ) {
    var new = new
    switch legacy.phase {
    case UInt8(ascii: "B"): new.kind = .begin
    case UInt8(ascii: "E"): new.kind = .end
    case UInt8(ascii: "X"): new.kind = .complete
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"): new.kind = .instant
    case UInt8(ascii: "b"), UInt8(ascii: "S"): new.kind = .asyncBegin
    case UInt8(ascii: "e"), UInt8(ascii: "F"): new.kind = .asyncEnd
    case UInt8(ascii: "C"): new.kind = .samples
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard let id = legacy.id else { return builder.countLoss(.invalidValue) }
      return events.add(flow(id, isEnd: legacy.phase == UInt8(ascii: "f"), new))
    case _ where Self.passedPhases.contains(legacy.phase): return
    default: return builder.countLoss(.unknownRecord)
    }
    var detail = detail(of: content, new.entry, kind: new.kind, at: position, in: &builder)
    if new.kind == .samples, detail == nil {
      detail = PerfettoEvents.Detail(
        arguments: arguments(of: content, at: position, in: &builder))
    }
    if new.kind == .complete {
      let (length, overflow) = (legacy.duration ?? 0).multipliedReportingOverflow(by: 1000)
      guard !overflow else { return builder.countLoss(.timeOutOfRange) }
      detail = detail ?? PerfettoEvents.Detail()
      detail?.length = length
    }
    if new.kind == .asyncBegin || new.kind == .asyncEnd {
      guard let id = legacy.id else { return builder.countLoss(.invalidValue) }
      detail = detail ?? PerfettoEvents.Detail()
      detail?.id = id
      detail?.isLocal = legacy.isLocal
    }
    events.add(new, detail)
  }

  private mutating func addFlows(of event: PerfettoTrackEvent, _ new: PerfettoEvents.Event) {
    for id in event.flows { events.add(flow(id, isEnd: false, new)) }
    for id in event.endingFlows { events.add(flow(id, isEnd: true, new)) }
    if let legacy = event.legacy, let flow = legacy.flow, legacy.flowDirection > 0 {
      events.add(self.flow(flow, isEnd: legacy.flowDirection == 1, new))
    }
  }

  private func flow(
    _ id: UInt64, isEnd: Bool, _ event: PerfettoEvents.Event
  ) -> PerfettoEvents.FlowPoint {
    PerfettoEvents.FlowPoint(
      time: event.time, track: event.track, home: event.home, entry: event.entry, id: id,
      isEnd: isEnd)
  }
}

extension ChromeName {
  /// Whether something is looked for in the arguments of events with this name.
  fileprivate var hasArguments: Bool {
    switch self {
    case .pipelineReporter, .beginFrame, .schedulerBeginFrame, .animationFrame,
      .proxyMainBeginMainFrame, .eventLatency, .functionCall, .evaluateScript, .eventDispatch:
      true
    default: false
    }
  }
}
