import ScrollTraceLayout
import ScrollTraceModel

/// Writes the parts of a trace as records.
struct RecordingWriter: ~Copyable {
  let trace: Trace
  var chunks: RecordingChunks
  /// The track of events without their own.
  let anyTrack: TrackID?
  /// The open spans by track.
  private var openSpans: [TrackID: [OpenSpan]] = [:]
  /// The ID of the next async event. Each has its own.
  private var nextID: UInt64 = 1
  /// The number of samples that were omitted because they are not numbers.
  private(set) var valuelessCount = 0
  /// The number of sampled stacks that do not fit into a blob.
  var omittedSampleCount = 0

  /// Creates a writer of `trace` as a file of `process`.
  init(_ trace: Trace, process: UInt64, _ output: consuming ExportOutput) {
    self.trace = trace
    anyTrack = trace.mainTrack ?? trace.numberedTracks.first?.id
    chunks = RecordingChunks(trace, process: process, output)
    openSpans = Dictionary(grouping: trace.openSpans, by: \.track)
  }

  /// Hands the output back.
  consuming func finish() -> ExportOutput { chunks.output }

  /// Returns a new ID for an async event.
  mutating func makeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// Adds an event of the trace.
  mutating func add(
    _ event: FXTWriter.Event, _ label: LabelID, on track: TrackID, at time: Timestamp,
    arguments list: ArgumentListID = .none, as kind: ExportOmissions.Kind
  ) {
    let (category, name) = names(of: label)
    chunks.add(
      .init(
        event: event, track: track, category: category, name: name, time: time,
        arguments: arguments(list)), as: kind)
  }

  // MARK: - Tracks

  /// Writes the spans of each track in separate chunks.
  mutating func writeTracks() {
    for (id, track) in trace.numberedTracks {
      let open = openSpans[id] ?? []
      guard track.spans.count > 0 || !open.isEmpty || track.isMain || track.isCompletelyRecorded
      else { continue }
      var flags = RecordingLayout.ChunkFlag.literal
      if track.isMain { flags |= RecordingLayout.ChunkFlag.mainThread }
      if track.isCompletelyRecorded { flags |= RecordingLayout.ChunkFlag.completeThread }
      chunks.begin(.init(flags: flags, track: id))
      writeSpans(track.spans, on: id)
      for span in open { write(span) }
      guard !chunks.output.hasFailed else { return }
    }
  }

  /// Writes spans. Those that overlap the end of one around them become async events (F-2).
  private mutating func writeSpans(_ spans: SpanColumns, on track: TrackID) {
    var crossing = NonNestedSpans()
    for index in 0..<spans.count {
      let span = spans[index]
      if crossing.cross(span.range) {
        let id = makeID()
        add(
          .asyncBegin(id: id), span.label, on: track, at: span.range.start,
          arguments: span.arguments, as: .span)
        add(.asyncEnd(id: id), span.label, on: track, at: span.range.end, as: .span)
      } else {
        add(
          .complete(end: UInt64(span.range.end.nanoseconds)), span.label, on: track,
          at: span.range.start,
          arguments: span.arguments, as: .span)
      }
      guard !chunks.output.hasFailed else { return }
    }
  }

  private mutating func write(_ span: OpenSpan) {
    let (category, name) = names(of: span.label)
    var arguments: [(key: FXTWriter.Name, value: FXTWriter.Value)] = []
    if let item = span.item {
      arguments.append((chunks.names.name(Vocabulary.Key.item), value(item)))
    }
    chunks.add(
      .init(
        event: .begin, track: span.track, category: category, name: name, time: span.since,
        arguments: arguments), as: .openSpan)
  }

  // MARK: - What belongs to no track's spans

  /// Writes marks, samples, flows and asynchronous spans.
  mutating func writeRest() {
    let flags = RecordingLayout.ChunkFlag.durable | RecordingLayout.ChunkFlag.literal
    if !trace.marks.isEmpty || !trace.counters.isEmpty || !trace.flows.isEmpty {
      chunks.begin(.init(flags: flags))
    }
    for mark in trace.marks {
      add(
        .instant, mark.label, on: mark.track, at: mark.time, arguments: mark.arguments, as: .mark)
    }
    for counter in trace.counters { write(counter) }
    for point in trace.flows {
      let event: FXTWriter.Event =
        switch point.kind {
        case .start: .flowBegin(id: point.id)
        case .step: .flowStep(id: point.id)
        case .end: .flowEnd(id: point.id)
        }
      add(event, point.label, on: point.track, at: point.time, as: .flowPoint)
    }
    if !trace.asyncSpans.isEmpty {
      chunks.begin(.init(flags: flags | RecordingLayout.ChunkFlag.apart))
    }
    for span in trace.asyncSpans {
      let id = makeID()
      add(
        .asyncBegin(id: id), span.label, on: span.track, at: span.range.start,
        arguments: span.arguments, as: .asyncSpan)
      add(
        .asyncEnd(id: id), span.label, on: span.endTrack ?? span.track, at: span.range.end,
        as: .asyncSpan)
    }
    chunks.end()
  }

  private mutating func write(_ counter: Counter) {
    let (category, name) = names(of: counter.label)
    let series = chunks.names.name(counter.series)
    for (time, value) in zip(counter.times, counter.values) {
      guard value.isFinite else {
        valuelessCount += 1
        continue
      }
      chunks.add(
        .init(
          event: .counter(id: counter.id), track: anyTrack, category: category, name: name,
          time: Timestamp(clamping: time), arguments: [(series, .double(value))]), as: .sample)
      guard !chunks.output.hasFailed else { return }
    }
  }

  // MARK: - Names and values

  private mutating func names(
    of label: LabelID
  ) -> (category: FXTWriter.Name, name: FXTWriter.Name) {
    let label = trace.labels[label]
    return (chunks.names.name(label.category), chunks.names.name(label.name))
  }

  private mutating func arguments(
    _ list: ArgumentListID
  ) -> [(key: FXTWriter.Name, value: FXTWriter.Value)] {
    guard list != .none else { return [] }
    return trace.arguments[list].map { (chunks.names.name($0.key), value($0.value)) }
  }

  private mutating func value(_ value: ArgumentValue) -> FXTWriter.Value {
    switch value {
    case .integer(let number): Int32(exactly: number).map { .int32($0) } ?? .int64(number)
    case .unsigned(let number): UInt32(exactly: number).map { .uint32($0) } ?? .uint64(number)
    case .double(let number): .double(number)
    case .bool(let truth): .bool(truth)
    case .string(let id): .string(chunks.names.name(id))
    case .null: .null
    }
  }
}
