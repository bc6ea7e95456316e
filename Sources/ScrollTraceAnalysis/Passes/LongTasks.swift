package import ScrollTraceModel

/// Main-thread spans that block the thread for long (M-11).
package struct LongTasks: Sendable {
  /// The length above which a span counts: 50 ms, as in the W3C's Long Tasks API.
  package static let limit = TimeSpan.milliseconds(50)

  /// A long task.
  package struct Task: Sendable {
    package let range: TimeRange
    package let label: LabelID
    /// The attribution (M-16), or `nil` if causes are not determined.
    package let attribution: Attribution?
  }

  package let count: Int
  package let length: TimeSpan
  /// The total length beyond `limit` of each task.
  package let blocking: TimeSpan
  /// The longest tasks, at most five, longest first.
  package let longest: [Task]
}

extension LongTasks {
  private static let listed = 5

  /// Finds the long tasks among `spans` that touch `windows`: those that are not inside another.
  ///
  /// - Parameter attributor: Determines the causes, or `nil` to omit them.
  init(
    of spans: SpanColumns, in windows: TimeRangeSet, waits: WaitingLabels, _ attributor: Attributor?
  ) {
    var (count, length, blocking) = (0, TimeSpan.zero, TimeSpan.zero)
    var longest: [(index: Int, length: TimeSpan)] = []
    var covered = Int64.min
    // Spans are sorted by start, outer ones first, so a span that ends by then is inside an earlier
    // one. Shorter ones have no long ones inside.
    spans.times.forEachBlock(longerThan: LongTasks.limit.nanoseconds) { first, times in
      for (index, span) in times.enumerated() where span.end > covered {
        covered = span.end
        let (index, task) = (first + index, TimeSpan(nanoseconds: span.length))
        guard task > LongTasks.limit, !waits[spans.labels[index]],
          windows.coveredLength(of: spans[index].range) > .zero
        else { continue }
        count += 1
        length += task
        blocking += task - LongTasks.limit
        if longest.count == LongTasks.listed, let last = longest.last, last.length >= task {
          continue
        }
        longest.insert(
          (index, task), at: longest.firstIndex { $0.length < task } ?? longest.count)
        if longest.count > LongTasks.listed { longest.removeLast() }
      }
    }
    self.init(
      count: count, length: length, blocking: blocking,
      longest: longest.map { entry in
        let span = spans[entry.index]
        return LongTasks.Task(
          range: span.range, label: span.label,
          attribution: attributor?.attribution(of: span.range))
      })
  }
}

/// The longest work of the main thread.
package struct LongestWork: Sendable {
  package let work: WorkName
  package let range: TimeRange
  /// Whether it is a wait inside other work.
  package let isWait: Bool
  /// The work around a wait, or `nil` if it is none.
  package let around: WorkName?
  /// The number of other spans of its name that take at least half as long.
  package let others: Int
  /// Whether it is a task of which nothing inside is known.
  package var isTask = false
}

extension Analysis {
  /// The longest work of the main thread in the selected time: of the longest span that is neither a wait nor
  /// only around other work, the innermost that fills half of it, or a task that is more than twice as long.
  /// `nil` if there is none.
  package var longestWork: LongestWork? {
    guard let main = trace.mainTrack else { return nil }
    let spans = trace.tracks[main.index].spans
    let waits = WaitingLabels(of: trace)
    // What a profiler takes at its start is no part of the work that it interrupts.
    let starts = Set(
      trace.labels.allIDs.filter { WorkName.startOfProfiler.contains(trace.name(of: $0)) })
    let profiler = TimeRangeSet(
      union: starts.isEmpty ? [] : spans.filter { starts.contains($0.label) }.map(\.range))
    var longest: (index: Int, length: Int64)?
    spans.times.forEachBlock { first, times in
      for (index, span) in times.enumerated() where span.length > longest?.length ?? 0 {
        let (label, range) = (spans.labels[first + index], spans[first + index].range)
        let length = span.length - profiler.coveredLength(of: range).nanoseconds
        guard length > longest?.length ?? 0, !waits[label],
          !trace.workName(of: label).isFrameOfOtherWork,
          selectedTime?.coveredLength(of: range) != .zero
        else { continue }
        longest = (first + index, length)
      }
    }
    let task = work.longTasks?.longest.first { task in
      guard let attribution = task.attribution,
        !trace.workName(of: task.label).category.hasPrefix("scrolltrace.")
      else { return false }
      let known = attribution.causes.filter { WorkName.startOfProfiler.contains($0.name) }
        .reduce(TimeSpan.zero) { $0 + $1.selfTime }
      return (RemovableCause.unrecorded.time(in: attribution) - known)
        .isPart(0.5, of: task.range.length)
    }
    if let task, task.range.length.nanoseconds / 2 > longest?.length ?? 0 {
      return LongestWork(
        work: trace.workName(of: task.label), range: task.range, isWait: false, around: nil,
        others: 0, isTask: true)
    }
    guard let longest else { return nil }
    // A call says which script runs, and a collection that it is one: what V8 does for all of them does not.
    let inner = trace.innermostWork(at: longest.index, of: spans) { label in
      let name = trace.name(of: label)
      return !["V8.Execute", "V8.RunMicrotasks", "v8.run"].contains(name)
        && !name.hasPrefix("V8.GC_")
    }
    let around = trace.innermostWork(at: longest.index, of: spans) { !waits[$0] }
    let label = spans.labels[inner]
    var others = -1
    for span in spans
    where span.label == label && span.range.length.nanoseconds >= spans.times[inner].length / 2 {
      if selectedTime?.coveredLength(of: span.range) != .zero { others += 1 }
    }
    return LongestWork(
      work: trace.workName(of: label), range: spans[inner].range, isWait: waits[label],
      around: waits[label] ? trace.workName(of: spans.labels[around]) : nil, others: max(0, others))
  }
}

