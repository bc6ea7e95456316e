import ScrollTraceModel

/// Adds Chrome's events, in any format, to a trace one by one.
///
/// Complete spans, instants, counters and flows are added immediately. Events that need a partner
/// or the order of time are stored in columns until `finish`. Arguments are read only if frames,
/// interactions or lists need them, and only those of a list's work are stored.
struct ChromeEventCollector {
  var tracks = ChromeTracks()
  var labels = ChromeLabels()
  var spans = ChromeSpanPairing()
  var async = ChromeAsyncPairing()
  var calls = ChromeScriptCalls()
  private var callNames = ChromeCallNames()
  var frames = ChromeFrameRecords()
  var interactions = ChromeInteractions()
  var flutter = FlutterEvents()
  private(set) var recorded = ChromeRecordedEvents()
  private var threadTimes = ChromeThreadTimes()
  var samples = ChromeSamples()
  private var unread = ChromeUnreadEvents()

  // MARK: - Work of threads

  @inline(__always)
  mutating func addComplete(
    _ known: ChromeKnownEvent, length: Int64, to builder: inout TraceBuilder
  ) {
    let label = storeWork(known, in: &builder)
    guard let end = known.time.nanoseconds.plus(length) else {
      return builder.countLoss(.timeOutOfRange)
    }
    guard length >= 0 else { return builder.countLoss(.endBeforeBegin) }
    builder.addSpan(
      on: known.thread.track, from: known.time, to: Timestamp(clamping: end), label: label,
      arguments: known.argumentList(in: &builder))
    if known.meaning.runsScript {
      calls.add(from: known.time, to: Timestamp(clamping: end), on: known.thread.track)
    } else if known.meaning.isFlutterStage {
      flutter.end(
        known.meaning, since: known.time, at: Timestamp(clamping: end), on: known.thread.track)
    }
  }

  mutating func addUnfinished(_ known: ChromeKnownEvent, to builder: inout TraceBuilder) {
    let label = storeWork(known, in: &builder)
    builder.addOpenSpan(on: known.thread.track, since: known.time, label: label, mayHaveEnded: true)
  }

  /// Adds the start of a span from the recorder `stack`, if several recorders describe one thread.
  mutating func addBegin(
    _ known: ChromeKnownEvent, stack: UInt8 = 0, to builder: inout TraceBuilder
  ) {
    spans.add(
      isBegin: true, at: known.time, on: known.thread.track, label: storeWork(known, in: &builder),
      name: known.name, meaning: known.meaning, arguments: known.argumentList(in: &builder),
      stack: stack)
  }

  /// Adds the end of the most recently started span, or of the most recent one with this name.
  mutating func addEnd(_ known: ChromeKnownEvent, stack: UInt8 = 0) {
    spans.add(
      isBegin: false, at: known.time, on: known.thread.track, label: known.label,
      name: known.name, meaning: .other, stack: stack)
  }

  /// Stores the data of a span that concerns frames, and returns the span's label.
  @inline(__always)
  private mutating func storeWork(
    _ known: ChromeKnownEvent, in builder: inout TraceBuilder
  ) -> LabelID {
    switch known.meaning {
    case .other, .functionCall, .evaluateScript, .eventDispatch, .scriptFile, .scriptRun,
      .recordedFrame, .recordedInteraction, .recordedState:
      break
    case .task: tracks.countTask(on: known.thread.track)
    case .flutterVsync, .flutterBuild, .flutterRaster: flutter.begin(known)
    default: frames.addComplete(known)
    }
    guard known.meaning.runsScript, known.meaning != .scriptRun else { return known.label }
    let entry = callNames.entry(of: known, in: &labels, &builder)
    if entry.isScrollEvent {
      interactions.addScrollEvent(at: known.time, of: known.thread.process)
    }
    return entry.label
  }

  // MARK: - Other events

