internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The begins and ends until the end of the file, when they are paired in order of time: chunks,
/// and so events, can come in any order (R9).
struct FXTPairing {
  private struct Edge {
    let time: Timestamp
    let thread: UInt32
    let label: FXTLabel
    let isBegin: Bool
    let isUnnamed: Bool
    /// Whether an asynchronous span is not work of its thread.
    let isApart: Bool
    let id: UInt64
    let offset: UInt64
    var firstArgument: Int
    let argumentCount: Int
  }

  /// The key common to the start and the end of an asynchronous span.
  private struct AsyncKey: Hashable {
    var process: UInt64
    var label: LabelID
    var id: UInt64

    init(_ edge: Edge, _ threads: borrowing FXTThreads) {
      process = threads.process(of: edge.thread)
      label = edge.label.id
      id = edge.id
    }
  }

  private var durations: [[Edge]] = []
  private var asyncs: [Edge] = []
  private var arguments: [Argument] = []

  /// Adds the start or end of a span of a thread's stack.
  mutating func add(_ event: FXTEvent) {
    let thread = Int(event.thread)
    while durations.count <= thread { durations.append([]) }
    durations[thread].append(edge(event, isBegin: event.type == .durationBegin))
  }

  /// Adds the start or end of an asynchronous span.
  mutating func addAsync(_ event: FXTEvent, isApart: Bool) {
    asyncs.append(edge(event, isBegin: event.type == .asyncBegin, isApart: isApart))
  }

  private mutating func edge(
    _ event: FXTEvent, isBegin: Bool, isApart: Bool = false
  ) -> Edge {
    let first = arguments.count
    arguments.append(contentsOf: event.arguments.list)
    return Edge(
      time: event.time, thread: event.thread, label: event.label,
      isBegin: isBegin, isUnnamed: event.isUnnamed, isApart: isApart, id: event.tail,
      offset: event.offset,
      firstArgument: first, argumentCount: event.arguments.list.count)
  }

  // MARK: - At the end of the file

  /// Adds the spans, asynchronous spans and interactions.
  ///
  /// - Parameter clock: The unit of the times in arguments.
  func resolve(
    clock: FXTClock, _ surfaces: inout FXTSurfaces, _ recording: inout FXTRecording,
    _ trace: inout FXTTrace
  ) {
    for edges in durations { resolve(edges, clock, &surfaces, &recording, &trace) }
    resolveAsyncs(clock, &surfaces, &recording, &trace)
  }

  /// Pairs the begins and ends of a thread's stack.
  private func resolve(
    _ edges: [Edge], _ clock: FXTClock, _ surfaces: inout FXTSurfaces,
    _ recording: inout FXTRecording, _ trace: inout FXTTrace
  ) {
    var open: [Edge] = []
    var openCounts: [LabelID: Int] = [:]
    for edge in edges.stablySorted(by: { $0.time }) {
      if edge.isBegin {
        open.append(edge)
        openCounts[edge.label.id, default: 0] += 1
      } else if let last = open.last, edge.isUnnamed || openCounts[edge.label.id, default: 0] > 0 {
        // An end names its start; spans open above it have lost their own end.
        let wanted = edge.isUnnamed ? last.label.id : edge.label.id
        while let begin = open.popLast() {
          openCounts[begin.label.id, default: 1] -= 1
          if begin.label.id == wanted {
            addPaired(begin, edge, clock, &surfaces, &recording, &trace)
            break
          }
          addUnfinished(begin, recording, &trace)
        }
      } else {
        trace.lose(.unmatchedEnd, at: edge.offset)
      }
    }
    for begin in open { addUnfinished(begin, recording, &trace) }
  }

  /// Pairs asynchronous begins and ends of one process, label and id; the last begin ends first.
  private func resolveAsyncs(
    _ clock: FXTClock, _ surfaces: inout FXTSurfaces, _ recording: inout FXTRecording,
    _ trace: inout FXTTrace
  ) {
    var open: [AsyncKey: [Edge]] = [:]
    // The start of a span of no length can follow its end, in a later chunk of another thread.
    var early: [AsyncKey: [Edge]] = [:]
    for edge in asyncs.stablySorted(by: { $0.time }) {
      let key = AsyncKey(edge, trace.threads)
      var pair: (start: Edge, end: Edge)?
      if edge.isBegin {
        if early[key]?.last?.time == edge.time, let end = early[key]?.popLast() {
          pair = (edge, end)
        } else {
          open[key, default: []].append(edge)
        }
      } else if let begin = open[key]?.popLast() {
        pair = (begin, edge)
      } else {
        early[key, default: []].append(edge)
      }
      if let pair { addAsync(pair.start, pair.end, clock, &surfaces, &recording, &trace) }
    }
    for edge in early.values.joined().sorted(by: { ($0.time, $0.offset) < ($1.time, $1.offset) }) {
      addLonelyEnd(edge, recording, &trace)
    }
    for start in open.values.joined().sorted(by: { $0.offset < $1.offset }) {
      addAsync(start, nil, clock, &surfaces, &recording, &trace)
    }
  }

