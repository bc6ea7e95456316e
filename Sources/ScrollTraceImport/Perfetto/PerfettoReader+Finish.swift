import ScrollTraceModel

extension PerfettoReader {
  /// Where an event belongs in the trace.
  private struct Place {
    var place: ChromeTracks.Place
    /// Whether it is work of the place's thread; else it is on a lane of its own.
    var isThread: Bool
  }

  /// Adds all that had to wait for the end of the trace.
  mutating func finish(in builder: inout TraceBuilder) {
    var collector = ChromeEventCollector()
    for (process, thread, name) in tracks.threadNames {
      let place = collector.tracks.place(process: process, thread: thread, &builder)
      collector.tracks.setName(name, of: place, in: &builder)
    }
    events.settleSamples(tracks, in: &builder)
    let places = placeTracks(in: &collector, &builder)
    nameThreads(of: &collector, in: &builder)
    arguments.text.withUnsafeBytes { text in
      for event in events.all {
        add(event, places, UnsafeRawBufferPointer(text), to: &collector, &builder)
      }
    }
    addFlows(places, to: &builder)
    collector.finish(in: &builder)
    frames.finish(processes, tracks: collector.tracks, in: &builder)
  }

  /// The place of each track, and of each track as its sequence's thread would tell it.
  private func placeTracks(
    in collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) -> [UInt64: Place] {
    var places: [UInt64: Place] = [:]
    var last: UInt64?
    func place(_ track: Int32, _ home: Int32) {
      let key = Self.key(track, home)
      guard key != last else { return }
      last = key
      guard places[key] == nil else { return }
      let owner = tracks.owner(of: Int(track))
      var (process, thread) = (owner.process, owner.thread)
      if thread == nil, home >= 0 {
        let teller = tracks.owner(of: Int(home))
        if process == nil || process == teller.process {
          (process, thread) = (teller.process, teller.thread)
        }
      }
      let number = process ?? 0
      places[key] = Place(
        place: collector.tracks.place(process: number, thread: thread ?? number, &builder),
        isThread: owner.isThread)
    }
    for event in events.all { place(event.track, event.home) }
    for flow in events.flows { place(flow.track, flow.home) }
    return places
  }

  private static func key(_ track: Int32, _ home: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: track)) << 32 | UInt64(UInt32(bitPattern: home))
  }

  private func nameThreads(
    of collector: inout ChromeEventCollector, in builder: inout TraceBuilder
  ) {
    for entry in collector.tracks.entries {
      let place = collector.tracks.place(
        process: entry.process, thread: entry.thread, &builder)
      if entry.name.isEmpty, let name = processes.threadNames[entry.thread] {
        collector.tracks.setName(name, of: place, in: &builder)
      }
      if collector.tracks.processNames[entry.process] == nil,
        let name = processes.name(entry.process)
      {
        collector.tracks.setProcessName(name, of: place, in: &builder)
      }
    }
  }

  private func add(
    _ event: PerfettoEvents.Event, _ places: [UInt64: Place], _ text: UnsafeRawBufferPointer,
    to collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) {
    guard let place = places[Self.key(event.track, event.home)] else { return }
    let detail = event.detail >= 0 ? events.details[Int(event.detail)] : PerfettoEvents.Detail()
    let entry = events.entries[Int(event.entry)]
    guard entry.meaning.runsScript, entry.meaning != .scriptRun, event.kind != .end else {
      return add(
        event, detail, known(event, entry, detail, place, category: nil, text), place,
        to: &collector, &builder)
    }
    var category = builder.name(of: events.categories[Int(event.entry)])
    category.withUTF8 { bytes in
      let category = UnsafeRawBufferPointer(bytes)
      add(
        event, detail, known(event, entry, detail, place, category: category, text), place,
        to: &collector, &builder)
    }
  }

  private func known(
    _ event: PerfettoEvents.Event, _ entry: ChromeLabels.Entry, _ detail: PerfettoEvents.Detail,
    _ place: Place, category: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer
  ) -> ChromeKnownEvent {
    ChromeKnownEvent(
      time: event.time, place: place.place, entry: entry, category: category,
      arguments: JSONView(bytes: UnsafeRawBufferPointer(rebasing: text[detail.arguments])))
  }

  private func add(
    _ event: PerfettoEvents.Event, _ detail: PerfettoEvents.Detail, _ known: ChromeKnownEvent,
    _ place: Place, to collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) {
    // Lanes that belong to no thread are stacks as well: what ends is what began last.
    let lane = ChromeID(process: nil, value: UInt64(UInt32(bitPattern: event.track)) | 1 << 63)
    switch event.kind {
    case .begin where place.isThread: collector.addBegin(known, to: &builder)
    case .end where place.isThread: collector.addEnd(known)
    case .lineBegin: collector.addBegin(known, stack: 1, to: &builder)
    case .lineEnd: collector.addEnd(known, stack: 1)
    case .begin: collector.addAsync(known, isBegin: true, id: lane, name: .empty, to: &builder)
    case .end: collector.addAsync(known, isBegin: false, id: lane, name: .empty, to: &builder)
    case .instant: collector.addInstant(known, to: &builder)
    case .complete: collector.addComplete(known, length: detail.length, to: &builder)
    case .asyncBegin, .asyncEnd:
      let id = ChromeID(
        process: detail.isLocal ? known.place.process : nil, value: detail.id ?? 0)
      collector.addAsync(
        known, isBegin: event.kind == .asyncBegin, id: id, name: known.name, to: &builder)
    case .sample:
      builder.addSample(
        detail.value, of: known.label, id: known.place.process, at: known.time)
    case .samples: collector.addSamples(known, id: known.place.process, to: &builder)
    }
  }

  /// Adds the points of arrows: the first of an id begins it.
  private func addFlows(_ places: [UInt64: Place], to builder: inout TraceBuilder) {
    var begun: Set<UInt64> = []
    let order = events.flows.indices.sorted {
      (events.flows[$0].time, $0) < (events.flows[$1].time, $1)
    }
    for index in order {
      let flow = events.flows[index]
      guard let place = places[Self.key(flow.track, flow.home)] else { continue }
      let isFirst = begun.insert(flow.id).inserted
      builder.addFlow(
        flow.isEnd ? .end : isFirst ? .begin : .step, id: flow.id, on: place.place.track,
        at: flow.time, label: events.entries[Int(flow.entry)].label)
      if flow.isEnd { begun.remove(flow.id) }
    }
  }
}