  mutating func addInstant(_ known: ChromeKnownEvent, to builder: inout TraceBuilder) {
    if known.meaning == .recordedState { return recorded.addState(known, to: &builder) }
    if known.entry.hasArguments, recorded.addSurface(known, to: &builder) { return }
    if known.meaning == .tracingStart {
      callNames.setPage(known.arguments)
    } else if known.meaning != .other {
      frames.addInstant(known)
    }
    guard !known.entry.isVerbose else { return builder.extend(to: known.time) }
    builder.addMark(
      on: known.thread.track, at: known.time, label: known.label,
      arguments: known.argumentList(in: &builder))
  }

  mutating func addAsync(
    _ known: ChromeKnownEvent, isBegin: Bool, id: ChromeID, name: StringID,
    to builder: inout TraceBuilder
  ) {
    var record = ChromeAsyncPairing.Record(
      time: known.time, track: known.thread.track, label: known.label, meaning: known.meaning,
      isBegin: isBegin, isMeasure: known.entry.isUserTiming, overlaps: known.entry.overlaps)
    if isBegin {
      switch known.meaning {
      case .recordedFrame: record.payload = recorded.addFrame(known, to: &builder) ? 0 : -1
      case .recordedInteraction: record.payload = recorded.begin(known, in: &builder)
      case .recordedState:
        record.payload = recorded.addSpanOfState(known, to: &builder) ? 0 : -1
      default: record.payload = frames.addAsyncBegin(known)
      }
      interactions.addInput(known)
      if known.meaning == .flutterLag { flutter.addLag(known) }
      record.arguments =
        known.entry.isUserTiming
        ? ChromeUserTiming.item(of: known, in: &builder) : known.argumentList(in: &builder)
    }
    builder.extend(to: known.time)
    async.add(record, id: id, name: name)
  }

  func addSamples(_ known: ChromeKnownEvent, id: UInt64, to builder: inout TraceBuilder) {
    known.arguments.forEachMember { key, value in
      // Some writers quote their numbers.
      guard let sample = value.rawText.flatMap(JSONNumber.double) ?? value.double else {
        return builder.countLoss(.invalidValue)
      }
      let series = builder.string(key.bindMemory(to: UInt8.self))
      builder.addSample(sample, of: known.label, series: series, id: id, at: known.time)
    }
  }
}

/// An event of Chrome, in any format, with its time, thread and name.
struct ChromeKnownEvent {
  let time: Timestamp
  let thread: ChromeTracks.Thread
  let entry: ChromeLabels.Entry
  /// The event's category, or `nil` if the event must not be named after it.
  let category: UnsafeRawBufferPointer?
  /// The event's arguments as a JSON object; from other formats only the arguments with a meaning.
  let arguments: JSONView

  var name: StringID { entry.name }
  var label: LabelID { entry.label }
  var meaning: ChromeName { entry.meaning }

  /// Returns the arguments that have a meaning, without nested ones; of a page's own measure, the
  /// item that our exporters write.
  @inline(__always)
  func argumentList(in builder: inout TraceBuilder) -> ArgumentListID {
    if entry.hasArguments { return allArguments(in: &builder) }
    return entry.isUserTiming ? ChromeUserTiming.copiedItem(of: self, in: &builder) : .none
  }

  @inline(never)
  private func allArguments(in builder: inout TraceBuilder) -> ArgumentListID {
    var list: [Argument] = []
    arguments.forEachMember { name, value in
      let argument: ArgumentValue
      switch value.kind {
      case .plainString, .escapedString:
        guard let text = value.text else { return }
        argument = .string(builder.string(text))
      case .number: argument = JSONNumber.argument(value.bytes)
      case .literal:
        argument =
          value.bytes.hasBytes(of: "null") ? .null : .bool(value.bytes.hasBytes(of: "true"))
      case .missing, .object, .array: return
      }
      list.append(
        Argument(key: builder.string(name.bindMemory(to: UInt8.self)), value: argument))
    }
    return builder.argumentList(list)
  }
}