  /// Adds what is known of an asynchronous span without a start.
  private func addLonelyEnd(
    _ end: Edge, _ recording: borrowing FXTRecording, _ trace: inout FXTTrace
  ) {
    if end.label.role == .interaction,
      let hole = recording.hole(before: end.time, of: end.thread)
    {
      // It began in a chunk that is missing.
      return addInteraction(end, since: hole.start, end: end.time, &trace)
    }
    guard let since = recording.overwrittenBefore else {
      return trace.lose(.unmatchedEnd, at: end.offset)
    }
    // Its begin was in a chunk that was reused.
    if end.label.role == .interaction, end.time >= since {
      addInteraction(end, since: since, end: end.time, &trace)
    }
  }

  /// Adds the asynchronous span that starts with `start`; without an end it stays open.
  private func addAsync(
    _ start: Edge, _ end: Edge?, _ clock: FXTClock, _ surfaces: inout FXTSurfaces,
    _ recording: inout FXTRecording, _ trace: inout FXTTrace
  ) {
    if start.label.role == .interaction {
      // What has no end may have ended in a chunk that is missing.
      let lost = recording.hole(after: start.time, of: start.thread)?.end
      addInteraction(start, end: end?.time ?? lost, &trace)
    } else if let end {
      guard start.isApart else {
        return addPaired(start, end, clock, &surfaces, &recording, &trace)
      }
      let track = trace.track(of: start.thread)
      // Of our spans, only those of tasks have their start and end on different threads.
      let isMoved = recording.hasLayout && end.thread != start.thread
      let ending = isMoved ? trace.track(of: end.thread) : nil
      trace.builder.addAsyncSpan(
        on: track, from: start.time, to: end.time, label: start.label.id,
        arguments: trace.builder.argumentList(allArguments(start, end)), endingOn: ending)
    } else {
      addUnfinished(start, recording, &trace)
    }
  }

  /// Adds the span from `start` to `end`, as a frame's commit if its category requires it.
  private func addPaired(
    _ start: Edge, _ end: Edge, _ clock: FXTClock, _ surfaces: inout FXTSurfaces,
    _ recording: inout FXTRecording, _ trace: inout FXTTrace
  ) {
    let all = FXTArguments(list: allArguments(start, end), clock: clock, offset: start.offset)
    let track = trace.track(of: start.thread)
    if start.label.role == .frame {
      _ = surfaces.updateFrame(start.label, all, commit: (start.time, end.time, track), &trace)
      recording.addThreadTime(all, of: start.thread, at: end.time, &trace)
    }
    let list = trace.builder.argumentList(all.list)
    trace.builder.addSpan(
      on: track, from: start.time, to: end.time, label: start.label.id, arguments: list)
  }

  private func addUnfinished(
    _ start: Edge, _ recording: borrowing FXTRecording, _ trace: inout FXTTrace
  ) {
    let item = value(of: .item, of: start, trace.vocabulary)
    let track = trace.track(of: start.thread)
    // A task's span is suspended most of the time.
    trace.builder.addOpenSpan(
      on: track, since: start.time, label: start.label.id, item: item,
      mayHaveEnded: recording.hasLayout && start.isApart)
  }

  private func addInteraction(
    _ start: Edge, since: Timestamp? = nil, end: Timestamp?, _ trace: inout FXTTrace
  ) {
    var surface: SurfaceID?
    switch value(of: .surface, of: start, trace.vocabulary) {
    case .string(let name)?: surface = trace.builder.surface(trace.text(of: name))
    case .null?, nil: break
    default: trace.lose(.invalidValue, at: start.offset)
    }
    let kind = trace.name(of: start.label)
    trace.builder.addInteraction(
      Interaction(kind: kind, start: since ?? start.time, end: end, surface: surface))
  }

