import ScrollTraceModel

/// Reads the events of tracks, in the present and in the older form, with all that they refer to.
struct PerfettoTrackEventReader {
  var clocks = PerfettoClocks()
  var sequences = PerfettoSequences()
  var work = PerfettoWork()
  /// The profiles of V8.
  var profiles = ChromeSamples()
  /// The times whose events are lost, each with a track of the process that wrote them, or `nil`.
  private var holes: [(range: TimeRange, track: Int?)] = []
  private var calls: PerfettoCalls?
  private var callNames = ChromeCallNames()
  private var recentCalls = RecentValues<RecentTexts, Int32>(count: 64)

  /// Adds a track event; returns `false` if it is damaged.
  mutating func read(
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
    if let hole = sequences.lostTime(before: time, at: position) { holes.append((hole, track)) }
    var new = PerfettoEvents.Event(
      time: time, spot: work.events.spot(track: track, home: home),
      entry: entry(of: event, legacy, at: position, in: &builder), kind: .instant)
    if event.hasFlows || legacy != nil { addFlows(of: event, legacy, new) }
    if event.hasExtraValues { addExtraSamples(of: event, new, home: home, at: position) }
    switch PerfettoTrackEvent.Kind(rawValue: event.kind) {
    case .start: new.kind = .start
    case .end:
      new.kind = .end
      work.events.add(new)
      return true
    case .instant: break
    case .counter: return addSample(of: event, new, at: position)
    case .state:
      work.events.addState(new)
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
      work.events.add(new, detail)
    } else {
      work.events.add(new)
    }
    return true
  }

  /// Adds the time of lost packets before a frame at `time` in the sequence at `position`, whose writer
  /// describes all processes.
  mutating func addHole(beforeFrameAt time: Timestamp, sequence position: Int) {
    if let hole = sequences.lostTime(before: time, at: position) { holes.append((hole, nil)) }
  }

  /// Adds the times of lost packets, after all tracks are known.
  mutating func addHoles(to builder: inout TraceBuilder) {
    for hole in holes {
      let process = hole.track.flatMap { work.tracks.owner(of: $0).process }
      builder.addHole(
        from: hole.range.start, to: hole.range.end, of: process.map { builder.process($0) })
    }
  }

  /// Returns the event's meaningful details; a script call is named after its function.
  @inline(__always)
  private mutating func detail(
    of content: UnsafeRawBufferPointer, _ event: inout PerfettoEvents.Event, at position: Int,
    in builder: inout TraceBuilder
  ) -> PerfettoEvents.Detail? {
    let entry = work.events.entries[Int(event.entry)]
    guard event.kind != .end, entry.meaning != .other || entry.isUserTiming || entry.hasArguments
    else { return nil }
    switch entry.meaning {
    case .functionCall, .evaluateScript, .eventDispatch:
      event.entry = callEntry(of: content, event.entry, at: position, in: &builder)
      return nil
    case .pipelineReporter, .beginFrame, .schedulerBeginFrame, .animationFrame,
      .proxyMainBeginMainFrame, .eventLatency, .flutterVsync, .flutterBuild, .flutterRaster,
      .flutterLag:
      break
    default: guard entry.isUserTiming || entry.hasArguments else { return nil }
    }
    return PerfettoEvents.Detail(arguments: arguments(of: content, at: position, in: &builder))
  }

  /// Returns the position of the label of a script call with the same category as the one at
  /// `entry`.
  private mutating func callEntry(
    of content: UnsafeRawBufferPointer, _ entry: Int32, at position: Int,
    in builder: inout TraceBuilder
  ) -> Int32 {
    let meaning = work.events.entries[Int(entry)].meaning
    let calls = self.calls ?? PerfettoCalls(in: &builder)
    self.calls = calls
    let name: StringID?
    let target = calls.target(of: content, &sequences.states[position].names)
    let recent = target.flatMap { RecentTexts($0, by: entry) }
    if let target {
      if let recent, let known = recentCalls.find(recent) { return known }
      name = callNames.name(of: target, meaning, in: &builder)
    } else {
      let range = arguments(of: content, at: position, in: &builder)
      name = work.arguments.text.withUnsafeBytes { text in
        JSONView(bytes: UnsafeRawBufferPointer(rebasing: text[range])).member("data").flatMap {
          callNames.name(of: ChromeCallNames.target(in: $0), meaning, in: &builder)
        }
      }
      work.arguments.removeLast(range)
    }
    let call = name.map { work.events.callEntry(entry, name: $0, in: &builder) } ?? entry
    if let recent { recentCalls.keep(call, for: recent) }
    return call
  }

  /// Returns the range of the event's written arguments, and counts those that are too many or too
  /// long.
  private mutating func arguments(
    of content: UnsafeRawBufferPointer, at position: Int, in builder: inout TraceBuilder
  ) -> Range<Int> {
    let range = work.arguments.write(of: content, &sequences.states[position].names, &builder)
    if work.arguments.wasCut { builder.countLoss(.limitReached) }
    return range
  }

  // MARK: - Where and what