extension ChromeEventCollector {
  /// Adds everything that had to wait for the end of the trace.
  ///
  /// - Parameter app: The process on screen, if the trace identifies it in another way too.
  /// - Returns: A Boolean value indicating whether a page was found that is the host.
  @discardableResult
  mutating func finish(app: UInt64? = nil, in builder: inout TraceBuilder) -> Bool {
    spans.finish(in: &builder, calls: &calls, flutter: &flutter)
    threadTimes.finish(in: &builder)
    calls.sort()
    let pairs = async.pairs(countingLossesIn: &builder)
    addAsyncSpans(pairs, to: &builder)
    samples.finish(tracks, in: &builder)
    reportUnread(in: &builder)
    for (index, entry) in tracks.entries.enumerated() where entry.taskCount > 0 {
      // Chrome wraps everything a thread does in tasks, so time without one is idle.
      builder.setCompletelyRecorded(TrackID(index: index))
    }
    let extractor = ChromeFrameExtractor(
      records: frames, tracks: tracks, asyncRecords: async.records, pairs: pairs, in: builder)
    let refreshes = extractor.refreshes
    interactions.finish(refreshes, of: extractor.page, in: &builder)
    if !flutter.isAwaited { flutter.addFrames(to: &builder) }
    recorded.finish(in: &builder)
    if let process = recorded.process {
      builder.setHost(builder.process(process))
      return false
    }
    return extractor.addFrames(
      app: app, rests: interactions.rests(in: refreshes), to: &builder)
  }

  /// Adds one notice for all unread events and one for spans that started before the recording.
  private func reportUnread(in builder: inout TraceBuilder) {
    if let text = unread.text { builder.addNotice(text) }
    let count = spans.beganBefore + async.beganBefore
    builder.addNotice(
      "spans that started before the recording, of which only the end is known", count: count)
  }

  /// Adds the pairs as spans of no thread's stack. The page's measures become work of their thread
  /// if one script call contains them, and work that an exporter took from its thread is put back.
  ///
  /// The stages of pipeline reporters are omitted: they become frames.
  private mutating func addAsyncSpans(
    _ pairs: [ChromeAsyncPairing.Pair], to builder: inout TraceBuilder
  ) {
    for pair in pairs {
      let begin = async.records[pair.start]
      let end = async.records[pair.end].time
      guard pair.reporter == nil, begin.meaning != .pipelineReporter else { continue }
      if begin.meaning.isRecorded, begin.payload >= 0 {
        if begin.meaning == .recordedInteraction { recorded.end(begin.payload, at: end) }
        continue
      }
      if begin.overlaps {
        builder.addSpan(
          on: begin.track, from: begin.time, to: end, label: begin.label,
          arguments: begin.arguments)
        continue
      }
      if begin.isMeasure,
        let inside = calls.begin(ofMeasureFrom: begin.time, to: end, on: begin.track)
      {
        builder.addSpan(
          on: begin.track, from: inside, to: end, label: begin.label, arguments: begin.arguments)
        continue
      }
      builder.addAsyncSpan(
        on: begin.track, from: begin.time, to: end, label: begin.label, arguments: begin.arguments)
    }
  }
}

