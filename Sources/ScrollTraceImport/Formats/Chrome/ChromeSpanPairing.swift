import ScrollTraceModel

/// Creates spans from begin and end events (`B`, `E`) in any order of time.
struct ChromeSpanPairing {
  /// The maximum number of recorders that describe one thread.
  private static let recorderCount = 2

  /// The events of each thread, by the index of its track and then by the recorder.
  private var stacks: [ChromeSpanStack] = []

  /// The number of ends whose start lies before the recording.
  private(set) var beganBefore = 0

  /// Whether the source itself says what it lost, so that every end without a start belongs to what began
  /// before the recording.
  var reportsLosses = false

  /// Adds a begin or an end. Only ends of the same `stack` close a begin: a thread described by two
  /// recorders has one stack for each.
  @inline(__always)
  mutating func add(
    isBegin: Bool, at time: Timestamp, on track: TrackID, label: LabelID, name: StringID,
    meaning: ChromeName, arguments: ArgumentListID = .none, stack: UInt8 = 0
  ) {
    let position = track.index * Self.recorderCount + Int(stack)
    while position >= stacks.count { stacks.append(ChromeSpanStack()) }
    stacks[position].add(
      ChromeSpanStack.Record(
        time: time, label: label, name: name, arguments: arguments, isBegin: isBegin,
        meaning: meaning), on: track)
  }

  mutating func reserve(_ count: Int, on track: TrackID) {
    let position = track.index * Self.recorderCount
    while position >= stacks.count { stacks.append(ChromeSpanStack()) }
    stacks[position].reserve(count)
  }

  /// Whether what is here and in `builder` happened at the time from `first` to `last`, or nothing did at
  /// all.
  func happens(from first: Int64, to last: Int64, or builder: borrowing TraceBuilder) -> Bool {
    var (earliest, latest) = builder.timesSoFar
    for stack in stacks {
      for record in stack.records {
        earliest = min(earliest, record.time.nanoseconds)
        latest = max(latest, record.time.nanoseconds)
      }
    }
    return earliest > latest || earliest <= last && latest >= first
  }

  /// Adds the spans to `builder`, those that run scripts to `calls` and the ends of what frames are
  /// made of to `flutter`; a begin without an end is an open span, never a long one.
  mutating func finish(
    in builder: inout TraceBuilder, calls: inout ChromeScriptCalls, flutter: inout FlutterEvents
  ) {
    for position in stacks.indices {
      stacks[position].finish(
        in: &builder, calls: &calls, flutter: &flutter,
        // The kernel's buffer begins anywhere, and what it lost is counted where it says so.
        beginsAnywhere: reportsLosses || position % Self.recorderCount > 0)
      beganBefore += stacks[position].beganBefore
      // Frees the memory of each finished stack.
      stacks[position] = ChromeSpanStack()
    }
  }
}

/// The starts and ends of work that one recorder wrote for one thread, and the resulting spans.
struct ChromeSpanStack {
  struct Record {
    var time: Timestamp
    var label: LabelID
    var name: StringID
    var arguments: ArgumentListID
    var isBegin: Bool
    /// The meaning, if it is more than work.
    var meaning: ChromeName
  }

  /// The maximum depth at which an end looks for a start with its name.
  private static let searchedDepth = 64

  /// The end of a span that is still open.
  private static let open: Int64 = -1

  private struct OpenSpan {
    var span: Int
    var record: Record
  }

  /// The spans in order of their starts, the order of tracks.
  private struct Spans {
    var times: [SpanBounds]
    var labels: [LabelID]
    /// The arguments of each span, or empty if no span has any.
    var argumentLists: [ArgumentListID] = []
    var count = 0
    var latestEnd: Int64 = 0
    var ascends = true
  }

  private var track: TrackID?
  private(set) var records: [Record] = []
  private var beginCount = 0
  private var isOrdered = true
  private var hasArguments = false
  private(set) var beganBefore = 0
  private var firstWholeSpan: Int64?

  mutating func reserve(_ count: Int) { records.reserveCapacity(count) }

  /// Adds a begin or an end on `track`, which is the same for all calls.
  @inline(__always)
  mutating func add(_ record: Record, on track: TrackID) {
    self.track = track
    if let last = records.last, last.time > record.time { isOrdered = false }
    if record.isBegin { beginCount &+= 1 }
    if record.arguments != .none { hasArguments = true }
    records.append(record)
  }

