import ScrollTraceModel

/// The work that a trace tells of: what ran on its threads and other tracks, and what the scheduler
/// did with them. It is added to the trace at the end, when all threads are known.
struct PerfettoWork {
  /// The thread to which the events of a spot are added, and their lane.
  private struct Target {
    var thread: ChromeTracks.Thread
    /// Whether they are work of the thread; otherwise they have their own lane.
    var isThread: Bool
    var lane: ChromeID
  }

  var processes = PerfettoProcesses()
  var tracks = PerfettoTracks()
  var events = PerfettoEvents()
  var schedule = PerfettoSchedule()
  var threadTimes = PerfettoThreadTimes()
  var arguments = PerfettoArguments()
  /// The category of lines in the kernel's buffer, once there was one.
  private var lineCategory: StringID?

  // MARK: - Lines

  /// Adds a line that one of Android's system libraries or an app wrote into the kernel's trace
  /// buffer, such as `B|4242|Choreographer#doFrame 17` and `E|4242`; `false` for one of which nothing
  /// was made.
  mutating func addLine(
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
        PerfettoEvents.Detail(value: Double(number), id: UInt64(bitPattern: number), isLocal: true))
    } else {
      events.add(event)
    }
    return true
  }

  /// Adds a new thread, which is ready from then on; `flags` are those of its clone.
  mutating func addNewTask(
    _ thread: UInt64, _ name: UnsafeRawBufferPointer?, flags: UInt64, by creator: UInt64,
    isInterrupt: Bool = false, core: Int16?, at time: Timestamp, in builder: inout TraceBuilder
  ) {
    let sharesProcess = flags & 0x1_0000 != 0
    if sharesProcess, !processes.hasProcess(of: thread) {
      processes.setProcess(processes.process(of: creator), of: thread)
    }
    schedule.addWakeup(
      ofThread: thread, name, byThread: isInterrupt ? 0 : creator, core: core, at: time,
      in: &builder)
  }

  private mutating func entry(of line: PerfettoLine, in builder: inout TraceBuilder) -> Int32 {
    let category = lineCategory ?? builder.string("atrace")
    lineCategory = category
    let name = string(line.commonName, in: &builder)
    return events.entry(category: category, name: name, in: &builder)
  }

  private func string(_ text: PerfettoLine.Text, in builder: inout TraceBuilder) -> StringID {
    builder.string(UnsafeRawBufferPointer(rebasing: text).bindMemory(to: UInt8.self))
  }

  // MARK: - The end

  /// Adds all work to its threads, and what the scheduler did.
  ///
  /// - Parameter owners: The processes of threads that other events name.
  mutating func finish(
    _ owners: [UInt64: UInt64] = [:], in collector: inout ChromeEventCollector,
    _ builder: inout TraceBuilder
  ) {
    for (thread, process) in owners where !processes.hasProcess(of: thread) {
      processes.setProcess(process, of: thread)
    }
    for (process, number, name) in tracks.threadNames {
      let thread = collector.tracks.thread(process: process, number: number, &builder)
      collector.tracks.setName(name, of: thread, in: &builder)
    }
    events.settleSamples(tracks, in: &builder)
    let targets = findTargets(in: &collector, &builder)
    threadTimes.finish(&tracks, in: &collector, &builder)
    schedule.finish(processes, tracks.processes, in: &collector, &builder)
    nameThreads(of: &collector, in: &builder)
    arguments.text.withUnsafeBytes { text in
      for event in events.all { add(event, targets, text, to: &collector, &builder) }
    }
    addFlows(targets, to: &builder)
    addStates(to: &builder)
  }

  /// Finds the target of each spot with events that are kept, and reserves room for those of threads.
  private mutating func findTargets(
    in collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) -> [Target?] {
    var targets: [Target?] = Array(repeating: nil, count: events.spots.count)
    var counts = Array(repeating: 0, count: events.spots.count)
    for event in events.all {
      if event.kind == .start || event.kind == .end { counts[Int(event.spot)] += 1 }
      guard targets[Int(event.spot)] == nil else { continue }
      targets[Int(event.spot)] = target(of: events.spots[Int(event.spot)], in: &collector, &builder)
    }
    var threads: [TrackID: Int] = [:]
    for (target, count) in zip(targets, counts) {
      if let target, target.isThread { threads[target.thread.track, default: 0] += count }
    }
    for (track, count) in threads { collector.spans.reserve(count, on: track) }
    for flow in events.flows where targets[Int(flow.spot)] == nil {
      targets[Int(flow.spot)] = target(of: events.spots[Int(flow.spot)], in: &collector, &builder)
    }
    return targets
  }

  private mutating func target(
    of spot: PerfettoEvents.Spot, in collector: inout ChromeEventCollector,
    _ builder: inout TraceBuilder
  ) -> Target {
    let owner = tracks.owner(of: Int(spot.track))
    var (process, thread) = (owner.process, owner.thread)
    if thread == nil, spot.home >= 0 {
      let teller = tracks.owner(of: Int(spot.home))
      if process == nil || process == teller.process {
        (process, thread) = (teller.process, teller.thread)
      }
    }
    let number = process ?? 0
    return Target(
      thread: collector.tracks.thread(process: number, number: thread ?? number, &builder),
      isThread: owner.isThread,
      // Lanes that belong to no thread are stacks as well: an end closes the last start.
      lane: ChromeID(process: nil, value: UInt64(UInt32(bitPattern: spot.track)) | 1 << 63))
  }

  private func nameThreads(
    of collector: inout ChromeEventCollector, in builder: inout TraceBuilder
  ) {
    for entry in collector.tracks.entries {
      let thread = collector.tracks.thread(process: entry.process, number: entry.thread, &builder)
      if entry.name.isEmpty, let name = processes.threadNames[entry.thread] {
        collector.tracks.setName(name, of: thread, in: &builder)
      }
      if collector.tracks.processNames[entry.process] == nil,
        let name = processes.name(entry.process)
      {
        collector.tracks.setProcessName(name, of: thread, in: &builder)
      }
    }
  }

  @inline(__always)
  private func add(
    _ event: PerfettoEvents.Event, _ targets: [Target?], _ text: UnsafeRawBufferPointer,
    to collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) {
    guard let target = targets[Int(event.spot)] else { return }
    let entry = events.entries[Int(event.entry)]
    // Most events are work of threads, and script calls are already named.
    switch event.kind {
    case .start where target.isThread && entry.meaning == .other && event.detail < 0:
      collector.spans.add(
        isBegin: true, at: event.time, on: target.thread.track, label: entry.label,
        name: entry.name, meaning: .other)
    case .end where target.isThread:
      collector.spans.add(
        isBegin: false, at: event.time, on: target.thread.track, label: entry.label,
        name: entry.name, meaning: .other)
    default: addAny(event, entry, target, text, to: &collector, &builder)
    }
  }

  @inline(never)
  private func addAny(
    _ event: PerfettoEvents.Event, _ entry: ChromeLabels.Entry, _ target: Target,
    _ text: UnsafeRawBufferPointer, to collector: inout ChromeEventCollector,
    _ builder: inout TraceBuilder
  ) {
    let detail = event.detail >= 0 ? events.details[Int(event.detail)] : PerfettoEvents.Detail()
    let known = ChromeKnownEvent(
      time: event.time, thread: target.thread, entry: entry, category: nil,
      arguments: JSONView(bytes: UnsafeRawBufferPointer(rebasing: text[detail.arguments])))
    switch event.kind {
    case .start where target.isThread: collector.addBegin(known, to: &builder)
    case .end where target.isThread: collector.addEnd(known)
    case .lineBegin: collector.addBegin(known, stack: 1, to: &builder)
    case .lineEnd: collector.addEnd(known, stack: 1)
    case .start:
      collector.addAsync(known, isBegin: true, id: target.lane, name: .empty, to: &builder)
    case .end:
      collector.addAsync(known, isBegin: false, id: target.lane, name: .empty, to: &builder)
    case .instant: collector.addInstant(known, to: &builder)
    case .complete: collector.addComplete(known, length: detail.length, to: &builder)
    case .asyncBegin, .asyncEnd:
      let id = ChromeID(process: detail.isLocal ? known.thread.process : nil, value: detail.id ?? 0)
      collector.addAsync(
        known, isBegin: event.kind == .asyncBegin, id: id, name: known.name, to: &builder)
    case .sample:
      builder.addSample(detail.value, of: known.label, id: known.thread.process, at: known.time)
    case .samples: collector.addSamples(known, id: known.thread.process, to: &builder)
    }
  }

  /// Returns the names of states by their tracks, with the owner if several tracks have one name.
  private mutating func namesOfStates(in builder: TraceBuilder) -> [Int32: String] {
    var keys: [Int32: String] = [:]
    var counts: [String: Int] = [:]
    for event in events.states {
      let number = events.spots[Int(event.spot)].track
      guard keys[number] == nil else { continue }
      let name = tracks.all[Int(number)].name
      let key = name == .empty ? "state" : builder.name(of: name)
      keys[number] = key
      counts[key, default: 0] += 1
    }
    for (number, key) in keys where counts[key] ?? 0 > 1 {
      let owner = tracks.owner(of: Int(number))
      let process = owner.process.map { processes.name($0) ?? "process \($0)" }
      let thread = owner.thread.map { "thread \($0)" }
      keys[number] = "\(key) (\([process, thread].compactMap { $0 }.joined(separator: ", ")))"
    }
    return keys
  }

  private mutating func addStates(to builder: inout TraceBuilder) {
    guard !events.states.isEmpty else { return }
    let keys = namesOfStates(in: builder)
    for event in events.states {
      let name = events.entries[Int(event.entry)].name
      builder.addState(
        StateChange(
          time: event.time, key: keys[events.spots[Int(event.spot)].track] ?? "state",
          value: name == .empty ? nil : builder.name(of: name)))
    }
  }

  /// Adds the points of flows: the first of an id starts it.
  private func addFlows(_ targets: [Target?], to builder: inout TraceBuilder) {
    var begun: Set<UInt64> = []
    let order = events.flows.indices.sorted {
      (events.flows[$0].time, $0) < (events.flows[$1].time, $1)
    }
    for index in order {
      let flow = events.flows[index]
      guard let target = targets[Int(flow.spot)] else { continue }
      let isFirst = begun.insert(flow.id).inserted
      builder.addFlow(
        flow.isEnd ? .end : isFirst ? .start : .step, id: flow.id, on: target.thread.track,
        at: flow.time, label: events.entries[Int(flow.entry)].label)
      if flow.isEnd { begun.remove(flow.id) }
    }
  }
}

