/// Collects what a source says and makes a `Trace` that is always valid.
///
/// What cannot be part of a valid trace (a span that ends before it begins, a time out of range) is
/// left out and counted as a loss. Handles are valid with the builder that gave them.
package struct TraceBuilder {
  /// The source as the importer describes it.
  package var source: TraceSource

  /// Where in the source the importer is, in bytes; the place of the losses counted from now on.
  package var offset: UInt64?

  /// A Boolean value indicating whether times far from all others are set apart, as no source tells
  /// how long was recorded.
  package var setsStrayTimesApart = false

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
  var losses: [Loss.Cause: Loss] = [:]
  var openSpans: [OpenSpan] = []
  var aggregates: [Aggregate] = []
  var notices: [Notice] = []
  var firstTime = Int64.max
  var lastTime = Int64.min
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

  /// An empty trace of the format named `format`.
  package init(format: String) {
    source = TraceSource(format: format)
  }

  // MARK: - Names

  /// The handle of `name`.
  package mutating func string(_ name: String) -> StringID { strings.intern(name) }

  /// The handle of the name with these UTF-8 bytes.
  package mutating func string(_ name: UnsafeBufferPointer<UInt8>) -> StringID {
    strings.intern(name)
  }

  /// The name with the handle `id`.
  package func name(of id: StringID) -> String { strings[id] }

  /// The handle of the label of `category` and `name`.
  package mutating func label(category: StringID, name: StringID) -> LabelID {
    labels.intern(Label(category: category, name: name))
  }

  /// The handle of the label of `category` and `name`.
  package mutating func label(category: String, name: String) -> LabelID {
    label(category: string(category), name: string(name))
  }

  /// The handle of an argument list; not generic, since readers ask for one an event.
  package mutating func argumentList(_ list: [Argument]) -> ArgumentListID {
    list.count == 1
      ? arguments.append(one: list[0]) : list.isEmpty ? .none : arguments.append(list)
  }

  /// The handle of a list of one argument.
  package mutating func argumentList(one argument: Argument) -> ArgumentListID {
    arguments.append(one: argument)
  }

  /// The handle of an argument list.
  package mutating func argumentList(_ list: some Collection<Argument>) -> ArgumentListID {
    arguments.append(list)
  }

  // MARK: - Processes and tracks

  /// The process with the system's number `systemID`, added where it is new.
  package mutating func process(_ systemID: UInt64) -> ProcessID {
    if let id = processIDs[systemID] { return id }
    let id = ProcessID(index: processes.count)
    processes.append(TraceProcess(systemID: systemID, name: "", isHost: false))
    processIDs[systemID] = id
    return id
  }

  /// Names a process.
  package mutating func setName(_ name: String, of process: ProcessID) {
    processes[process.index].name = name
  }

  /// Says that the frames come from `process`.
  package mutating func setHost(_ process: ProcessID) {
    processes[process.index].isHost = true
  }

  /// The track of the thread `systemID` of `process`, added where it is new.
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

  /// Names a track.
  package mutating func setName(_ name: String, of track: TrackID) {
    tracks[track.index].name = name
  }

  /// The name of a track so far, empty where it has none.
  package func name(of track: TrackID) -> String { tracks[track.index].name }

  /// Says that `track` makes the host's commits.
  package mutating func setMain(_ track: TrackID) {
    tracks[track.index].isMain = true
  }

  /// Says that the source records all work of `track`, so that time without a span is idle.
  package mutating func setCompletelyRecorded(_ track: TrackID) {
    tracks[track.index].isCompletelyRecorded = true
  }

  // MARK: - Spans, marks, counters

  /// Adds a span of work. An end before the start is counted as a loss.
  package mutating func addSpan(
    on track: TrackID, from start: Timestamp, to end: Timestamp, label: LabelID,
    arguments list: ArgumentListID = .none
  ) {
    guard end >= start else { return countLoss(.endBeforeBegin) }
    extend(start.nanoseconds)
    extend(end.nanoseconds)
    tracks[track.index].spans.append(
      start: start.nanoseconds, end: end.nanoseconds, label: label, arguments: list)
  }

  /// Adds spans of work given in columns; none may end before it begins.
  ///
  /// - Parameter growth: How many times as many spans the track is expected to have in the end.
  package mutating func addSpans(
    _ batch: SpanBatchColumns, on track: TrackID, growth: Double = 1
  ) {
    guard !batch.begins.isEmpty else { return }
    for begin in batch.begins { firstTime = min(firstTime, begin) }
    lastTime = max(lastTime, batch.latestEnd)
    tracks[track.index].spans.reserve(batch.begins.count, growth: growth)
    tracks[track.index].spans.append(batch)
  }

  /// When the spans of `track` began, in any order.
  package func spanBegins(of track: TrackID) -> [Int64] { tracks[track.index].spans.begins }

  /// Adds a span that belongs to no thread's stack.
  package mutating func addAsyncSpan(
    on track: TrackID, from start: Timestamp, to end: Timestamp, label: LabelID,
    arguments list: ArgumentListID = .none
  ) {
    guard end >= start else { return countLoss(.endBeforeBegin) }
    extend(start.nanoseconds)
    extend(end.nanoseconds)
    asyncSpans.append(
      AsyncSpan(
        track: track, range: TimeRange(start: start, end: end), label: label, arguments: list))
  }

  /// Adds a span that began and never ended.
  ///
  /// - Parameter mayHaveEnded: Whether the source may have lost its end, so that it fills no more
  ///   than the time up to the track's next event (`OpenSpan.until`).
  package mutating func addOpenSpan(
    on track: TrackID, since start: Timestamp, label: LabelID, item: ArgumentValue? = nil,
    mayHaveEnded: Bool = false
  ) {
    extend(start.nanoseconds)
    openSpans.append(
      OpenSpan(
        track: track, label: label, item: item, since: start, mayHaveEnded: mayHaveEnded))
  }

  /// Adds an instant.
  package mutating func addMark(
    on track: TrackID, at time: Timestamp, label: LabelID, arguments list: ArgumentListID = .none
  ) {
    extend(time.nanoseconds)
    marks.append(Mark(time: time, track: track, label: label, arguments: list))
  }

  /// Adds a point of a flow.
  package mutating func addFlow(
    _ kind: FlowPoint.Kind, id: UInt64, on track: TrackID, at time: Timestamp, label: LabelID
  ) {
    extend(time.nanoseconds)
    flows.append(FlowPoint(time: time, track: track, label: label, id: id, kind: kind))
  }

  /// Adds a sample of a counter.
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

  /// Adds an interaction.
  package mutating func addInteraction(_ interaction: Interaction) {
    extend(interaction.start.nanoseconds)
    if let end = interaction.end { extend(end.nanoseconds) }
    interactions.append(interaction)
  }

  /// Adds a change of a state.
  package mutating func addState(_ change: StateChange) {
    extend(change.time.nanoseconds)
    states.append(change)
  }

  // MARK: - Losses and notices

  /// Counts something that was lost, at `offset` where this is the first of its cause.
  package mutating func countLoss(_ cause: Loss.Cause, count: UInt64 = 1) {
    guard count > 0 else { return }
    guard let known = losses[cause] else {
      losses[cause] = Loss(cause: cause, count: count, offset: offset)
      return
    }
    let (sum, overflow) = known.count.addingReportingOverflow(count)
    losses[cause]?.count = overflow ? UInt64.max : sum
  }

  /// Adds something that a reader of the report should know about the trace.
  package mutating func addNotice(_ notice: Notice) {
    if !notices.contains(notice) { notices.append(notice) }
  }

  /// How many spans have not ended so far.
  package var openSpanCount: Int { openSpans.count }

  /// How many notices there are so far.
  package var noticeCount: Int { notices.count }

  /// Widens the trace's range so that it holds `time`, for instants without anything else.
  package mutating func extend(to time: Timestamp) {
    extend(time.nanoseconds)
  }

  /// Says from when to when the trace goes, whatever was added so far: for copies of a trace that was
  /// whole.
  package mutating func setRange(_ range: TimeRange) {
    firstTime = range.start.nanoseconds
    lastTime = range.end.nanoseconds
  }

  mutating func extend(_ time: Int64) {
    firstTime = min(firstTime, time)
    lastTime = max(lastTime, time)
  }
}
