internal import ScrollTraceLayout
internal import ScrollTraceModel

extension FXTDecoder {
  /// Reads an event and adds its content.
  mutating func readEvent(_ record: FXTRecord) {
    hasUndefinedReference = false
    guard let type = FXT.EventType(rawValue: record.header.bits(16, 4)) else {
      return unread.count("events of the unknown type \(record.header.bits(16, 4))")
    }
    guard let event = readParts(type, record) else { return }
    if hasUndefinedReference { lose(.undefinedReference, at: record.offset) }
    add(event)
  }

  /// Returns the event's parts and stores its arguments in `arguments`, or counts a loss and
  /// returns `nil`.
  private mutating func readParts(_ type: FXT.EventType, _ record: FXTRecord) -> FXTEvent? {
    let header = record.header
    var cursor = 2
    guard record.count >= 2, let thread = readThread(of: record, at: &cursor),
      let label = readLabel(of: record, at: &cursor),
      readArguments(Int(header.bits(20, 4)), of: record, from: &cursor),
      !type.hasTail || cursor < record.count
    else {
      lose(.malformedRecord, at: record.offset)
      return nil
    }
    guard let time = time(record[1]) else {
      lose(.timeOutOfRange, at: record.offset)
      return nil
    }
    return FXTEvent(
      type: type, time: time, thread: thread, label: label,
      tail: type.hasTail ? record[cursor] : 0, isUnnamed: header >> 48 == 0,
      offset: record.offset)
  }

  private mutating func readThread(of record: FXTRecord, at cursor: inout Int) -> UInt32? {
    let index = Int(record.header.bits(24, 8))
    guard index == 0 else { return definedThread(index) }
    guard record.count >= 4 else { return nil }
    cursor = 4
    return threads.index(process: record[2], thread: record[3], in: &builder)
  }

  private mutating func readLabel(of record: FXTRecord, at cursor: inout Int) -> FXTLabel? {
    let key = FXTLabel.key(epoch: references.epoch, header: record.header)
    let isInline = record.header & 0x8000_8000_0000_0000 != 0
    if !isInline, let label = labels.find(key) { return label }
    let wasUndefined = hasUndefinedReference
    hasUndefinedReference = false
    guard let category = readName(record.header.bits(32, 16), in: record, at: &cursor),
      let name = readName(record.header.bits(48, 16), in: record, at: &cursor)
    else { return nil }
    let meaning = keys.meaning(of: category)
    let label = FXTLabel(builder.label(category: category, name: name), meaning)
    if meaning != .plain { labelNames[label.id] = name }
    if !isInline, !hasUndefinedReference { labels.keep(label, for: key) }
    hasUndefinedReference = hasUndefinedReference || wasUndefined
    return label
  }

  private mutating func add(_ event: FXTEvent) {
    switch event.type {
    case .durationComplete: addComplete(event)
    case .durationBegin, .durationEnd: pairing.add(event, arguments)
    case .asyncBegin, .asyncEnd:
      let isApart = !isScrollTraceRecording || event.tail & RecordingLayout.apartID != 0
      pairing.addAsync(event, isApart: isApart, arguments)
    case .instant: addInstant(event)
    case .asyncInstant: addMark(event)
    case .counter: addSamples(event, id: event.tail)
    case .flowBegin: addFlow(.start, event)
    case .flowStep: addFlow(.step, event)
    case .flowEnd: addFlow(.end, event)
    }
  }

  private mutating func addInstant(_ event: FXTEvent) {
    guard event.label.meaning != .thread else { return readThreadInstant(event) }
    builder.extend(to: event.time)
    switch event.label.meaning {
    case .plain, .interaction, .thread: addMark(event)
    case .machine:
      readSleep(event)
      addMark(event)
    case .counter: addSamples(event, id: 0)
    case .surface: readSurface(event)
    case .hitch: if !readHitch(event) { addMark(event) }
    case .state: readState(event)
    case .frame:
      if !updateFrame(event.label, arguments[...], at: event.offset) { addMark(event) }
      addThreadTime(arguments[...], of: event.thread, at: event.time, event.offset)
    }
  }

  mutating func addMark(_ event: FXTEvent) {
    builder.addMark(
      on: threads.track(of: event.thread), at: event.time, label: event.label.id,
      arguments: builder.argumentList(arguments))
  }

  private mutating func addFlow(_ kind: FlowPoint.Kind, _ event: FXTEvent) {
    builder.addFlow(
      kind, id: event.tail, on: threads.track(of: event.thread), at: event.time,
      label: event.label.id)
  }

  private mutating func addComplete(_ event: FXTEvent) {
    guard let end = time(event.tail) else { return lose(.timeOutOfRange, at: event.offset) }
    guard end >= event.time else { return lose(.endBeforeBegin, at: event.offset) }
    let track = threads.track(of: event.thread)
    if event.label.meaning == .frame {
      _ = updateFrame(
        event.label, arguments[...], commit: (event.time, end, track), at: event.offset)
      addThreadTime(arguments[...], of: event.thread, at: end, event.offset)
    }
    select(track)
    batch.append(
      event.time.nanoseconds, end.nanoseconds, event.label.id, builder.argumentList(arguments))
  }

  private mutating func addSamples(_ event: FXTEvent, id: UInt64) {
    for argument in arguments {
      let value: Double
      switch argument.value {
      case .integer(let number): value = Double(number)
      case .unsigned(let number): value = Double(number)
      case .double(let number) where number.isFinite: value = number
      default:
        lose(.invalidValue, at: event.offset)
        continue
      }
      builder.addSample(
        value, of: event.label.id, series: argument.key, id: id, at: event.time)
    }
  }
}

extension FXT.EventType {
  /// A Boolean value indicating whether a word follows the arguments.
  var hasTail: Bool {
    switch self {
    case .instant, .durationBegin, .durationEnd: false
    case .counter, .durationComplete, .asyncBegin, .asyncInstant, .asyncEnd, .flowBegin,
      .flowStep, .flowEnd:
      true
    }
  }
}
