import ScrollTraceModel

extension PerfettoReader {
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
    case .counter: return addSample(of: event, new, at: position, in: &builder)
    case nil:
      guard event.kind == 0, let legacy = event.legacy, legacy.phase != 0 else {
        builder.countLoss(.unknownRecord)
        return true
      }
      addLegacy(legacy, new, content, at: position, in: &builder)
      return true
    }
    events.add(new, detail(of: content, entry, kind: new.kind, at: position, builder))
    return true
  }

  /// What else the event says, where that has a meaning.
  private mutating func detail(
    of content: UnsafeRawBufferPointer, _ entry: Int32, kind: PerfettoEvents.Kind,
    at position: Int, _ builder: TraceBuilder
  ) -> PerfettoEvents.Detail? {
    let label = events.entries[Int(entry)]
    guard kind != .end, label.meaning.hasArguments || label.isUserTiming else { return nil }
    return PerfettoEvents.Detail(
      arguments: arguments.write(of: content, sequences.states[position].names, builder))
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
    if let process = event.legacy?.process ?? event.legacy?.thread, process > 0,
      event.track ?? 0 == 0
    {
      let thread = event.legacy?.thread ?? process
      return tracks.position(process: event.legacy?.process ?? thread, thread: thread)
    }
    if let uuid = event.track { return tracks.position(uuid) }
    return home ?? tracks.position(0)
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
    of event: PerfettoTrackEvent, _ new: PerfettoEvents.Event, at position: Int,
    in builder: inout TraceBuilder
  ) -> Bool {
    guard var value = event.value ?? event.integer.map(Double.init) else { return false }
    let track = tracks.all[Int(new.track)]
    value *= Double(track.counter.multiplier)
    if track.counter.isIncremental {
      let key = event.track ?? sequences.states[position].defaultTrack ?? 0
      value += sequences.states[position].counters[key] ?? 0
      sequences.states[position].counters[key] = value
    }
    var new = new
    new.kind = .sample
    if track.name != .empty {
      new.entry = events.entry(category: .empty, name: track.name, in: &builder)
    }
    events.add(new, PerfettoEvents.Detail(value: value))
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
    default: return builder.extend(to: new.time)
    }
    var detail = detail(of: content, new.entry, kind: new.kind, at: position, builder)
    if new.kind == .samples, detail == nil {
      detail = PerfettoEvents.Detail(
        arguments: arguments.write(of: content, sequences.states[position].names, builder))
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
    func point(_ id: UInt64, isEnd: Bool) -> PerfettoEvents.FlowPoint {
      PerfettoEvents.FlowPoint(
        time: new.time, track: new.track, home: new.home, entry: new.entry, id: id, isEnd: isEnd)
    }
    for id in event.flows { events.add(point(id, isEnd: false)) }
    for id in event.endingFlows { events.add(point(id, isEnd: true)) }
    if let legacy = event.legacy, let flow = legacy.flow, legacy.flowDirection > 0 {
      events.add(point(flow, isEnd: legacy.flowDirection == 1))
    }
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
