import ScrollTraceModel

extension PerfettoReader {
  /// Takes an event of a track; `false` where it is damaged.
  mutating func takeTrackEvent(
    _ content: UnsafeRawBufferPointer, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Bool {
    guard let event = PerfettoTrackEvent(content) else { return false }
    var legacy: PerfettoLegacyEvent?
    if let part = event.legacy {
      guard let read = PerfettoLegacyEvent(part) else { return false }
      legacy = read
    }
    guard let time = time(of: event, packet, at: position, in: &builder) else { return true }
    builder.extend(to: time)
    let home = home(ofSequence: position)
    let track = track(of: event, legacy, home: home, at: position)
    var new = PerfettoEvents.Event(
      time: time, spot: events.spot(track: track, home: home),
      entry: entry(of: event, legacy, at: position, in: &builder), kind: .instant)
    if event.hasFlows || legacy != nil { addFlows(of: event, legacy, new) }
    switch PerfettoTrackEvent.Kind(rawValue: event.kind) {
    case .start: new.kind = .start
    case .end:
      new.kind = .end
      events.add(new)
      return true
    case .instant: break
    case .counter: return addSample(of: event, new, at: position)
    case .state:
      events.addState(new)
      return true
    case nil:
      guard event.kind == 0, let legacy, legacy.phase != 0 else {
        builder.countLoss(.unknownRecord)
        return true
      }
      add(legacy, new, content, at: position, in: &builder)
      return true
    }
    if let detail = detail(of: content, &new, at: position, in: &builder) {
      events.add(new, detail)
    } else {
      events.add(new)
    }
    return true
  }

  /// What else the event says, where that has a meaning; a call of a script is named after it.
  @inline(__always)
  mutating func detail(
    of content: UnsafeRawBufferPointer, _ event: inout PerfettoEvents.Event, at position: Int,
    in builder: inout TraceBuilder
  ) -> PerfettoEvents.Detail? {
    let entry = events.entries[Int(event.entry)]
    guard event.kind != .end, entry.meaning != .other || entry.isUserTiming else { return nil }
    switch entry.meaning {
    case .functionCall, .evaluateScript, .eventDispatch:
      event.entry = callEntry(of: content, event.entry, at: position, in: &builder)
      return nil
    case .pipelineReporter, .beginFrame, .schedulerBeginFrame, .animationFrame,
      .proxyMainBeginMainFrame, .eventLatency, .flutterVsync, .flutterBuild, .flutterRaster,
      .flutterLag:
      break
    default: guard entry.isUserTiming else { return nil }
    }
    return PerfettoEvents.Detail(arguments: arguments(of: content, at: position, in: &builder))
  }

  /// The position of the label of a call of a script, which is told as the one at `entry`.
  private mutating func callEntry(
    of content: UnsafeRawBufferPointer, _ entry: Int32, at position: Int,
    in builder: inout TraceBuilder
  ) -> Int32 {
    let meaning = events.entries[Int(entry)].meaning
    let calls = self.calls ?? PerfettoCalls(in: &builder)
    self.calls = calls
    let name: StringID?
    let target = calls.target(of: content, sequences.states[position].names)
    if let target {
      if let known = recentCalls.find(target, by: entry) { return known }
      name = callNames.name(of: target, meaning, in: &builder)
    } else {
      let range = arguments(of: content, at: position, in: &builder)
      name = arguments.text.withUnsafeBytes { text in
        JSONView(bytes: UnsafeRawBufferPointer(rebasing: text[range])).member("data").flatMap {
          callNames.name(of: ChromeCallNames.target(in: $0), meaning, in: &builder)
        }
      }
      arguments.removeLast(range)
    }
    let call = name.map { events.callEntry(entry, name: $0, in: &builder) } ?? entry
    if let target { recentCalls.keep(call, of: target, by: entry) }
    return call
  }

  /// Where the event's arguments stand, once written; counted where they are too many or too long.
  mutating func arguments(
    of content: UnsafeRawBufferPointer, at position: Int, in builder: inout TraceBuilder
  ) -> Range<Int> {
    let range = arguments.write(of: content, sequences.states[position].names, &builder)
    if arguments.wasCut { builder.countLoss(.limitReached) }
    return range
  }

  // MARK: - Where and what

  /// The track of the thread that writes the sequence; `nil` where it does not say.
  @inline(__always)
  private mutating func home(ofSequence position: Int) -> Int? {
    sequences.states[position].home ?? newHome(ofSequence: position)
  }

  private mutating func newHome(ofSequence position: Int) -> Int? {
    var home: Int?
    if let uuid = sequences.states[position].defaultTrack {
      home = tracks.position(uuid)
    } else if let thread = sequences.states[position].thread {
      home = tracks.position(process: thread.process, thread: thread.thread)
    }
    sequences.states[position].home = home
    return home
  }

  @inline(__always)
  private mutating func track(
    of event: PerfettoTrackEvent, _ legacy: PerfettoLegacyEvent?, home: Int?, at position: Int
  ) -> Int {
    if event.track ?? 0 == 0, let legacy, let named = track(of: legacy, home: home, at: position) {
      return named
    }
    if let uuid = event.track { return tracks.position(uuid) }
    return home ?? tracks.position(0)
  }

  @inline(__always)
  private mutating func entry(
    of event: PerfettoTrackEvent, _ legacy: PerfettoLegacyEvent?, at position: Int,
    in builder: inout TraceBuilder
  ) -> Int32 {
    var (name, category) = (StringID.empty, StringID.empty)
    if let text = event.name {
      name = builder.string(text.bindMemory(to: UInt8.self))
    } else if let number = event.nameNumber ?? legacy?.name {
      if let known = sequences.states[position].names.event(number) {
        name = known
      } else {
        builder.countLoss(.undefinedReference)
      }
    }
    if let text = event.category {
      category = builder.string(text.bindMemory(to: UInt8.self))
    } else if let known = sequences.states[position].names.category(of: event, in: &builder) {
      category = known
    } else {
      builder.countLoss(.undefinedReference)
    }
    return events.entry(category: category, name: name, in: &builder)
  }

  /// When the event was.
  @inline(__always)
  private mutating func time(
    of event: PerfettoTrackEvent, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Timestamp? {
    event.absolute == nil && event.delta == nil
      ? time(of: packet, in: &builder) : olderTime(of: event, packet, at: position, in: &builder)
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

  private mutating func addFlows(
    of event: PerfettoTrackEvent, _ legacy: PerfettoLegacyEvent?, _ new: PerfettoEvents.Event
  ) {
    event.forEachFlow { events.add(flow($0, isEnd: $1, new)) }
    if let legacy, let flow = legacy.flow, legacy.flowDirection > 0 {
      events.add(self.flow(flow, isEnd: legacy.flowDirection == 1, new))
    }
  }

  func flow(
    _ id: UInt64, isEnd: Bool, _ event: PerfettoEvents.Event
  ) -> PerfettoEvents.FlowPoint {
    PerfettoEvents.FlowPoint(
      time: event.time, spot: event.spot, entry: event.entry, id: id, isEnd: isEnd)
  }
}