/// A line that Android's libraries write into the kernel's trace buffer: a letter, and its fields
/// separated by bars.
struct PerfettoLine {
  typealias Text = Slice<UnsafeRawBufferPointer>

  enum Reading {
    case line(PerfettoLine)
    /// Not one of these lines.
    case none
    /// One of these lines, but unusable.
    case loss(Loss.Reason)
  }

  let kind: PerfettoEvents.Kind
  let process: UInt64?
  let name: Text
  /// The key shared by the start and the end of asynchronous work, or the value of a counter.
  private(set) var number: Int64?
  /// The track of the process for the work.
  private(set) var lane: Text?

  /// Returns the line in `text`, without its terminating byte.
  static func read(_ text: Text) -> Reading { readWork(text).map(Reading.line) ?? readAny(text) }

  /// Returns the line in `text` if it is the usual start or end of work.
  private static func readWork(_ text: Text) -> PerfettoLine? {
    let bar = UInt8(ascii: "|")
    let nothing = text[text.endIndex...]
    guard let phase = text.first, phase == UInt8(ascii: "B") || phase == UInt8(ascii: "E"),
      text.count > 2, text[text.startIndex + 1] == bar
    else { return nil }
    let rest = text[(text.startIndex + 2)...]
    let end = rest.firstIndex(of: bar)
    let process = number(rest[..<(end ?? rest.endIndex)]).flatMap(UInt64.init(exactly:))
    if phase == UInt8(ascii: "E") {
      return PerfettoLine(kind: .lineEnd, process: process, name: nothing)
    }
    return end.map { PerfettoLine(kind: .lineBegin, process: process, name: rest[($0 + 1)...]) }
  }

