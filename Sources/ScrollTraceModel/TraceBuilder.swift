/// Collects the events of a source and creates a `Trace` that is always valid.
///
/// Events that cannot be part of a valid trace, such as a span that ends before it starts or a time
/// out of range, are omitted and counted as losses. Handles are valid only with the builder that
/// returned them.
@usableFromInline package struct TraceBuilder {
  /// The source as the importer describes it.
  package var source: TraceSource

  /// The importer's current byte offset in the source, which is stored with new losses, or `nil`.
  package var offset: UInt64?

  /// A Boolean value indicating whether times far from all others are removed, because the source
  /// does not contain the length of the recording.
  package var setsStrayTimesApart = false

  /// A Boolean value indicating whether samples show that the recording went on after its last event: its
  /// recorder samples while a frame is open, and the host may have died in it.
  package var samplesExtendRange = false

  /// The last time at which a host that died was alive, if its source knows it and work was open: what was
  /// open lasted at least until then.
  package var aliveUntil: Timestamp?

  /// A Boolean value indicating whether the source kept only the last part of each thread's events, so
  /// that nothing is known of a surface before the first event of those that tell of it.
  package var keepsOnlyLastEvents = false

  /// The times that the source knows to be possible, or `nil` if it knows none. Others are removed.
  package var plausibleTimes: ClosedRange<Int64>?

  /// A Boolean value indicating whether spans of threads are counted and not stored; see `lacksSpans`.
  package var onlyCountsSpans = false
  var spanCounts = SpanCounts()

  var strings = StringTable()
  var labels = LabelTable()
  var arguments = ArgumentTable()
  var processes: [TraceProcess] = []
  var processIDs: [UInt64: ProcessID] = [:]
  var tracks: [Track] = []
  var trackIDs: [TrackKey: TrackID] = [:]
  var surfaces: [SurfaceDraft] = []
  var surfaceIDs: [String: SurfaceID] = [:]
  var marks: [Mark] = []
  var asyncSpans: [AsyncSpan] = []
  var flows: [FlowPoint] = []
  var counters: [Counter] = []
  var counterIDs: [CounterKey: Int] = [:]
  var interactions: [Interaction] = []
  var states: [StateChange] = []
  var losses: [Loss.Reason: Loss] = [:]
  var openSpans: [OpenSpan] = []
  var aggregates: [Aggregate] = []
  var notices: [Notice] = []
  @usableFromInline var firstTime = Int64.max
  @usableFromInline var lastTime = Int64.min
  var stackTree = StackTree()
  var samples: [SampleSeries] = []
  var seriesIDs: [SeriesKey: Int] = [:]
  var sampleCount = 0
  var threadStateCount = 0
  var hasTooManyThreadStates = false

  struct TrackKey: Hashable {
    var process: Int
    var thread: UInt64
  }

  struct CounterKey: Hashable {
    var label: LabelID
    var series: StringID
    var id: UInt64
  }

  /// Creates an empty trace with a format's name.
  package init(format: String) {
    source = TraceSource(format: format)
  }

  // MARK: - Names

  /// Returns the handle of a name.
  package mutating func string(_ name: String) -> StringID { strings.intern(name) }

  /// Returns the handle of the name with these UTF-8 bytes.
  package mutating func string(_ name: UnsafeBufferPointer<UInt8>) -> StringID {
    strings.intern(name)
  }

  /// The name with the handle `id`.
  package func name(of id: StringID) -> String { strings[id] }

  /// Returns the handle of a label.
  package mutating func label(category: StringID, name: StringID) -> LabelID {
    labels.intern(Label(category: category, name: name))
  }

  /// Returns the handle of a label.
  package mutating func label(category: String, name: String) -> LabelID {
    label(category: string(category), name: string(name))
  }

  /// Returns the handle of an argument list. Not generic, because readers call this method for each
  /// event.
  package mutating func argumentList(_ list: [Argument]) -> ArgumentListID {
    guard !onlyCountsSpans else { return .none }
    return list.count == 1
      ? arguments.append(one: list[0]) : list.isEmpty ? .none : arguments.append(list)
  }

  /// Returns the handle of a list of one argument.
  package mutating func argumentList(one argument: Argument) -> ArgumentListID {
    onlyCountsSpans ? .none : arguments.append(one: argument)
  }

  /// Returns the handle of an argument list.
  package mutating func argumentList(_ list: some Collection<Argument>) -> ArgumentListID {
    onlyCountsSpans ? .none : arguments.append(list)
  }

  // MARK: - Processes and tracks

  /// Returns the process with a system ID, adding it if it is new.
  package mutating func process(_ systemID: UInt64) -> ProcessID {
    if let id = processIDs[systemID] { return id }
    let id = ProcessID(index: processes.count)
    processes.append(TraceProcess(systemID: systemID, name: "", isHost: false))
    processIDs[systemID] = id
    return id
  }

  package mutating func setName(_ name: String, of process: ProcessID) {
    processes[process.index].name = name
  }

  /// Marks a process as the one that makes the frames.
  package mutating func setHost(_ process: ProcessID) {
    processes[process.index].isHost = true
  }

  /// Returns the track of a thread, adding it if it is new.
  package mutating func track(_ systemID: UInt64, of process: ProcessID) -> TrackID {
    let key = TrackKey(process: process.index, thread: systemID)
    if let id = trackIDs[key] { return id }
    let id = TrackID(index: tracks.count)
    tracks.append(
      Track(
        systemID: systemID, process: process, name: "", isMain: false,
        isCompletelyRecorded: false, spans: SpanColumns()))
    trackIDs[key] = id
    return id
  }

  package mutating func setName(_ name: String, of track: TrackID) {
    tracks[track.index].name = name
  }

  /// The numbers of a track's process and thread in its source.
  package func systemIDs(of track: TrackID) -> (process: UInt64, thread: UInt64) {
    let track = tracks[track.index]
    return (processes[track.process.index].systemID, track.systemID)
  }

  /// The current name of a track, or an empty string.
  package func name(of track: TrackID) -> String { tracks[track.index].name }

  /// Marks the track that makes the host's commits.
  package mutating func setMain(_ track: TrackID) {
    tracks[track.index].isMain = true
  }

  /// Marks a track of which the source records all work, so that time without a span is idle.
  package mutating func setCompletelyRecorded(_ track: TrackID) {
    tracks[track.index].isCompletelyRecorded = true
  }

  // MARK: - Spans, marks, counters

  /// Adds a span of work. A span that ends before its start is counted as a loss.
  package mutating func addSpan(
    on track: TrackID, from start: Timestamp, to end: Timestamp, label: LabelID,
    arguments list: ArgumentListID = .none
  ) {
    guard end >= start else { return countLoss(.endBeforeBegin) }
    extend(start.nanoseconds)
    extend(end.nanoseconds)
    guard !onlyCountsSpans else { return countSpans(1, on: track) }
    tracks[track.index].spans.append(
      start: start.nanoseconds, end: end.nanoseconds, label: label, arguments: list)
  }

  /// Adds spans of work as columns. None may end before its start.
  ///
  /// - Parameter growth: The expected final number of spans, as a multiple of the current number.
  package mutating func addSpans(
    _ batch: SpanBatchColumns, on track: TrackID, growth: Double = 1
  ) {
    guard !batch.times.isEmpty else { return }
    for span in batch.times { firstTime = min(firstTime, span.start) }
    lastTime = max(lastTime, batch.latestEnd)
    guard !onlyCountsSpans else { return countSpans(batch.times.count, on: track) }
    tracks[track.index].spans.expect(batch.times.count, growth: growth)
    tracks[track.index].spans.append(batch)
  }

  /// Returns whether a span of `track` starts at `start`.
  package func hasSpan(on track: TrackID, startingAt start: Timestamp) -> Bool {
    tracks[track.index].spans.hasSpan(startingAt: start.nanoseconds)
  }

  /// The earliest start of a span of `track`, or `nil` if it has none.
  package func firstSpanStart(of track: TrackID) -> Int64? {
    tracks[track.index].spans.firstStart
  }

  /// Adds a span that does not belong to a thread's stack.
  ///
  /// - Parameter endTrack: The track on which the task that started it ended it, or `nil` if unknown.
  package mutating func addAsyncSpan(
    on track: TrackID, from start: Timestamp, to end: Timestamp, label: LabelID,
    arguments list: ArgumentListID = .none, endingOn endTrack: TrackID? = nil
  ) {
    guard end >= start else { return countLoss(.endBeforeBegin) }
    extend(start.nanoseconds)
    extend(end.nanoseconds)
    asyncSpans.append(
      AsyncSpan(
        track: track, range: TimeRange(start: start, end: end), label: label, arguments: list,
        endTrack: endTrack))
  }

  /// Adds a span without an end.
  ///
  /// - Parameter mayHaveEnded: Whether the source may have lost its end, so that the span lasts at
  ///   most until the track's next event (`OpenSpan.until`).
  package mutating func addOpenSpan(
    on track: TrackID, since start: Timestamp, label: LabelID, item: ArgumentValue? = nil,
    mayHaveEnded: Bool = false
  ) {
    extend(start.nanoseconds)
    openSpans.append(
      OpenSpan(
        track: track, label: label, item: item, since: start, mayHaveEnded: mayHaveEnded))
  }

  package mutating func addMark(
    on track: TrackID, at time: Timestamp, label: LabelID, arguments list: ArgumentListID = .none
  ) {
    extend(time.nanoseconds)
    marks.append(Mark(time: time, track: track, label: label, arguments: list))
  }

  package mutating func addFlow(
    _ kind: FlowPoint.Kind, id: UInt64, on track: TrackID, at time: Timestamp, label: LabelID
  ) {
    extend(time.nanoseconds)
    flows.append(FlowPoint(time: time, track: track, label: label, id: id, kind: kind))
  }

  package mutating func addSample(
    _ value: Double, of label: LabelID, series: StringID = .empty, id: UInt64 = 0,
    at time: Timestamp
  ) {
    extend(time.nanoseconds)
    let key = CounterKey(label: label, series: series, id: id)
    let index: Int
    if let known = counterIDs[key] {
      index = known
    } else {
      index = counters.count
      counters.append(Counter(label: label, series: series, id: id))
      counterIDs[key] = index
    }
    counters[index].times.append(time.nanoseconds)
    counters[index].values.append(value)
  }

  // MARK: - Interactions and states

  package mutating func addInteraction(_ interaction: Interaction) {
    extend(interaction.start.nanoseconds)
    if let end = interaction.end { extend(end.nanoseconds) }
    interactions.append(interaction)
  }

  package mutating func addState(_ change: StateChange) {
    extend(change.time.nanoseconds)
    states.append(change)
  }

  // MARK: - Losses and notices

  /// Counts a loss, at `offset` if it is the first one with this reason.
  package mutating func countLoss(_ reason: Loss.Reason, count: UInt64 = 1) {
    guard count > 0 else { return }
    guard let known = losses[reason] else {
      losses[reason] = Loss(reason: reason, count: count, offset: offset)
      return
    }
    losses[reason]?.count = known.count.saturatingAdd(count)
  }

  /// Returns whether a loss with this reason has been counted.
  package func hasLoss(_ reason: Loss.Reason) -> Bool { losses[reason] != nil }

  /// Adds a fact that a reader of the report should know about the trace.
  package mutating func addNotice(_ notice: Notice) {
    if !notices.contains(notice) { notices.append(notice) }
  }

  /// The number of open spans so far.
  package var openSpanCount: Int { openSpans.count }

  /// The number of notices so far.
  package var noticeCount: Int { notices.count }

  /// Extends the trace's range to include `time`.
  @inlinable package mutating func extend(to time: Timestamp) {
    extend(time.nanoseconds)
  }

  /// The times of the first and the last event so far; without events, the first is after the last.
  package var timesSoFar: (first: Int64, last: Int64) { (firstTime, lastTime) }

  /// Sets the range of the trace regardless of its events, for copies of a complete trace.
  package mutating func setRange(_ range: TimeRange) {
    firstTime = range.start.nanoseconds
    lastTime = range.end.nanoseconds
  }

  @inlinable mutating func extend(_ time: Int64) {
    firstTime = min(firstTime, time)
    lastTime = max(lastTime, time)
  }
}