  /// Adds the spans to `builder`, those that run scripts to `calls`, and to `flutter` the ends of what
  /// frames are made of.
  ///
  /// - Parameter beginsAnywhere: Whether every end without a start belongs to what began before the
  ///   recording, and not only those before all starts.
  mutating func finish(
    in builder: inout TraceBuilder, calls: inout ChromeScriptCalls, flutter: inout FlutterEvents,
    beginsAnywhere: Bool
  ) {
    guard let track else { return }
    let ordered = isOrdered ? records : records.stablySorted { $0.time }
    records = []
    var spans = Spans(
      times: Array(repeating: SpanBounds(start: 0, end: Self.open), count: beginCount),
      labels: Array(repeating: LabelID(rawValue: 0), count: beginCount))
    if hasArguments { spans.argumentLists = Array(repeating: .none, count: beginCount) }
    // The open spans, the innermost last.
    var openSpans: [OpenSpan] = []
    for record in ordered {
      if record.isBegin {
        openSpans.append(OpenSpan(span: spans.count, record: record))
        Self.begin(record, &spans)
      } else if let index = Self.index(of: record, in: openSpans) {
        // Spans inside it stay open for good.
        while openSpans.count > index + 1 {
          Self.leaveOpen(openSpans.removeLast().record, on: track, in: &builder)
        }
        let ended = openSpans.removeLast()
        spans.times[ended.span].end = record.time.nanoseconds
        spans.latestEnd = max(spans.latestEnd, record.time.nanoseconds)
        guard ended.record.meaning != .other else { continue }
        let begin = ended.record.time
        if ended.record.meaning.runsScript {
          calls.add(from: begin, to: record.time, on: track)
        } else if ended.record.meaning.isFlutterStage {
          flutter.end(ended.record.meaning, since: begin, at: record.time, on: track)
        }
      } else if beginsAnywhere
        || spans.count == 0 && !hasSpan(before: record.time, on: track, in: builder)
      {
        // It was under way when the recording started.
        beganBefore += 1
      } else {
        builder.countLoss(.unmatchedEnd)
      }
    }
    for span in openSpans { Self.leaveOpen(span.record, on: track, in: &builder) }
    Self.removeOpenSpans(from: &spans)
    Self.add(spans, on: track, to: &builder)
  }

  /// Returns whether a span with both ends started before `time`.
  private mutating func hasSpan(
    before time: Timestamp, on track: TrackID, in builder: borrowing TraceBuilder
  ) -> Bool {
    let first = firstWholeSpan ?? builder.firstSpanStart(of: track) ?? Int64.max
    firstWholeSpan = first
    return first < time.nanoseconds
  }

  // MARK: - Pairing

  @inline(__always)
  private static func begin(_ record: Record, _ spans: inout Spans) {
    let (index, time) = (spans.count, record.time.nanoseconds)
    if index > 0, spans.times[index - 1].start >= time { spans.ascends = false }
    spans.times[index].start = time
    spans.labels[index] = record.label
    if record.arguments != .none { spans.argumentLists[index] = record.arguments }
    spans.count += 1
  }

  @inline(__always)
  private static func index(of end: Record, in openSpans: [OpenSpan]) -> Int? {
    guard let top = openSpans.last else { return nil }
    if end.name == .empty || top.record.name == end.name { return openSpans.count - 1 }
    // The end of an inner span is missing, or this span's own begin.
    return openSpans.suffix(searchedDepth).lastIndex { $0.record.name == end.name }
  }

  private static func leaveOpen(
    _ record: Record, on track: TrackID, in builder: inout TraceBuilder
  ) {
    builder.addOpenSpan(
      on: track, since: record.time, label: record.label, mayHaveEnded: true)
  }

  // MARK: - Spans

  private static func removeOpenSpans(from spans: inout Spans) {
    guard var kept = spans.times.firstIndex(where: { $0.end == open }) else { return }
    for index in kept..<spans.count where spans.times[index].end != open {
      spans.times[kept] = spans.times[index]
      spans.labels[kept] = spans.labels[index]
      if !spans.argumentLists.isEmpty { spans.argumentLists[kept] = spans.argumentLists[index] }
      kept += 1
    }
    spans.times.removeSubrange(kept...)
    spans.labels.removeSubrange(kept...)
    if !spans.argumentLists.isEmpty { spans.argumentLists.removeSubrange(kept...) }
  }

  private static func add(_ spans: Spans, on track: TrackID, to builder: inout TraceBuilder) {
    spans.times.withUnsafeBufferPointer { times in
      spans.labels.withUnsafeBufferPointer { labels in
        spans.argumentLists.withUnsafeBufferPointer { argumentLists in
          builder.addSpans(
            SpanBatchColumns(
              times: times, labels: labels, argumentLists: argumentLists,
              latestEnd: spans.latestEnd, ascends: spans.ascends),
            on: track)
        }
      }
    }
  }
}