extension ChromeEventCollector {
  mutating func add(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, to builder: inout TraceBuilder
  ) {
    guard !event.isEmpty else { return }
    guard event.phase.kind == .plainString, event.phase.end - event.phase.start >= 3 else {
      return builder.countLoss(.invalidValue)
    }
    let phase = bytes[event.phase.start + 1]
    switch phase {
    case UInt8(ascii: "M"): return addMetadata(event, in: bytes, to: &builder)
    case UInt8(ascii: "P"):
      guard !samples.add(event, in: bytes, &tracks, &builder) else { return }
      return unread.count(phase)
    // These say nothing about frames or about work with a start and an end.
    case UInt8(ascii: "N"), UInt8(ascii: "D"), UInt8(ascii: "O"), UInt8(ascii: "V"),
      UInt8(ascii: "v"), UInt8(ascii: "c"), UInt8(ascii: "("), UInt8(ascii: ")"):
      return unread.count(phase)
    default: break
    }
    guard let time = instant(event.time, in: bytes, &builder) else { return }
    let thread = tracks.thread(of: event, in: bytes, &builder)
    let known = ChromeKnownEvent(
      time: time, thread: thread, entry: entry(of: event, in: bytes, &builder),
      category: event.category.kind == .plainString ? Self.content(event.category, in: bytes) : nil,
      arguments: event.arguments.view(in: bytes))
    add(known, event, in: bytes, phase: phase, to: &builder)
  }

  @inline(__always)
  private mutating func add(
    _ known: ChromeKnownEvent, _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer,
    phase: UInt8, to builder: inout TraceBuilder
  ) {
    switch phase {
    case UInt8(ascii: "X"): addComplete(known, event, in: bytes, to: &builder)
    case UInt8(ascii: "B"):
      addBegin(known, to: &builder)
      threadTimes.add(event, in: bytes, at: known.time, on: known.thread.track, to: &builder)
    case UInt8(ascii: "E"):
      addEnd(known)
      threadTimes.add(event, in: bytes, at: known.time, on: known.thread.track, to: &builder)
    case UInt8(ascii: "b"), UInt8(ascii: "S"), UInt8(ascii: "e"), UInt8(ascii: "F"):
      guard let id = ChromeID(of: event, in: bytes, process: known.thread.process) else {
        return builder.countLoss(.invalidValue)
      }
      let isBegin = phase == UInt8(ascii: "b") || phase == UInt8(ascii: "S")
      addAsync(known, isBegin: isBegin, id: id, name: known.name, to: &builder)
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"): addInstant(known, to: &builder)
    case UInt8(ascii: "n"), UInt8(ascii: "T"), UInt8(ascii: "p"):
      // An instant of asynchronous work only extends the trace.
      builder.extend(to: known.time)
    case UInt8(ascii: "C"):
      let id =
        event.id.kind == .missing ? known.thread.process : ChromeID.number(event.id.view(in: bytes))
      addSamples(known, id: id, to: &builder)
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      addFlow(known, event, in: bytes, phase: phase, to: &builder)
    default: builder.countLoss(.unknownRecord)
    }
  }

  @inline(__always)
  private mutating func addComplete(
    _ known: ChromeKnownEvent, _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer,
    to builder: inout TraceBuilder
  ) {
    guard let duration = event.duration.number(in: bytes) else {
      // Without a duration the event never ended.
      return addUnfinished(known, to: &builder)
    }
    guard let length = JSONNumber.nanoseconds(fromMicroseconds: duration) else {
      return builder.countLoss(.invalidValue)
    }
    addComplete(known, length: length, to: &builder)
    if event.threadTime.kind != .missing {
      threadTimes.add(
        event, in: bytes, at: known.time, length: length, on: known.thread.track, to: &builder)
    }
  }

  private func addFlow(
    _ known: ChromeKnownEvent, _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer,
    phase: UInt8, to builder: inout TraceBuilder
  ) {
    guard let id = ChromeID(of: event, in: bytes, process: known.thread.process) else {
      return builder.countLoss(.invalidValue)
    }
    let kind: FlowPoint.Kind =
      phase == UInt8(ascii: "s") ? .start : phase == UInt8(ascii: "t") ? .step : .end
    builder.addFlow(kind, id: id.value, on: known.thread.track, at: known.time, label: known.label)
  }

