internal import ScrollTraceModel

extension FXTPairing {
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
    let sorted = edges.sortedByTime()
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
    let sorted = edges.sortedByTime()
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
    let all = arguments
    arguments = []
    for thread in durations.indices {
      for index in durations[thread].indices {
        let place = arguments.count
        arguments += durations[thread][index].moveArguments(from: all, to: place)
      }
    }
    for index in asyncs.indices {
      let place = arguments.count
      arguments += asyncs[index].moveArguments(from: all, to: place)
    }
  }
}

extension FXTPairing.Edge {
  /// Returns the edge's arguments in `all`, and sets their new position to `place`.
  fileprivate mutating func moveArguments(
    from all: [Argument], to place: Int
  ) -> ArraySlice<Argument> {
    defer { firstArgument = place }
    return all[firstArgument..<(firstArgument + argumentCount)]
  }
}