/// The sections around the work for frames on one track, in a trace that lists no frames.
package struct FrameSections: Sendable {
  package let name: String
  package let count: Int
  /// The number of sections longer than a refresh interval.
  package let longCount: Int
  package let longest: TimeRange
  /// The work that fills half of the longest section, with its time, or `nil` if none does.
  package let work: (name: WorkName, time: TimeSpan)?
}

extension Analysis {
  /// The refresh interval that was given, or the median time between two of Android's signals to apps, or `nil`
  /// if neither is known.
  package var knownRefreshInterval: TimeSpan? {
    if let given = options.refreshInterval { return given }
    let signals = trace.counters.first { trace.name(of: $0.label) == "VSYNC-app" }?.times ?? []
    let gaps = zip(signals, signals.dropFirst()).map { $1 &- $0 }.sorted()
    let median = gaps.isEmpty ? 0 : gaps[gaps.count / 2]
    // 1,000 to 10 Hz.
    return (1_000_000...100_000_000).contains(median) ? TimeSpan(nanoseconds: median) : nil
  }

  /// Returns the sections in the selected time on the main thread and on the thread that draws Android's
  /// frames, or none if the trace lists frames.
  package func frameSections(longerThan limit: TimeSpan) -> [FrameSections] {
    guard trace.surfaces.allSatisfy({ $0.frames.count == 0 }), let main = trace.mainTrack else {
      return []
    }
    let drawing = "DrawFrame"
    var names: [LabelID: String] = [:]
    for label in trace.labels.allIDs {
      let name = trace.name(of: label)
      names[label] =
        FrameSection.commonName(of: name) ?? (name.hasPrefix(drawing) ? drawing : nil)
    }
    guard names.values.contains(where: { $0 != drawing }) else { return [] }
    return trace.numberedTracks.compactMap { id, track in
      guard track.process == trace.tracks[main.index].process else { return nil }
      return frameSections(of: track.spans, longerThan: limit) { label in
        names[label].flatMap { ($0 == drawing) == (id == main) ? nil : $0 }
      }
    }
  }

  /// Returns those of `spans` that have a name and are not inside others.
  private func frameSections(
    of spans: SpanColumns, longerThan limit: TimeSpan, named name: (LabelID) -> String?
  ) -> FrameSections? {
    var (found, covered) = ([Int](), Int64.min)
    for (index, span) in spans.enumerated() where name(span.label) != nil {
      let end = span.range.end.nanoseconds
      guard end > covered, selectedTime?.coveredLength(of: span.range) != .zero else { continue }
      covered = end
      found.append(index)
    }
    func length(_ index: Int) -> Int64 { spans.times[index].length }
    guard let longest = found.max(by: { length($0) < length($1) }),
      let name = name(spans.labels[longest])
    else { return nil }
    let work = trace.innermostWork(at: longest, of: spans)
    return FrameSections(
      name: name, count: found.count,
      longCount: found.count { length($0) > limit.nanoseconds }, longest: spans[longest].range,
      work: work == longest
        ? nil : (trace.workName(of: spans.labels[work]), spans[work].range.length))
  }
}

extension Trace {
  /// The position of the innermost of the counted spans in the one at `index` that fill half of it and are not only
  /// around other work, or `index`.
  func innermostWork(
    at index: Int, of spans: SpanColumns, where isCounted: (LabelID) -> Bool = { _ in true }
  ) -> Int {
    let outer = spans.times[index]
    var (inner, bounds) = (index, outer)
    for next in (0..<spans.count).dropFirst(index + 1) {
      let span = spans.times[next]
      guard span.start < outer.end else { break }
      if span.end <= bounds.end, span.length >= outer.length / 2,
        !workName(of: spans.labels[next]).isFrameOfOtherWork, isCounted(spans.labels[next])
      {
        (inner, bounds) = (next, span)
      }
    }
    return inner
  }
}
