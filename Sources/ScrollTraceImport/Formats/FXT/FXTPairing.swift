internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The begins and ends until the end of the file, when they are paired in order of time: chunks,
/// and so events, can come in any order (R9).
struct FXTPairing {
  /// A begin or an end.
  struct Edge {
    let time: Timestamp
    let thread: UInt32
    let label: FXTLabel
    let isBegin: Bool
    let isUnnamed: Bool
    /// A Boolean value indicating whether an asynchronous span is not work of its thread.
    let isApart: Bool
    let id: UInt64
    let offset: UInt64
    var firstArgument: Int
    let argumentCount: Int
  }

  var durations: [[Edge]] = []
  var asyncs: [Edge] = []
  var arguments: [Argument] = []

  /// The key common to the start and the end of an asynchronous span.
  struct AsyncKey: Hashable {
    var process: UInt64
    var label: LabelID
    var id: UInt64

    init(_ edge: Edge, _ threads: borrowing FXTThreads) {
      process = threads.process(of: edge.thread)
      label = edge.label.id
      id = edge.id
    }
  }

  /// Adds the start or end of a span of a thread's stack.
  mutating func add(_ event: FXTEvent, _ list: [Argument]) {
    let thread = Int(event.thread)
    while durations.count <= thread { durations.append([]) }
    durations[thread].append(edge(event, isBegin: event.type == .durationBegin, list))
  }

  /// Adds the start or end of an asynchronous span.
  mutating func addAsync(_ event: FXTEvent, isApart: Bool, _ list: [Argument]) {
    asyncs.append(edge(event, isBegin: event.type == .asyncBegin, isApart: isApart, list))
  }

  /// The arguments of `edge`.
  func arguments(of edge: Edge) -> ArraySlice<Argument> {
    arguments[edge.firstArgument..<(edge.firstArgument + edge.argumentCount)]
  }

  private mutating func edge(
    _ event: FXTEvent, isBegin: Bool, isApart: Bool = false, _ list: [Argument]
  ) -> Edge {
    let first = arguments.count
    arguments.append(contentsOf: list)
    return Edge(
      time: event.time, thread: event.thread, label: event.label,
      isBegin: isBegin, isUnnamed: event.isUnnamed, isApart: isApart, id: event.tail,
      offset: event.offset,
      firstArgument: first, argumentCount: list.count)
  }
}

extension FXTDecoder {
  /// Pairs the begins and ends of each thread's stack.
  mutating func resolveDurations() {
    for edges in pairing.durations {
      var open: [FXTPairing.Edge] = []
      var openCounts: [LabelID: Int] = [:]
      for edge in edges.sortedByTime() {
        if edge.isBegin {
          open.append(edge)
          openCounts[edge.label.id, default: 0] += 1
        } else if let last = open.last, edge.isUnnamed || openCounts[edge.label.id, default: 0] > 0
        {
          // An end names its start; spans open above it have lost their own end.
          let wanted = edge.isUnnamed ? last.label.id : edge.label.id
          while let begin = open.popLast() {
            openCounts[begin.label.id, default: 1] -= 1
            if begin.label.id == wanted {
              addPaired(begin, edge)
              break
            }
            addUnfinished(begin)
          }
        } else {
          lose(.unmatchedEnd, at: edge.offset)
        }
      }
      for begin in open { addUnfinished(begin) }
    }
  }

  /// Pairs asynchronous begins and ends of one process, label and id; the last begin ends first.
  mutating func resolveAsyncs() {
    var open: [FXTPairing.AsyncKey: [FXTPairing.Edge]] = [:]
    // The start of a span of no length can follow its end, in a later chunk of another thread.
    var early: [FXTPairing.AsyncKey: [FXTPairing.Edge]] = [:]
    for edge in pairing.asyncs.sortedByTime() {
      let key = FXTPairing.AsyncKey(edge, threads)
      var pair: (start: FXTPairing.Edge, end: FXTPairing.Edge)?
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
      if let pair { addAsync(pair.start, pair.end) }
    }
    for edge in early.values.joined().sorted(by: { ($0.time, $0.offset) < ($1.time, $1.offset) }) {
      addLonelyEnd(edge)
    }
    for start in open.values.joined().sorted(by: { $0.offset < $1.offset }) {
      addAsync(start, nil)
    }
  }

  /// Adds what is known of an asynchronous span without a start.
  private mutating func addLonelyEnd(_ end: FXTPairing.Edge) {
    guard let since = profile.overwrittenBefore else { return lose(.unmatchedEnd, at: end.offset) }
    // Its begin was in a chunk that was reused.
    if end.label.meaning == .interaction, end.time >= since {
      addInteraction(end, since: since, end: end.time)
    }
  }

  /// Adds the asynchronous span that starts with `start`; without an end it stays open.
  private mutating func addAsync(_ start: FXTPairing.Edge, _ end: FXTPairing.Edge?) {
    if start.label.meaning == .interaction {
      addInteraction(start, end: end?.time)
    } else if let end {
      guard start.isApart else { return addPaired(start, end) }
      let track = threads.track(of: start.thread)
      // Of our spans, only those of tasks have their start and end on different threads.
      let isMoved = isScrollTraceRecording && end.thread != start.thread
      builder.addAsyncSpan(
        on: track, from: start.time, to: end.time, label: start.label.id,
        arguments: builder.argumentList(allArguments(start, end)),
        endingOn: isMoved ? threads.track(of: end.thread) : nil)
    } else {
      addUnfinished(start)
    }
  }

  /// Adds the span from `start` to `end`, as a frame's commit if its category requires it.
  private mutating func addPaired(_ start: FXTPairing.Edge, _ end: FXTPairing.Edge) {
    let all = allArguments(start, end)
    let track = threads.track(of: start.thread)
    if start.label.meaning == .frame {
      _ = updateFrame(
        start.label, all[...], commit: (start.time, end.time, track), at: start.offset)
      addThreadTime(all[...], of: start.thread, at: end.time, start.offset)
    }
    builder.addSpan(
      on: track, from: start.time, to: end.time, label: start.label.id,
      arguments: builder.argumentList(all))
  }

  private mutating func addUnfinished(_ start: FXTPairing.Edge) {
    let item = pairing.arguments(of: start).first { $0.key == keys.item }?.value
    let track = threads.track(of: start.thread)
    // A task's span is suspended most of the time.
    builder.addOpenSpan(
      on: track, since: start.time, label: start.label.id, item: item,
      mayHaveEnded: isScrollTraceRecording && start.isApart)
  }

  private mutating func addInteraction(
    _ start: FXTPairing.Edge, since: Timestamp? = nil, end: Timestamp?
  ) {
    var surface: SurfaceID?
    switch pairing.arguments(of: start).first(where: { $0.key == keys.surface })?.value {
    case .string(let name)?: surface = builder.surface(text(of: name))
    case .null?, nil: break
    default: lose(.invalidValue, at: start.offset)
    }
    let kind = text(of: labelNames[start.label.id] ?? .empty)
    builder.addInteraction(
      Interaction(kind: kind, start: since ?? start.time, end: end, surface: surface))
  }

  private func allArguments(
    _ start: FXTPairing.Edge, _ end: FXTPairing.Edge
  ) -> [Argument] {
    Array(pairing.arguments(of: start)) + pairing.arguments(of: end)
  }
}

extension [FXTPairing.Edge] {
  /// The edges in ascending order of time, with ties in file order.
  func sortedByTime() -> [FXTPairing.Edge] {
    let isSorted = indices.dropFirst().allSatisfy { self[$0 - 1].time <= self[$0].time }
    guard !isSorted else { return self }
    return enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
  }
}