  private static func readAny(_ text: Text) -> Reading {
    let parts = text.split(
      separator: UInt8(ascii: "|"), maxSplits: 4, omittingEmptySubsequences: false)
    guard let letter = parts.first, letter.count == 1, let phase = letter.first else {
      return .none
    }
    let process = parts.count > 1 ? number(parts[1]).flatMap(UInt64.init(exactly:)) : nil
    let nothing = text[text.endIndex...]
    var line: PerfettoLine
    switch (phase, parts.count) {
    case (UInt8(ascii: "E"), _):
      return .line(PerfettoLine(kind: .lineEnd, process: process, name: nothing))
    case (UInt8(ascii: "B"), 3...), (UInt8(ascii: "I"), 3...), (UInt8(ascii: "N"), 4...):
      // A name can contain bars itself.
      let name = parts[phase == UInt8(ascii: "N") ? 3 : 2].startIndex
      let kind = phase == UInt8(ascii: "B") ? PerfettoEvents.Kind.lineBegin : .instant
      return .line(PerfettoLine(kind: kind, process: process, name: text[name...]))
    case (UInt8(ascii: "S"), 4...), (UInt8(ascii: "F"), 4...), (UInt8(ascii: "C"), 4...):
      let kind =
        phase == UInt8(ascii: "C")
        ? PerfettoEvents.Kind.sample : phase == UInt8(ascii: "S") ? .asyncBegin : .asyncEnd
      line = PerfettoLine(kind: kind, process: process, name: parts[2])
      line.number = number(parts[3])
    case (UInt8(ascii: "G"), 5):
      line = PerfettoLine(kind: .start, process: process, name: parts[3])
      (line.lane, line.number) = (parts[2], number(parts[4]))
    case (UInt8(ascii: "H"), 4), (UInt8(ascii: "H"), 5):
      line = PerfettoLine(kind: .end, process: process, name: nothing)
      (line.lane, line.number) = (parts[2], number(parts[parts.count - 1]))
    default: return .loss(.unknownRecord)
    }
    return line.number == nil ? .loss(.invalidValue) : .line(line)
  }

