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

  /// Whether times far from all others are removed, because the source
  /// does not contain the length of the recording.
  package var setsStrayTimesApart = false

  /// Whether samples show that the recording went on after its last event: its
  /// recorder samples while a frame is open, and the host may have died in it.
  package var samplesExtendRange = false

  /// The last time at which a host that died was alive, if its source knows it and work was open: what was
  /// open lasted at least until then.
  package var aliveUntil: Timestamp?

  /// Whether the source kept only the last part of each thread's events, so
  /// that nothing is known of a surface before the first event of those that tell of it.
  package var keepsOnlyLastEvents = false

  /// Whether the source had no room for the last events of some threads, so
  /// that nothing is known of a surface after the last event of those that tell of it.
  package var keepsOnlyFirstEvents = false

  /// The times whose events the source has lost, each with the process or track, or with neither for all.
  private var holes:
    [(range: TimeRange, process: ProcessID?, track: TrackID?, surface: SurfaceID?)] = []

  /// The times that the source knows to be possible, or `nil` if it knows none. Others are removed.
  package var plausibleTimes: ClosedRange<Int64>?

  /// Whether the source is several recordings in one, which are not judged.
  package var holdsSeveralRecordings = false

  /// Whether spans of threads are counted and not stored; see `lacksSpans`.
  package var onlyCountsSpans = false

  /// Whether a source stores the arguments of a commit that only repeat what is known of its frame and thread.
  package var keepsFrameArguments = true
  private var spanCounts = SpanCounts()

  @usableFromInline var events = TraceEvents()
  private var strings = StringTable()
  private var labels = LabelTable()
  private var arguments = ArgumentTable()
  private var processes: [TraceProcess] = []
  private var processIDs: [UInt64: Int] = [:]
  private var trackIDs: [TrackKey: Int] = [:]
  private var surfaceIDs: [String: SurfaceID] = [:]
  private var counterIDs: [CounterKey: Int] = [:]
  private var losses: [Loss.Reason: Loss] = [:]
  private var notices: [Notice] = []
  private var stackTree = StackTree()
  private var samples = SampleTable()
  private var threadStateCount = 0
  private var hasTooManyThreadStates = false

  private struct TrackKey: Hashable {
    var process: Int
    var thread: UInt64
  }

  private struct CounterKey: Hashable {
    var label: LabelID
    var series: StringID
    var id: UInt64
  }

  /// Creates an empty trace with a format's name.
  package init(format: String) {
    source = TraceSource(format: format)
  }

  // MARK: - Names

  package mutating func string(_ name: String) -> StringID { strings.intern(name) }

  /// Returns the handle of the name with these UTF-8 bytes.
  package mutating func string(_ name: UnsafeBufferPointer<UInt8>) -> StringID {
    strings.intern(name)
  }

  package func name(of id: StringID) -> String { strings[id] }

  package mutating func label(category: StringID, name: StringID) -> LabelID {
    labels.intern(Label(category: category, name: name))
  }

  package mutating func label(category: String, name: String) -> LabelID {
    label(category: string(category), name: string(name))
  }

  package func category(of label: LabelID) -> String { strings[labels[label].category] }

  /// Returns the handle of an argument list. Not generic, because readers call this method for each
  /// event.
  ///
  /// - Parameter growth: The expected final number of lists, as a multiple of the current number.
  package mutating func argumentList(_ list: [Argument], growth: Double = 1) -> ArgumentListID {
    guard !onlyCountsSpans else { return .none }
    return list.count == 1
      ? arguments.append(one: list[0], growth: growth) : arguments.append(list, growth: growth)
  }

  package mutating func argumentList(
    one argument: Argument, growth: Double = 1
  ) -> ArgumentListID {
    onlyCountsSpans ? .none : arguments.append(one: argument, growth: growth)
  }

  // MARK: - Processes and tracks

  /// Returns the process with a system ID, adding it if it is new.
  package mutating func process(_ systemID: UInt64) -> ProcessID {
    ProcessID(
      index: processes.position(
        of: systemID, in: &processIDs,
        adding: TraceProcess(systemID: systemID, name: "", isHost: false)))
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
    let index = events.tracks.position(
      of: TrackKey(process: process.index, thread: systemID), in: &trackIDs,
      adding: Track(
        systemID: systemID, process: process, name: "", isMain: false,
        isCompletelyRecorded: false, spans: SpanColumns()))
    return TrackID(index: index)
  }

  package mutating func setName(_ name: String, of track: TrackID) {
    events.tracks[track.index].name = name
  }

  package func systemIDs(of track: TrackID) -> (process: UInt64, thread: UInt64) {
    let track = events.tracks[track.index]
    return (processes[track.process.index].systemID, track.systemID)
  }

  /// The current name of a track, or an empty string.
  package func name(of track: TrackID) -> String { events.tracks[track.index].name }

  /// Marks the track that makes the host's commits.
  package mutating func setMain(_ track: TrackID) {
    events.tracks[track.index].isMain = true
  }

  /// Marks a track of which the source records all work, so that time without a span is idle.
  package mutating func setCompletelyRecorded(_ track: TrackID) {
    events.tracks[track.index].isCompletelyRecorded = true
  }

  // MARK: - Spans, marks, counters

  /// Adds a span of work. A span that ends before its start is counted as a loss.
  package mutating func addSpan(
    on track: TrackID, from start: Timestamp, to end: Timestamp, label: LabelID,
    arguments list: ArgumentListID = .none
  ) {
    guard end >= start else { return countLoss(.endBeforeBegin) }
    events.extend(start.nanoseconds)
    events.extend(end.nanoseconds)
    guard !onlyCountsSpans else { return spanCounts.add(1, to: track) }
    events.tracks[track.index].spans.append(
      start: start.nanoseconds, end: end.nanoseconds, label: label, arguments: list)
  }

  /// Adds spans of work as columns. None may end before its start.
  ///
  /// - Parameter growth: The expected final number of spans, as a multiple of the current number.
  package mutating func addSpans(
    _ batch: SpanBatchColumns, on track: TrackID, growth: Double = 1
  ) {
    guard !batch.times.isEmpty else { return }
    for span in batch.times { events.firstTime = min(events.firstTime, span.start) }
    events.lastTime = max(events.lastTime, batch.latestEnd)
    guard !onlyCountsSpans else { return spanCounts.add(batch.times.count, to: track) }
    events.tracks[track.index].spans.expect(batch.times.count, growth: growth)
    events.tracks[track.index].spans.append(batch)
  }

  /// Takes of spans with equal times the one that was added last as the outer one, because a host
  /// writes a span when it ends, and those of `category` as the outermost.
  package mutating func putLaterSpansOutside(outermost category: StringID? = nil) {
    let labels = labels
    for index in events.tracks.indices {
      events.tracks[index].spans.putLaterSpansOutside { labels[$0].category == category }
    }
  }

  package func hasSpan(on track: TrackID, startingAt start: Timestamp) -> Bool {
    events.tracks[track.index].spans.hasSpan(startingAt: start.nanoseconds)
  }

  /// The earliest start of a span of `track`, or `nil` if it has none.
  package func firstSpanStart(of track: TrackID) -> Int64? {
    events.tracks[track.index].spans.firstStart
  }

  /// Adds a span that does not belong to a thread's stack.
  ///
  /// - Parameter endTrack: The track on which the task that started it ended it, or `nil` if unknown.
  package mutating func addAsyncSpan(
    on track: TrackID, from start: Timestamp, to end: Timestamp, label: LabelID,
    arguments list: ArgumentListID = .none, endingOn endTrack: TrackID? = nil
  ) {
    guard end >= start else { return countLoss(.endBeforeBegin) }
    events.extend(start.nanoseconds)
    events.extend(end.nanoseconds)
    events.asyncSpans.append(
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
    events.extend(start.nanoseconds)
    events.openSpans.append(
      OpenSpan(
        track: track, label: label, item: item, since: start, mayHaveEnded: mayHaveEnded))
  }

  package mutating func addMark(
    on track: TrackID, at time: Timestamp, label: LabelID, arguments list: ArgumentListID = .none
  ) {
    events.extend(time.nanoseconds)
    events.marks.append(Mark(time: time, track: track, label: label, arguments: list))
  }

  package mutating func addFlow(
    _ kind: FlowPoint.Kind, id: UInt64, on track: TrackID, at time: Timestamp, label: LabelID
  ) {
    events.extend(time.nanoseconds)
    events.flows.append(FlowPoint(time: time, track: track, label: label, id: id, kind: kind))
  }

  package mutating func addSample(
    _ value: Double, of label: LabelID, series: StringID = .empty, id: UInt64 = 0,
    at time: Timestamp
  ) {
    events.extend(time.nanoseconds)
    let key = CounterKey(label: label, series: series, id: id)
    let index = events.counters.position(
      of: key, in: &counterIDs, adding: Counter(label: label, series: series, id: id))
    events.counters[index].append(value, at: time.nanoseconds)
  }

  // MARK: - Frames

  /// The maximum number of surfaces. All others are combined into `overflowSurface`.
  ///
  /// Each surface is evaluated against all interactions, so their product must be limited.
  package static var maximumSurfaceCount: Int { 64 }

  /// The name of the surface for all those beyond the limit.
  package static var overflowSurface: String { "(too many surfaces)" }

  /// Returns the surface with a name, adding it if it is new.
  package mutating func surface(_ name: String) -> SurfaceID {
    if let id = surfaceIDs[name] { return id }
    if events.surfaces.count >= Self.maximumSurfaceCount, name != Self.overflowSurface {
      countLoss(.limitReached)
      let id = surface(Self.overflowSurface)
      surfaceIDs[name] = id
      return id
    }
    let id = SurfaceID(index: events.surfaces.count)
    events.surfaces.append(SurfaceDraft(name: name))
    surfaceIDs[name] = id
    return id
  }

  /// What the source states of a surface, without frames.
  package subscript(surface: SurfaceID) -> Surface {
    get { events.surfaces[surface.index].stated }
    // In place, because a recorder's file states something with each frame.
    _modify { yield &events.surfaces[surface.index].stated }
  }

  /// Sets the accuracy of a surface's presentation times (M-2), which are exact by default.
  package mutating func setPresentationTolerance(_ tolerance: TimeSpan, of surface: SurfaceID) {
    events.surfaces[surface.index].stated.presentationTolerance = max(.zero, tolerance)
  }

  /// Stores that the source has lost events of `process` or `track`, frames of `surface`, or anything, from
  /// `start` to `end`, or to the end of the trace.
  package mutating func addHole(
    from start: Timestamp, to end: Timestamp? = nil, of process: ProcessID? = nil,
    on track: TrackID? = nil, framesOf surface: SurfaceID? = nil
  ) {
    let end = end ?? Timestamp(clamping: Int64.max)
    guard start < end else { return }
    holes.append((TimeRange(start: start, end: end), process, track, surface))
  }

  /// Sets the basis on which a surface is evaluated. By default, it follows from its frames.
  package mutating func setBasis(_ basis: Basis, of surface: SurfaceID) {
    events.surfaces[surface.index].basis = basis
  }

  /// Adds the content of a record to the frame `update.id`.
  ///
  /// The records of a frame may be in any order. A record that contradicts the known frame with
  /// that number starts another frame of the same number, and the repetition is reported.
  ///
  /// - Parameter growth: The expected final number of frames, as a multiple of the current number.
  package mutating func updateFrame(
    _ update: Frame, of surface: SurfaceID, growth: Double = 1
  ) {
    events.extend(toTimesOf: update)
    if let start = update.commitStart, let end = update.commitEnd, end < start {
      return countLoss(.endBeforeBegin)
    }
    events.surfaces[surface.index].update(update, growth: growth)
  }

  /// Adds a complete frame, even if its number exists.
  package mutating func addFrame(_ frame: Frame, of surface: SurfaceID) {
    events.extend(toTimesOf: frame)
    if let start = frame.commitStart, let end = frame.commitEnd, end < start {
      return countLoss(.endBeforeBegin)
    }
    events.surfaces[surface.index].append(frame)
  }

  /// Adds a hitch that the source lists. The surface's basis becomes `hitchList`.
  package mutating func addListedHitch(_ hitch: ListedHitch, of surface: SurfaceID) {
    events.extend(hitch.start.nanoseconds)
    events.extend((hitch.start + hitch.length).nanoseconds)
    events.surfaces[surface.index].basis = .hitchList
    events.surfaces[surface.index].stated.listedHitches.append(hitch)
  }

  // MARK: - Sampled stacks

  /// The most samples of a trace; later ones are not kept.
  package static var sampleLimit: Int { SampleTable.limit }

  package mutating func sampledFunction(_ name: StringID, in module: StringID = .empty) -> Int32 {
    stackTree.id(of: SampledFunction(name: name, module: module))
  }

  /// Adds the path of a module, which says whether its functions are the system's.
  package mutating func addPath(_ path: String, ofModule module: StringID) {
    stackTree.addPath(path, ofModule: module)
  }

  /// Sets the code of a function whose name is only an address, unless it is known.
  package mutating func setCode(_ code: SampledCode, of function: Int32) {
    if stackTree.codes[function] == nil { stackTree.setCode(code, of: function) }
  }

  /// Returns the handle of a function that is known only by its code, named `module+0x1f`.
  ///
  /// - Parameter module: The module's file name.
  package mutating func sampledFunction(of code: SampledCode, in module: StringID) -> Int32 {
    let address = "+0x" + String(code.address, radix: 16)
    let function = sampledFunction(string(name(of: module) + address), in: module)
    let known = stackTree.codes[function] ?? code
    guard known != code else {
      stackTree.setCode(code, of: function)
      return function
    }
    // Another module with the same file name.
    let otherModule = "\(name(of: code.path)) \(name(of: code.buildID))"
    let other = sampledFunction(string(otherModule + address), in: module)
    stackTree.setCode(code, of: other)
    return other
  }

  /// Returns the stack in which `caller` calls a function, or `nil`, which is counted as a loss, if a
  /// limit is reached.
  package mutating func stack(of function: Int32, calledBy caller: StackID) -> StackID? {
    if let stack = stackTree.stack(of: function, calledBy: caller) { return stack }
    countLoss(.limitReached)
    return nil
  }

  /// Returns the position of a series of samples, adding it if it is new.
  package mutating func sampleSeries(
    of track: TrackID, event: StringID = .empty, weightUnit: StringID = .empty,
    reach: SampleSeries.Reach, resolution: Int64 = 1
  ) -> Int {
    samples.series(
      of: track, event: event, weightUnit: weightUnit, reach: reach, resolution: resolution)
  }

  /// Adds a sample of a thread's stack. Samples do not extend the range of a trace that contains
  /// anything else.
  package mutating func addSample(
    of stack: StackID, at time: Timestamp, weight: Int64? = nil, to series: Int
  ) {
    if !samples.append(stack, at: time.nanoseconds, weight: weight, to: series) {
      countLoss(.limitReached)
    }
  }

  /// Adds samples without weights, one for each of `times`, which are in nanoseconds and not negative.
  package mutating func addSamples(of stacks: [Int32], at times: [Int64], to series: Int) {
    countLoss(.limitReached, count: UInt64(samples.append(stacks, at: times, to: series)))
  }

  // MARK: - Threads

  /// The most slices of thread states that a trace holds; a longer schedule is dropped as a whole, since
  /// a part of it would give wrong figures.
  package static var threadStateLimit: Int { 8_000_000 }

  /// Adds a slice of what a scheduler did with a thread. Slices do not extend the trace's range.
  ///
  /// - Parameters:
  ///   - core: The core of a running slice, or `nil` if unknown.
  ///   - waker: The track that woke the thread at the start of a ready slice, or `nil` if unknown.
  package mutating func addThreadState(
    _ state: ThreadState, on track: TrackID, from start: Timestamp, to end: Timestamp,
    core: Int16? = nil, waker: TrackID? = nil, isUninterruptible: Bool = false
  ) {
    guard end >= start else { return countLoss(.endBeforeBegin) }
    guard end > start, !hasTooManyThreadStates else { return }
    threadStateCount += 1
    guard threadStateCount <= Self.threadStateLimit else { return dropThreadStates() }
    events.tracks[track.index].threadStates.append(
      from: start.nanoseconds, to: end.nanoseconds, state, core: core ?? -1, waker: waker,
      isUninterruptible: state == .blocked && isUninterruptible)
  }

  /// Adds what a system counted for a thread up to `time`.
  package mutating func addThreadTime(
    _ sample: ThreadTimeSample, on track: TrackID, at time: Timestamp
  ) {
    guard !sample.isEmpty else { return }
    events.tracks[track.index].threadTimes.append(sample, at: time.nanoseconds)
  }

  /// Adds how long a thread had run on a core up to `time`, which must not be negative: sources have very
  /// many such samples.
  package mutating func addThreadTime(
    cpu: Int64, on track: TrackID, at time: Timestamp
  ) {
    var sample = ThreadTimeSample()
    sample.cpu = cpu
    addThreadTime(sample, on: track, at: time)
  }

  /// Drops all slices and takes no more: there are too many.
  package mutating func dropThreadStates() {
    hasTooManyThreadStates = true
    for index in events.tracks.indices { events.tracks[index].threadStates = ThreadStateColumns() }
    addNotice(.tooManyThreadStates(limit: Self.threadStateLimit))
  }

  // MARK: - Interactions and states

  package mutating func addInteraction(_ interaction: Interaction) {
    events.extend(interaction.start.nanoseconds)
    if let end = interaction.end { events.extend(end.nanoseconds) }
    events.interactions.append(interaction)
  }

  package mutating func addState(_ change: StateChange) {
    events.extend(change.time.nanoseconds)
    events.states.append(change)
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

  package func hasLoss(_ reason: Loss.Reason) -> Bool { losses[reason] != nil }

  /// Adds a fact that a reader of the report should know about the trace.
  package mutating func addNotice(_ notice: Notice) {
    if !notices.contains(notice) { notices.append(notice) }
  }

  package var openSpanCount: Int { events.openSpans.count }

  /// Extends the trace's range to include `time`.
  @inlinable package mutating func extend(to time: Timestamp) {
    events.extend(time.nanoseconds)
  }

  /// The times of the first and the last event so far; without events, the first is after the last.
  package var timesSoFar: (first: Int64, last: Int64) { (events.firstTime, events.lastTime) }

  // MARK: - Counting spans

  /// Remembers that what follows needs the spans that were added so far.
  package mutating func requireSpans() { spanCounts.areRequired = onlyCountsSpans }

  /// Returns the number of spans so far of the track at a position.
  package func spanCount(of track: Int) -> Int {
    events.tracks[track].spans.count + spanCounts.count(of: track)
  }

  /// Whether the trace would be another one if its spans had been stored, so
  /// that the source must be read again.
  package var lacksSpans: Bool {
    guard onlyCountsSpans else { return false }
    if spanCounts.areRequired || events.openSpans.contains(where: \.mayHaveEnded) { return true }
    guard events.lastTime >= events.firstTime, spanCounts.total > 0 else { return false }
    if !frameSections.isEmpty, !processes.contains(where: \.isHost) { return true }
    // Only with all times is it known which are damaged.
    if let plausibleTimes,
      !plausibleTimes.contains(events.firstTime) || !plausibleTimes.contains(events.lastTime)
    {
      return true
    }
    return setsStrayTimesApart && StrayTimes(in: events) != nil
  }

  // MARK: - Parts of a recording

  /// Makes the trace start at `start`, for a recording of which only the last part was retained.
  ///
  /// Events that ended before it are removed, and so are frames that started before it. Everything
  /// else that started before it is cut there. A state that held at that time holds from it. Open
  /// spans keep their start, because a report shows how long they were open; so does the last frame
  /// of a surface if its commit never ended.
  ///
  /// - Parameter knowsBefore: Whether all earlier states and interactions are in the trace.
  ///   Otherwise, those that seem to continue at that time may have ended long before, and are
  ///   removed.
  package mutating func begin(at start: Timestamp, knowsBefore: Bool = true) {
    requireSpans()
    events.begin(at: start, knowsBefore: knowsBefore)
  }

  /// The length of the trace from `start`, or `nil` if it ends before.
  package func length(since start: Timestamp) -> TimeSpan? {
    Timestamp(nanoseconds: events.lastTime).flatMap { $0 >= start ? $0 - start : nil }
  }

  /// The number of objects in the builder, without the kinds of which there are always few.
  package var itemCount: Int { events.count + samples.count }

  /// The last time so far, or `nil` if there is none.
  package var latestTime: Timestamp? {
    events.lastTime >= max(0, events.firstTime) ? Timestamp(clamping: events.lastTime) : nil
  }

  /// Removes everything that had ended before `time`, so that a recording of any length can be
  /// followed in limited memory.
  ///
  /// Names, handles, the trace's range, losses and notices stay. So do the last value of each
  /// state, open interactions and the last frames of each surface, because later frames are
  /// evaluated with them.
  ///
  /// - Parameter frameCount: The number of frames of each surface that are always kept.
  package mutating func forget(before time: Timestamp, keepingLastFrames frameCount: Int = 64) {
    threadStateCount -= events.forget(before: time, keepingLastFrames: frameCount)
    samples.forget(before: time.nanoseconds)
    let shift = arguments.forget(before: events.firstArgumentList)
    if shift > 0 { events.moveArgumentLists(by: shift) }
  }

  // MARK: - The finished trace

  /// Returns the finished trace: sorted, with the basis of each surface, the host and the main
  /// track determined.
  package consuming func finish() -> Trace {
    for index in events.tracks.indices { events.tracks[index].spans.sort() }
    removeStrayTimes()
    settleSamples()
    if let aliveUntil, events.lastTime >= events.firstTime { extend(to: aliveUntil) }
    events.limitOpenSpans()
    settleHostAndMain()
    let order = events.surfaces.indices.sorted {
      events.surfaces[$0].stated.name < events.surfaces[$1].stated.name
    }
    var newIDs = Array(repeating: SurfaceID(index: 0), count: order.count)
    for (position, old) in order.enumerated() { newIDs[old] = SurfaceID(index: position) }
    for (index, interaction) in events.interactions.enumerated() {
      events.interactions[index].surface = interaction.surface.map { newIDs[$0.index] }
    }
    let activities = activities()
    let finished = order.map { finishSurface($0, activities) }
    if finished.allSatisfy({ $0.frames.count == 0 && $0.basis != .hitchList }) {
      addNotice(.noFrames)
    }
    if strings.hasOverflowed { countLoss(.limitReached) }
    if !events.openSpans.isEmpty { addNotice(.unfinishedSpans(count: events.openSpans.count)) }
    // Behind what a copy of the trace says of itself, so that its notices have the same order.
    settleThreadTimes()
    return Trace(
      source: source, range: range, strings: strings, labels: labels, arguments: arguments,
      processes: processes, tracks: events.tracks, surfaces: finished,
      marks: events.marks.stablySorted { $0.time },
      asyncSpans: events.asyncSpans.stablySorted { $0.range.start },
      flows: events.flows.stablySorted { $0.time }, counters: events.counters.map { $0.sorted() },
      stackTree: stackTree, samples: samples.all,
      interactions: events.interactions.stablySorted { $0.start },
      states: events.states.stablySorted { $0.time },
      losses: losses.values.sorted { $0.reason.rawValue < $1.reason.rawValue },
      openSpans: events.openSpans.stablySorted { $0.since }, notices: notices,
      countedSpanCount: spanCounts.total)
  }

  private var range: TimeRange {
    TimeRange(
      start: Timestamp(clamping: events.firstTime == Int64.max ? 0 : events.firstTime),
      end: Timestamp(clamping: max(0, events.lastTime)))
  }

  private mutating func finishSurface(
    _ index: Int, _ activities: [ProcessID: TimeRange]
  ) -> Surface {
    let activity = activity(of: events.surfaces[index], activities)
    var (surface, notices) = events.surfaces[index].finish(
      in: range, holes: holes(of: SurfaceID(index: index)), stampsCommits: source.format == "fxt",
      holdsSeveralRecordings: holdsSeveralRecordings)
    surface.activity = activity
    for notice in notices { addNotice(notice) }
    return surface
  }

  // MARK: - Life and loss

  /// The time from the first span, mark or asynchronous span of each process to the last.
  private func activities() -> [ProcessID: TimeRange] {
    // A recorder's session is a sign of its process from start to end.
    guard source.session == nil else { return [:] }
    var activities: [ProcessID: TimeRange] = [:]
    func add(_ range: TimeRange, on track: TrackID) {
      let process = events.tracks[track.index].process
      activities[process] = activities[process]?.union(range) ?? range
    }
    for (index, track) in events.tracks.enumerated() {
      guard let first = track.spans.times.first?.start else { continue }
      var last = first
      track.spans.times.forEachBlock { _, times in
        for span in times { last = max(last, span.end) }
      }
      add(
        TimeRange(start: Timestamp(clamping: first), end: Timestamp(clamping: last)),
        on: TrackID(index: index))
    }
    for mark in events.marks { add(TimeRange(start: mark.time, end: mark.time), on: mark.track) }
    for span in events.asyncSpans { add(span.range, on: span.track) }
    for span in events.openSpans {
      add(TimeRange(start: span.since, end: span.since), on: span.track)
    }
    return activities
  }

  /// The time from the first sign of a surface, which is a frame or an event of its process, to the last,
  /// or `nil` if that is the whole trace.
  private func activity(
    of surface: SurfaceDraft, _ activities: [ProcessID: TimeRange]
  ) -> TimeRange? {
    guard source.session == nil, surface.basis != .hitchList else { return nil }
    var (first, last) = (Int64.max, Int64.min)
    for frame in surface.frames {
      for time in [frame.start, frame.commitStart, frame.commitEnd, frame.presented] {
        guard let time else { continue }
        (first, last) = (min(first, time.nanoseconds), max(last, time.nanoseconds))
      }
    }
    guard first <= last else { return nil }
    let frames = TimeRange(start: Timestamp(clamping: first), end: Timestamp(clamping: last))
    // The app is no sign of a compositor beside it.
    let isOfThread = surface.frames.first?.track != nil
    guard
      isOfThread || surface.stated.isDisplayStream
        || !events.surfaces.contains(where: { $0.frames.first?.track != nil })
    else { return frames.intersection(range) }
    return self.processes(of: surface).reduce(frames) { $0.union(activities[$1] ?? $0) }
      .intersection(range)
  }

  /// The processes that commit the frames of a surface, or the host if none is known.
  private func processes(of surface: SurfaceDraft) -> Set<ProcessID> {
    let committing = Set(surface.frames.lazy.compactMap(\.track))
    guard committing.isEmpty else { return Set(committing.map { events.tracks[$0.index].process }) }
    return Set(events.tracks.lazy.map(\.process).filter { processes[$0.index].isHost })
  }

  /// The times of which nothing is known of a surface.
  private func holes(of id: SurfaceID) -> [TimeRange] {
    let surface = events.surfaces[id.index]
    var found: [TimeRange] = []
    if let kept = keptSince(of: surface), range.start < kept {
      found.append(TimeRange(start: range.start, end: kept))
    }
    if let kept = keptUntil(of: surface), kept < range.end {
      found.append(TimeRange(start: kept, end: range.end))
    }
    if !holes.isEmpty {
      let telling = processes(of: surface)
      let committing = Set(surface.frames.lazy.compactMap(\.track))
      for hole in holes where hole.process.map(telling.contains) ?? true {
        if let track = hole.track, !committing.contains(track) { continue }
        if let surface = hole.surface, surface != id { continue }
        found.append(hole.range.intersection(range))
      }
    }
    return TimeRangeSet(union: found).ranges
  }

  /// The first time of which the source kept all events that say something of a surface, or `nil` if it kept
  /// everything.
  ///
  /// Each thread fills its own parts of a buffer, so a thread with few events has some from before
  /// those of others.
  private func keptSince(of surface: SurfaceDraft) -> Timestamp? {
    guard keepsOnlyLastEvents else { return nil }
    let first = tellingTracks(of: surface).compactMap {
      events.tracks[$0].spans.times.first?.start
    }.max()
    let times = surface.frames.compactMap(\.time)
    guard let kept = first.flatMap(Timestamp.init(nanoseconds:)) else { return times.min() }
    // Frames from a buffer of their own, which kept more.
    let earlier = times.count { $0 < kept }
    return earlier * 10 > times.count ? times.min() : kept
  }

  /// The last time of which the source kept events that say something of a surface, or `nil` if it kept
  /// everything.
  private func keptUntil(of surface: SurfaceDraft) -> Timestamp? {
    guard keepsOnlyFirstEvents else { return nil }
    let spans = tellingTracks(of: surface).compactMap { events.tracks[$0].spans.times.last?.end }
    let frames = surface.frames.compactMap { $0.presented ?? $0.commitEnd ?? $0.time }
    let last = (spans + frames.map(\.nanoseconds)).max()
    return last.flatMap(Timestamp.init(nanoseconds:))
  }

  /// The tracks whose events say something of a surface: those that commit its frames, and the busiest of
  /// its processes.
  private func tellingTracks(of surface: SurfaceDraft) -> [Int] {
    let committing = Set(surface.frames.lazy.compactMap(\.track))
    let processes = processes(of: surface)
    let likely = events.tracks.indices.filter { processes.contains(events.tracks[$0].process) }
    let busiest = likely.max { (spanCount(of: $0), $1) < (spanCount(of: $1), $0) }
    return committing.map(\.index) + [busiest].compactMap(\.self)
  }

  /// Removes events that are implausibly far from nearly all others, adds a notice, and shortens
  /// the trace to the rest.
  private mutating func removeStrayTimes() {
    removeImplausibleTimes()
    guard setsStrayTimesApart, let kept = StrayTimes(in: events)?.plausibleRange(of: events) else {
      return
    }
    var (first, last, strays) = (Int64.max, Int64.min, 0)
    events.forEachTime { time in
      if kept.contains(time) {
        (first, last) = (min(first, time), max(last, time))
      } else {
        strays += 1
      }
    }
    guard first <= last else { return }
    let before = first - events.firstTime
    let after = events.lastTime - last
    events.removeAll(outside: kept)
    let seconds = max(before, after) / 1_000_000_000
    (events.firstTime, events.lastTime) = (first, last)
    addNotice(
      .source(
        "times that lie up to \(seconds) s from all others are set apart: \(max(1, strays)),"
          + " probably damaged"))
  }

  /// Removes events outside the times that the source knows to be possible, and adds a notice. If
  /// many are, the source is wrong, and all remain.
  private mutating func removeImplausibleTimes() {
    guard let kept = plausibleTimes else { return }
    let census = TimeCensus(of: events, inside: kept, countedSpans: spanCounts.total)
    guard census.strays > 0 else { return }
    let distance = "up to \(census.farthest / 1_000_000_000) s outside the recording"
    // A host may say when something was long before it recorded.
    let hundredth = census.count / 100
    let few = events.firstTime < kept.lowerBound ? hundredth : max(2, hundredth)
    guard census.strays <= few, census.first <= census.last else {
      return addNotice(
        .source(
          census.strays == 1
            ? "1 time lies \(distance), and is kept"
            : "\(census.strays) times lie \(distance), and are kept"))
    }
    events.removeAll(outside: kept)
    events.removeFrames(outside: kept)
    if !kept.contains(events.firstTime) { events.firstTime = census.first }
    if !kept.contains(events.lastTime) { events.lastTime = census.last }
    // What belongs to such a time is missing in all figures: it may have been a hitch.
    offset = nil
    countLoss(.timeOutOfRange, count: UInt64(census.strays))
    addNotice(
      .source("times that lie \(distance) are set apart: \(census.strays), probably damaged"))
  }

  /// Sorts the samples, and lets them give the trace its range if nothing else does, or extend it if they
  /// follow its end.
  private mutating func settleSamples() {
    samples.sort()
    guard events.firstTime >= events.lastTime else {
      if samplesExtendRange { events.extend(samples.end(following: events.lastTime)) }
      return
    }
    for series in samples.all {
      guard let first = series.times.first, let last = series.times.last else { continue }
      events.extend(first)
      events.extend(last)
    }
  }

  /// Sorts states and times of all threads, and reports what cannot be right.
  private mutating func settleThreadTimes() {
    for index in events.tracks.indices {
      let track = events.tracks[index]
      guard !track.threadStates.isEmpty || !track.threadTimes.isEmpty else { continue }
      let name = track.displayName
      let overlaps = events.tracks[index].threadStates.settle()
      if overlaps > 0 { addNotice(.overlappingThreadStates(track: name, count: overlaps)) }
      events.tracks[index].threadTimes.settle()
      let implausible = events.tracks[index].threadTimes.implausibleCount
      if implausible > 0 { addNotice(.implausibleThreadTimes(track: name, count: implausible)) }
    }
  }

  /// The labels of sections around the work for a frame if the trace has no frames, or none.
  private var frameSections: Set<LabelID> {
    guard events.surfaces.allSatisfy(\.frames.isEmpty) else { return [] }
    return Set(
      labels.allIDs.filter { FrameSection.commonName(of: strings[labels[$0].name]) != nil })
  }

  /// Determines the host and its main track if the source does not name them.
  private mutating func settleHostAndMain() {
    let search = HostSearch(
      in: events, of: processes, spanCounts: events.tracks.indices.map(spanCount),
      sampleCounts: samples.counts(ofTracks: events.tracks.count), sections: frameSections)
    if !processes.contains(where: \.isHost), let likely = search.likelyHost {
      processes[likely].isHost = true
    }
    let hostTracks = events.tracks.indices.filter {
      processes[events.tracks[$0].process.index].isHost
    }
    switch search.mainTrack(of: hostTracks) {
    case .named: break
    case .elsewhere(let main):
      for track in hostTracks { events.tracks[track].isMain = track == main }
      addNotice(.commitsOnOtherThread(track: events.tracks[main].displayName))
    case .likely(let main): events.tracks[main].isMain = true
    case .unknown: addNotice(.noMainTrack)
    }
  }
}

extension TraceBuilder {
  /// The numbers of spans that were counted and not stored.
  private struct SpanCounts {
    /// The number for each track, up to the last one with any.
    private var ofTracks: [Int] = []
    /// Whether an importer needed the spans themselves.
    var areRequired = false

    var total: Int { ofTracks.reduce(0, +) }

    func count(of track: Int) -> Int { ofTracks.indices.contains(track) ? ofTracks[track] : 0 }

    mutating func add(_ count: Int, to track: TrackID) {
      let missing = track.index + 1 - ofTracks.count
      if missing > 0 { ofTracks += repeatElement(0, count: missing) }
      ofTracks[track.index] += count
    }
  }
}