  /// Returns the track of the thread that writes the sequence, or `nil` if it is not stated.
  @inline(__always)
  private mutating func home(ofSequence position: Int) -> Int? {
    sequences.home(at: position) ?? newHome(ofSequence: position)
  }

  private mutating func newHome(ofSequence position: Int) -> Int? {
    var home: Int?
    if let uuid = sequences.states[position].defaultTrack {
      home = work.tracks.position(uuid)
    } else if let thread = sequences.states[position].thread {
      home = work.tracks.position(process: thread.process, thread: thread.thread)
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
    // Older events without their own track belong to the thread that writes the sequence.
    if let uuid = event.track, uuid != 0 || legacy == nil { return work.tracks.position(uuid) }
    return home ?? work.tracks.position(0)
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
      if let known = sequences.eventName(number, at: position) {
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
    return work.events.entry(category: category, name: name, in: &builder)
  }

  @inline(__always)
  private mutating func time(
    of event: PerfettoTrackEvent, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Timestamp? {
    event.absolute == nil && event.delta == nil
      ? clocks.time(of: packet, in: &builder)
      : olderTime(of: event, packet, at: position, in: &builder)
  }

  // MARK: - Kinds

  private mutating func addSample(
    of event: PerfettoTrackEvent, _ new: PerfettoEvents.Event, at position: Int
  ) -> Bool {
    guard let value = event.value ?? event.integer.map(Double.init) else { return false }
    let track = Int(work.events.spots[Int(new.spot)].track)
    if work.tracks.all[track].counter.isThreadTime {
      work.threadTimes.add(
        value, of: work.tracks.all[track].counter, at: track, epoch: sequences.epoch(at: position),
        time: new.time)
      return true
    }
    var new = new
    new.kind = .sample
    // The counter can be described later.
    work.events.add(new, PerfettoEvents.Detail(value: value, id: sequences.epoch(at: position)))
    return true
  }

  /// Adds the values of additional counters in an event. Those of a thread's CPU time are samples
  /// of it, and those of its instructions are omitted.
  @inline(never)
  private mutating func addExtraSamples(
    of event: PerfettoTrackEvent, _ new: PerfettoEvents.Event, home: Int?, at position: Int
  ) {
    let epoch = sequences.epoch(at: position)
    let usual = sequences.extraTracks[position] ?? PerfettoTrackEvent.ExtraTracks()
    event.forEachExtraValue(usual) { uuid, value in
      let track = work.tracks.position(uuid)
      let counter = work.tracks.all[track].counter
      if counter.isThreadTime {
        work.threadTimes.add(value, of: counter, at: track, epoch: epoch, time: new.time)
      }
      guard !counter.isOfThread else { return }
      var sample = new
      sample.spot = work.events.spot(track: track, home: home)
      sample.kind = .sample
      work.events.add(sample, PerfettoEvents.Detail(value: value, id: epoch))
    }
  }

  private mutating func addFlows(
    of event: PerfettoTrackEvent, _ legacy: PerfettoLegacyEvent?, _ new: PerfettoEvents.Event
  ) {
    event.forEachFlow { work.events.add(flow($0, isEnd: $1, new)) }
    if let legacy, let flow = legacy.flow, legacy.flowDirection > 0 {
      work.events.add(self.flow(flow, isEnd: legacy.flowDirection == 1, new))
    }
  }

  private func flow(
    _ id: UInt64, isEnd: Bool, _ event: PerfettoEvents.Event
  ) -> PerfettoEvents.FlowPoint {
    PerfettoEvents.FlowPoint(
      time: event.time, spot: event.spot, entry: event.entry, id: id, isEnd: isEnd)
  }

  // MARK: - The older form

  // Its events have no kind, track and time of their own.

  /// The ignored phases, as in Chrome's JSON format.
  private static let passedPhases = Set("NDOVvc()nTp".utf8)

  /// Returns the track that an older event names by the numbers of a process, a thread or both.
  private mutating func track(
    of legacy: PerfettoLegacyEvent, home: Int?, at position: Int
  ) -> Int? {
    // Zero means unset, and the largest number, which is -1, means none.
    let named = legacy.process.flatMap { (1..<PerfettoProcesses.none).contains($0) ? $0 : nil }
    let thread = legacy.thread ?? 0
    guard named != nil || thread > 0 else { return nil }
    guard thread != PerfettoProcesses.none else {
      return (named ?? process(home: home, at: position)).map {
        work.tracks.position(process: $0, thread: nil)
      }
    }
    guard thread > 0 else { return named.map { work.tracks.position(process: $0, thread: $0) } }
    let process = named ?? process(home: home, at: position) ?? work.processes.process(of: thread)
    return work.tracks.position(process: process, thread: thread)
  }

  /// Returns the process that writes the sequence, as far as it is known by now.
  private mutating func process(home: Int?, at position: Int) -> UInt64? {
    sequences.states[position].thread?.process ?? home.flatMap { work.tracks.owner(of: $0).process }
  }

  /// Returns the time of the event, which older writers give in microseconds relative to the
  /// sequence.
  @inline(never)
  private mutating func olderTime(
    of event: PerfettoTrackEvent, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Timestamp? {
    var time: Timestamp?
    if let absolute = event.absolute {
      time = Timestamp.microseconds(absolute)
    } else if let delta = (event.delta ?? 0).times(1000),
      let sum = sequences.states[position].reference.plus(delta)
    {
      sequences.states[position].reference = sum
      time = Timestamp(nanoseconds: sum)
    }
    if time == nil { builder.countLoss(.timeOutOfRange) }
    return time.map { clocks.traceTime(ofMonotonic: $0) }
  }

  private mutating func add(
    _ legacy: PerfettoLegacyEvent, _ new: PerfettoEvents.Event,
    _ content: UnsafeRawBufferPointer, at position: Int, in builder: inout TraceBuilder
  ) {
    var new = new
    switch legacy.phase {
    case UInt8(ascii: "B"): new.kind = .start
    case UInt8(ascii: "E"): new.kind = .end
    case UInt8(ascii: "X"): new.kind = .complete
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"): new.kind = .instant
    case UInt8(ascii: "b"), UInt8(ascii: "S"): new.kind = .asyncBegin
    case UInt8(ascii: "e"), UInt8(ascii: "F"): new.kind = .asyncEnd
    case UInt8(ascii: "C"): new.kind = .samples
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard let id = legacy.id else { return builder.countLoss(.invalidValue) }
      return work.events.add(flow(id, isEnd: legacy.phase == UInt8(ascii: "f"), new))
    case UInt8(ascii: "P"): return addProfile(legacy, new, content, in: &builder)
    case _ where Self.passedPhases.contains(legacy.phase): return
    default: return builder.countLoss(.unknownRecord)
    }
    var detail = detail(of: content, &new, at: position, in: &builder)
    if new.kind == .samples, detail == nil {
      detail = PerfettoEvents.Detail(arguments: arguments(of: content, at: position, in: &builder))
    }
    if new.kind == .complete {
      guard let length = (legacy.duration ?? 0).times(1000) else {
        return builder.countLoss(.timeOutOfRange)
      }
      detail = detail ?? PerfettoEvents.Detail()
      detail?.length = length
    }
    if new.kind == .asyncBegin || new.kind == .asyncEnd {
      guard let id = legacy.id else { return builder.countLoss(.invalidValue) }
      detail = detail ?? PerfettoEvents.Detail()
      detail?.id = id
      detail?.isLocal = legacy.isLocal
    }
    if let detail { work.events.add(new, detail) } else { work.events.add(new) }
  }

  /// Adds a `Profile` or `ProfileChunk` event, as in Chrome's JSON format. Others of the phase are ignored.
  private mutating func addProfile(
    _ legacy: PerfettoLegacyEvent, _ event: PerfettoEvents.Event,
    _ content: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) {
    let name = builder.name(of: work.events.entries[Int(event.entry)].name)
    guard name == "Profile" || name == "ProfileChunk" else { return }
    let owner = work.tracks.owner(of: Int(work.events.spots[Int(event.spot)].track))
    guard let process = owner.process, let data = PerfettoArguments.json(of: content) else {
      return builder.countLoss(.malformedRecord)
    }
    let id = legacy.id ?? 0
    guard name == "Profile" else {
      return profiles.addChunk(
        data, at: event.time.nanoseconds, to: id, of: process, &builder)
    }
    guard let start = data.member("startTime")?.integer.flatMap(Timestamp.microseconds)
    else {
      return builder.countLoss(.invalidValue)
    }
    let track = builder.track(owner.thread ?? process, of: builder.process(process))
    let time = clocks.traceTime(ofMonotonic: start)
    profiles.begin(id, of: process, on: track, at: time.nanoseconds / 1000)
  }
}

/// The content of an event in the older form: Chrome's phases.
struct PerfettoLegacyEvent {
  private(set) var phase: UInt8 = 0
  private(set) var name: UInt64?
  /// The duration in microseconds.
  private(set) var duration: Int64?
  private(set) var id: UInt64?
  private(set) var isLocal = false
  private(set) var flow: UInt64?
  /// 1 if a flow ends here, 2 if it starts, 3 if it passes.
  private(set) var flowDirection: UInt64 = 0
  private(set) var process: UInt64?
  private(set) var thread: UInt64?

  /// Creates the older part of an event in `bytes`, or returns `nil` if it is damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var fields = WireFields(bytes)
    while fields.next() {
      guard !fields.isBytes else { continue }
      switch fields.number {
      case 1: name = fields.value
      case 2: phase = UInt8(truncatingIfNeeded: fields.value)
      case 3: duration = fields.signed
      case 6, 11: id = fields.value
      case 10: (id, isLocal) = (fields.value, true)
      case 8: flow = fields.value
      case 13: flowDirection = fields.value
      case 18: process = PerfettoProcesses.processNumber(fields.value)
      case 19: thread = PerfettoProcesses.processNumber(fields.value)
      default: break
      }
    }
    guard !fields.isDamaged else { return nil }
  }
}