  /// The names of Android's own work that end in the number of its frame.
  private static let numberedNames: [StaticString] = [
    "Choreographer#doFrame", "DrawFrames", "DrawFrame", "FrameDisplayed", "commit", "composite",
    "onMessageInvalidate", "onMessageRefresh", "GPU completion fence",
    "Trace GPU completion fence", "waiting for GPU completion", "HWC release fence",
    "Trace HWC release fence", "waiting for HWC release", "presentFence fence",
    "Trace presentFence fence", "waiting for presentFence",
  ]

  /// The text after the name of a delayed frame callback.
  private static let resynced: StaticString = "Choreographer#doFrame - resynced to "

  /// The name without the number of the frame, so that the work of all frames has one name. It
  /// applies only to Android's own names, in which the meaning of the number is known.
  var commonName: Text {
    guard kind != .sample, let last = name.last else { return name }
    let whole = UnsafeRawBufferPointer(rebasing: name)
    if whole.hasPrefix(Self.resynced) {
      return name.prefix(Self.resynced.utf8CodeUnitCount - " to ".utf8.count)
    }
    guard last.isDigit, let space = name.lastIndex(of: UInt8(ascii: " ")),
      name[(space + 1)...].allSatisfy(\.isDigit)
    else { return name }
    let stem = UnsafeRawBufferPointer(rebasing: name[..<space])
    return Self.numberedNames.contains(where: stem.hasBytes) ? name[..<space] : name
  }

  private static func number(_ text: Text) -> Int64? {
    JSONNumber.integer(UnsafeRawBufferPointer(rebasing: text))
  }
}