  private mutating func addMetadata(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, to builder: inout TraceBuilder
  ) {
    let kind = bytes[event.name.start..<event.name.end]
    if kind.elementsEqual("\"trace_buffer_overflowed\"".utf8) {
      return addOverflow(event, in: bytes, to: &builder)
    }
    let isProcess = kind.elementsEqual("\"process_name\"".utf8)
    guard isProcess || kind.elementsEqual("\"thread_name\"".utf8) else { return }
    guard let name = event.arguments.view(in: bytes).member("name")?.text else { return }
    let thread = tracks.thread(of: event, in: bytes, &builder)
    if isProcess {
      tracks.setProcessName(name, of: thread, in: &builder)
    } else {
      tracks.setName(name, of: thread, in: &builder)
    }
  }

  /// Adds the time from which a process had no room for its events.
  private mutating func addOverflow(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, to builder: inout TraceBuilder
  ) {
    builder.countLoss(.sourceDroppedRecords)
    let thread = tracks.thread(of: event, in: bytes, &builder)
    guard let value = event.arguments.view(in: bytes).member("overflowed_at_ts"),
      let time = JSONNumber.nanoseconds(fromMicroseconds: value.rawText ?? value.bytes)
        .flatMap(Timestamp.init(nanoseconds:))
    else { return }
    builder.addHole(from: time, of: builder.process(thread.process))
    builder.addNotice(
      "process \(thread.process) ran out of buffer space; its later events are missing")
  }

  // MARK: - Fields

  private func instant(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer, _ builder: inout TraceBuilder
  ) -> Timestamp? {
    guard let text = field.number(in: bytes) else {
      builder.countLoss(.invalidValue)
      return nil
    }
    guard let nanoseconds = JSONNumber.nanoseconds(fromMicroseconds: text) else {
      // A number that does not fit is out of range; a non-numeric string has no value.
      builder.countLoss(field.kind == .number ? .timeOutOfRange : .invalidValue)
      return nil
    }
    guard let time = Timestamp(nanoseconds: nanoseconds) else {
      builder.countLoss(.timeOutOfRange)
      return nil
    }
    return time
  }

  @inline(__always)
  private mutating func entry(
    of event: ChromeEvent, in bytes: UnsafeRawBufferPointer, _ builder: inout TraceBuilder
  ) -> ChromeLabels.Entry {
    let category = Self.content(event.category, in: bytes)
    let name = Self.content(event.name, in: bytes)
    guard event.category.kind == .escapedString || event.name.kind == .escapedString else {
      return labels.entry(category: category, name: name, in: &builder)
    }
    return JSONText.unescape(category).withUnsafeBytes { category in
      JSONText.unescape(name).withUnsafeBytes { name in
        labels.entry(category: category, name: name, in: &builder)
      }
    }
  }

  /// Returns the bytes between a string's quotes, or none if it is not a string.
  @inline(__always)
  private static func content(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    guard field.kind.isString else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[(field.start + 1)..<(field.end - 1)])
  }
}

/// Counts events of unsupported kinds, so that each kind is reported once.
struct ChromeUnreadEvents {
  private static let kinds: [(phase: UInt8, name: String)] = [
    (UInt8(ascii: "P"), "samples of other profilers"),
    (UInt8(ascii: "N"), "created objects"),
    (UInt8(ascii: "O"), "object snapshots"),
    (UInt8(ascii: "D"), "deleted objects"),
    (UInt8(ascii: "V"), "global memory dumps"),
    (UInt8(ascii: "v"), "process memory dumps"),
    (UInt8(ascii: "c"), "clock marks"),
    (UInt8(ascii: "("), "context starts"),
    (UInt8(ascii: ")"), "context ends"),
  ]

  private var counts = [Int](repeating: 0, count: 128)

  mutating func count(_ phase: UInt8) { counts[Int(phase & 127)] += 1 }

  var text: String? {
    let found = Self.kinds.filter { counts[Int($0.phase)] > 0 }
    guard !found.isEmpty else { return nil }
    let list = found.map { "\($0.name) (\(counts[Int($0.phase)]))" }.joined(separator: ", ")
    return "unsupported events: \(list)"
  }
}