  // MARK: - Arguments

  private func arguments(of edge: Edge) -> ArraySlice<Argument> {
    arguments[edge.firstArgument..<(edge.firstArgument + edge.argumentCount)]
  }

  private func value(
    of key: Vocabulary.Key, of edge: Edge, _ vocabulary: FXTVocabulary
  ) -> ArgumentValue? {
    let name = vocabulary[key]
    return arguments(of: edge).first { $0.key == name }?.value
  }

  private func allArguments(_ start: Edge, _ end: Edge) -> [Argument] {
    Array(arguments(of: start)) + arguments(of: end)
  }

  // MARK: - While the file is written

  /// Forgets spans that started and ended before `time`, and returns the positions of forgotten
  /// ends without a begin.
  ///
  /// - Parameter isCut: Whether the begins of asynchronous spans can be overwritten.
  mutating func forget(
    before time: Timestamp, _ threads: borrowing FXTThreads, isCut: Bool
  ) -> [UInt64] {
    var unmatched: [UInt64] = []
    for thread in durations.indices {
      durations[thread] = Self.remainingStack(durations[thread], before: time, &unmatched)
    }
    var lonely: [UInt64] = []
    asyncs = Self.remainingAsyncs(asyncs, before: time, threads, &lonely)
    if !isCut { unmatched += lonely }
    forgetArguments()
    return unmatched
  }

  /// Returns the edges of a thread's stack from the last time before `time` at which no span was
  /// open.
  private static func remainingStack(
    _ edges: [Edge], before time: Timestamp, _ unmatched: inout [UInt64]
  ) -> [Edge] {
    let sorted = edges.stablySorted { $0.time }
    var open: [LabelID] = []
    var lonely: [UInt64] = []
    var cut = 0
    for (index, edge) in sorted.enumerated() {
      guard edge.time < time else { break }
      if edge.isBegin {
        open.append(edge.label.id)
      } else if let last = open.last, edge.isUnnamed || open.contains(edge.label.id) {
        let wanted = edge.isUnnamed ? last : edge.label.id
        while let label = open.popLast(), label != wanted {}
      } else {
        lonely.append(edge.offset)
      }
      guard open.isEmpty else { continue }
      cut = index + 1
      unmatched += lonely
      lonely = []
    }
    return cut > 0 ? Array(sorted[cut...]) : edges
  }

  /// Returns the asynchronous edges without those of spans that ended before `time`.
  private static func remainingAsyncs(
    _ edges: [Edge], before time: Timestamp, _ threads: borrowing FXTThreads,
    _ unmatched: inout [UInt64]
  ) -> [Edge] {
    let sorted = edges.stablySorted { $0.time }
    var open: [AsyncKey: (depth: Int, edges: [Int])] = [:]
    // The start of a span of no length can follow its end.
    var early: [AsyncKey: [Int]] = [:]
    var isGone = Array(repeating: false, count: sorted.count)
    for (index, edge) in sorted.enumerated() {
      guard edge.time < time else { break }
      let key = AsyncKey(edge, threads)
      guard edge.isBegin || open[key] != nil else {
        isGone[index] = true
        early[key, default: []].append(index)
        continue
      }
      if edge.isBegin, let end = early[key]?.last, sorted[end].time == edge.time {
        isGone[index] = true
        early[key]?.removeLast()
        continue
      }
      var state = open[key] ?? (0, [])
      state.depth += edge.isBegin ? 1 : -1
      state.edges.append(index)
      open[key] = state.depth > 0 ? state : nil
      guard state.depth == 0 else { continue }
      for index in state.edges { isGone[index] = true }
    }
    unmatched += early.values.joined().sorted().map { sorted[$0].offset }
    return sorted.indices.filter { !isGone[$0] }.map { sorted[$0] }
  }

  /// Keeps only the arguments of the remaining edges.
  private mutating func forgetArguments() {
    var kept: [Argument] = []
    for thread in durations.indices {
      for index in durations[thread].indices {
        let own = arguments(of: durations[thread][index])
        durations[thread][index].firstArgument = kept.count
        kept += own
      }
    }
    for index in asyncs.indices {
      let own = arguments(of: asyncs[index])
      asyncs[index].firstArgument = kept.count
      kept += own
    }
    arguments = kept
  }
}
