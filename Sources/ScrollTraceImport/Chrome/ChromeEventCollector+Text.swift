import ScrollTraceModel

/// Reading events from the text of Chrome's JSON format.
extension ChromeEventCollector {
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
    let known = ChromeKnownEvent(
      time: time, place: place, entry: entry(of: event, in: bytes, &builder),
      category: event.category.kind == .plainString ? Self.content(event.category, in: bytes) : nil,
      arguments: Self.view(event.arguments, in: bytes))
    add(known, event, in: bytes, phase: phase, to: &builder)
  }

  @inline(__always)
  private mutating func add(
    _ known: ChromeKnownEvent, _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer,
    phase: UInt8, to builder: inout TraceBuilder
  ) {
    switch phase {
    case UInt8(ascii: "X"): addComplete(known, event, in: bytes, to: &builder)
    case UInt8(ascii: "B"): addBegin(known, to: &builder)
    case UInt8(ascii: "E"): addEnd(known)
    case UInt8(ascii: "b"), UInt8(ascii: "S"), UInt8(ascii: "e"), UInt8(ascii: "F"):
      guard let id = ChromeID(of: event, in: bytes, process: known.place.process) else {
        return builder.countLoss(.invalidValue)
      }
      let isBegin = phase == UInt8(ascii: "b") || phase == UInt8(ascii: "S")
      addAsync(known, isBegin: isBegin, id: id, name: known.name, to: &builder)
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"): addInstant(known, to: &builder)
    case UInt8(ascii: "n"), UInt8(ascii: "T"), UInt8(ascii: "p"):
      // An instant of asynchronous work; it changes nothing in time.
      builder.extend(to: known.time)
    case UInt8(ascii: "C"):
      let id =
        event.id.kind == .missing
        ? known.place.process : ChromeID.number(Self.view(event.id, in: bytes))
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
    let duration = event.duration
    guard duration.kind == .number || duration.kind.isString else {
      // Without a duration the event never ended.
      return addUnfinished(known, to: &builder)
    }
    let view = Self.view(duration, in: bytes)
    guard let length = JSONNumber.nanoseconds(fromMicroseconds: view.rawText ?? view.bytes) else {
      return builder.countLoss(.invalidValue)
    }
    addComplete(known, length: length, to: &builder)
  }

  private func addFlow(
    _ known: ChromeKnownEvent, _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer,
    phase: UInt8, to builder: inout TraceBuilder
  ) {
    guard let id = ChromeID(of: event, in: bytes, process: known.place.process) else {
      return builder.countLoss(.invalidValue)
    }
    let kind: FlowPoint.Kind =
      phase == UInt8(ascii: "s") ? .start : phase == UInt8(ascii: "t") ? .step : .end
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
  private static func content(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    guard field.kind.isString else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[(field.start + 1)..<(field.end - 1)])
  }

  @inline(__always)
  private static func view(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> JSONView {
    JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[field.start..<field.end]))
  }
}
