import ScrollTraceModel

/// Takes a trace's events one by one and adds what they say to a trace.
///
/// Complete spans, instants, counters and flows are added at once. What needs its other half, or
/// the order of time, is kept in columns until `finish`. Arguments are looked into only where
/// frames and interactions need them, and are not kept.
struct ChromeEventCollector {
  var tracks = ChromeTracks()
  var labels = ChromeLabels()
  var spans = ChromeSpanPairing()
  var async = ChromeAsyncPairing()
  var calls = ChromeScriptCalls()
  private var callNames = ChromeCallNames()
  var frames = ChromeFrameRecords()
  var interactions = ChromeInteractions()

  /// Adds what the event in `bytes` says.
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
    // Samples of a profiler, snapshots of objects and of memory, clock marks, contexts: these say
    // nothing about frames or about work with a begin and an end.
    case UInt8(ascii: "P"), UInt8(ascii: "N"), UInt8(ascii: "D"), UInt8(ascii: "O"),
      UInt8(ascii: "V"), UInt8(ascii: "v"), UInt8(ascii: "c"), UInt8(ascii: "("),
      UInt8(ascii: ")"):
      return
    default: break
    }
    guard let time = instant(event.time, in: bytes, &builder) else { return }
    let place = tracks.place(of: event, in: bytes, &builder)
    let entry = entry(of: event, in: bytes, &builder)
    let known = KnownEvent(
      event: event, bytes: bytes, time: time, place: place, entry: entry)
    add(known, phase: phase, to: &builder)
  }

  /// An event whose time, place and name have been read.
  struct KnownEvent {
    let event: ChromeEvent
    let bytes: UnsafeRawBufferPointer
    let time: Timestamp
    let place: ChromeTracks.Place
    let entry: ChromeLabels.Entry

    var name: StringID { entry.name }
    var label: LabelID { entry.label }
    var meaning: ChromeName { entry.meaning }

    /// The event's arguments.
    var arguments: JSONView { view(of: event.arguments) }

    func view(of field: ChromeEvent.Field) -> JSONView {
      JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[field.start..<field.end]))
    }
  }

  @inline(__always)
  private mutating func add(
    _ known: KnownEvent, phase: UInt8, to builder: inout TraceBuilder
  ) {
    switch phase {
    case UInt8(ascii: "X"): addComplete(known, to: &builder)
    case UInt8(ascii: "B"):
      spans.add(
        isBegin: true, at: known.time, on: known.place.track,
        label: label(of: known, in: &builder), name: known.name, isCall: known.meaning.runsScript)
    case UInt8(ascii: "E"):
      spans.add(
        isBegin: false, at: known.time, on: known.place.track, label: known.label,
        name: known.name, isCall: false)
    case UInt8(ascii: "b"), UInt8(ascii: "S"): addAsync(known, isBegin: true, to: &builder)
    case UInt8(ascii: "e"), UInt8(ascii: "F"): addAsync(known, isBegin: false, to: &builder)
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"): addInstant(known, to: &builder)
    case UInt8(ascii: "n"), UInt8(ascii: "T"), UInt8(ascii: "p"):
      // An instant of asynchronous work; it changes nothing in time.
      builder.extend(to: known.time)
    case UInt8(ascii: "C"): addSamples(known, to: &builder)
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      addFlow(known, phase: phase, to: &builder)
    default: builder.countLoss(.unknownRecord)
    }
  }

  // MARK: - Kinds of events

  @inline(__always)
  private mutating func addComplete(_ known: KnownEvent, to builder: inout TraceBuilder) {
    switch known.meaning {
    case .other, .functionCall, .evaluateScript, .eventDispatch, .scriptRun: break
    case .task: tracks.countTask(on: known.place.track)
    default: frames.noteComplete(known)
    }
    let label = label(of: known, in: &builder)
    let duration = known.event.duration
    guard duration.kind == .number || duration.kind.isString else {
      // Without a duration the event never ended.
      return builder.addOpenSpan(on: known.place.track, since: known.time, label: label)
    }
    let view = known.view(of: duration)
    guard let length = JSONNumber.nanoseconds(fromMicroseconds: view.rawText ?? view.bytes) else {
      return builder.countLoss(.invalidValue)
    }
    let (end, overflow) = known.time.nanoseconds.addingReportingOverflow(length)
    guard !overflow else { return builder.countLoss(.timeOutOfRange) }
    guard length >= 0 else { return builder.countLoss(.endBeforeBegin) }
    builder.addSpan(
      on: known.place.track, from: known.time, to: Timestamp(clamping: end), label: label)
    if known.meaning.runsScript {
      calls.add(from: known.time, to: Timestamp(clamping: end), on: known.place.track)
    }
  }

  /// What the span that `known` tells of is called.
  @inline(__always)
  private mutating func label(
    of known: KnownEvent, in builder: inout TraceBuilder
  ) -> LabelID {
    guard known.meaning.runsScript, known.meaning != .scriptRun else { return known.label }
    return callNames.label(of: known, in: &labels, &builder)
  }

  private mutating func addInstant(_ known: KnownEvent, to builder: inout TraceBuilder) {
    if known.meaning != .other { frames.noteInstant(known) }
    guard !known.entry.isVerbose else { return builder.extend(to: known.time) }
    builder.addMark(on: known.place.track, at: known.time, label: known.label)
  }

  private mutating func addAsync(
    _ known: KnownEvent, isBegin: Bool, to builder: inout TraceBuilder
  ) {
    guard let id = ChromeID(of: known.event, in: known.bytes, process: known.place.process) else {
      return builder.countLoss(.invalidValue)
    }
    var record = ChromeAsyncPairing.Record(
      time: known.time, track: known.place.track, label: known.label, meaning: known.meaning,
      isBegin: isBegin)
    record.isMeasure = known.entry.isUserTiming
    if isBegin {
      record.payload = frames.noteAsyncBegin(known)
      interactions.noteInput(known)
      if known.entry.isUserTiming {
        record.arguments = ChromeUserTiming.item(of: known, in: &builder)
      }
    }
    builder.extend(to: known.time)
    async.add(record, id: id, name: known.name)
  }

  private func addSamples(_ known: KnownEvent, to builder: inout TraceBuilder) {
    let id =
      known.event.id.kind == .missing
      ? known.place.process : ChromeID.number(known.view(of: known.event.id))
    known.arguments.forEachMember { key, value in
      // Some writers quote their numbers.
      guard let sample = value.rawText.flatMap(JSONNumber.double) ?? value.double else {
        builder.countLoss(.invalidValue)
        return true
      }
      let series = builder.string(key.bindMemory(to: UInt8.self))
      builder.addSample(sample, of: known.label, series: series, id: id, at: known.time)
      return true
    }
  }

  private func addFlow(_ known: KnownEvent, phase: UInt8, to builder: inout TraceBuilder) {
    guard let id = ChromeID(of: known.event, in: known.bytes, process: known.place.process) else {
      return builder.countLoss(.invalidValue)
    }
    let kind: FlowPoint.Kind =
      phase == UInt8(ascii: "s") ? .begin : phase == UInt8(ascii: "t") ? .step : .end
    builder.addFlow(
      kind, id: id.value, on: known.place.track, at: known.time, label: known.label)
  }

  private mutating func addMetadata(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, to builder: inout TraceBuilder
  ) {
    let kind = bytes[event.name.start..<event.name.end]
    let isProcess = kind.elementsEqual("\"process_name\"".utf8)
    guard isProcess || kind.elementsEqual("\"thread_name\"".utf8) else { return }
    let arguments = JSONView(
      bytes: UnsafeRawBufferPointer(
        rebasing: bytes[event.arguments.start..<event.arguments.end]))
    guard let name = arguments.member("name")?.text else { return }
    let place = tracks.place(of: event, in: bytes, &builder)
    if isProcess {
      tracks.setProcessName(name, of: place, in: &builder)
    } else {
      tracks.setName(name, of: place, in: &builder)
    }
  }

  // MARK: - Fields

  private func instant(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer, _ builder: inout TraceBuilder
  ) -> Timestamp? {
    let trim = field.kind.isString ? 1 : 0
    guard field.kind == .number || field.kind.isString else {
      builder.countLoss(.invalidValue)
      return nil
    }
    let text = UnsafeRawBufferPointer(rebasing: bytes[(field.start + trim)..<(field.end - trim)])
    guard let nanoseconds = JSONNumber.nanoseconds(fromMicroseconds: text) else {
      // A number that does not fit is out of range; a text that is no number has no value.
      builder.countLoss(field.kind == .number ? .timeOutOfRange : .invalidValue)
      return nil
    }
    guard let time = Timestamp(nanoseconds: nanoseconds) else {
      builder.countLoss(.timeOutOfRange)
      return nil
    }
    return time
  }

  /// The label of the event's category and name.
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

  /// The bytes between a string's quotes; none for what is no string.
  @inline(__always)
  static func content(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    guard field.kind.isString else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[(field.start + 1)..<(field.end - 1)])
  }
}
