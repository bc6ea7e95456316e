import ScrollTraceModel

/// Takes events of Chrome one by one, in whatever format they came, and adds what they say to a trace.
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
  var flutter = FlutterEvents()

  // MARK: - Work of threads

  /// Takes a span of which both ends are known.
  @inline(__always)
  mutating func addComplete(
    _ known: ChromeKnownEvent, length: Int64, to builder: inout TraceBuilder
  ) {
    let label = noteWork(known, in: &builder)
    let (end, overflow) = known.time.nanoseconds.addingReportingOverflow(length)
    guard !overflow else { return builder.countLoss(.timeOutOfRange) }
    guard length >= 0 else { return builder.countLoss(.endBeforeBegin) }
    builder.addSpan(
      on: known.place.track, from: known.time, to: Timestamp(clamping: end), label: label)
    if known.meaning.runsScript {
      calls.add(from: known.time, to: Timestamp(clamping: end), on: known.place.track)
    } else if known.meaning.isFlutterStage {
      flutter.end(
        known.meaning, since: known.time, at: Timestamp(clamping: end), on: known.place.track)
    }
  }

  /// Takes a span that never ended.
  mutating func addUnfinished(_ known: ChromeKnownEvent, to builder: inout TraceBuilder) {
    let label = noteWork(known, in: &builder)
    builder.addOpenSpan(on: known.place.track, since: known.time, label: label)
  }

  /// Takes the begin of a span, of the recorder `stack` where several tell of one thread.
  mutating func addBegin(
    _ known: ChromeKnownEvent, stack: UInt8 = 0, to builder: inout TraceBuilder
  ) {
    spans.add(
      isBegin: true, at: known.time, on: known.place.track, label: noteWork(known, in: &builder),
      name: known.name, meaning: known.meaning, stack: stack)
  }

  /// Takes the end of the span that began last, or of the last one called the same.
  mutating func addEnd(_ known: ChromeKnownEvent, stack: UInt8 = 0) {
    spans.add(
      isBegin: false, at: known.time, on: known.place.track, label: known.label,
      name: known.name, meaning: .other, stack: stack)
  }

  /// Takes what a span says of frames, and gives what it is called.
  @inline(__always)
  private mutating func noteWork(
    _ known: ChromeKnownEvent, in builder: inout TraceBuilder
  ) -> LabelID {
    switch known.meaning {
    case .other, .functionCall, .evaluateScript, .eventDispatch, .scriptRun: break
    case .task: tracks.countTask(on: known.place.track)
    case .flutterVsync, .flutterBuild, .flutterRaster: flutter.begin(known)
    default: frames.noteComplete(known)
    }
    guard known.meaning.runsScript, known.meaning != .scriptRun else { return known.label }
    return callNames.label(of: known, in: &labels, &builder)
  }

  // MARK: - Other events

  /// Takes an instant.
  mutating func addInstant(_ known: ChromeKnownEvent, to builder: inout TraceBuilder) {
    if known.meaning != .other { frames.noteInstant(known) }
    guard !known.entry.isVerbose else { return builder.extend(to: known.time) }
    builder.addMark(on: known.place.track, at: known.time, label: known.label)
  }

  /// Takes a begin or an end of the asynchronous work that `id` and `name` join.
  mutating func addAsync(
    _ known: ChromeKnownEvent, isBegin: Bool, id: ChromeID, name: StringID,
    to builder: inout TraceBuilder
  ) {
    var record = ChromeAsyncPairing.Record(
      time: known.time, track: known.place.track, label: known.label, meaning: known.meaning,
      isBegin: isBegin)
    record.isMeasure = known.entry.isUserTiming
    if isBegin {
      record.payload = frames.noteAsyncBegin(known)
      interactions.noteInput(known)
      if known.meaning == .flutterLag { flutter.addLag(known) }
      if known.entry.isUserTiming {
        record.arguments = ChromeUserTiming.item(of: known, in: &builder)
      }
    }
    builder.extend(to: known.time)
    async.add(record, id: id, name: name)
  }

  /// Takes the arguments of an event as samples of counters.
  func addSamples(_ known: ChromeKnownEvent, id: UInt64, to builder: inout TraceBuilder) {
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
}
