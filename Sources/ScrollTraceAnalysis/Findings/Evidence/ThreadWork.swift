import ScrollTraceModel

/// What threads of the host did in some windows, by their spans.
struct ThreadWork {
  /// The part of the longest work from which work inside it is what is meant.
  private static let innerShare = 0.9

  private let names: WorkNames
  private var spans: [LabelID: [(thread: TrackID, range: TimeRange)]] = [:]

  init(of threads: [TrackID], in windows: TimeRangeSet, _ context: FindingContext) {
    let workload = context.workload
    names = workload.names
    for thread in threads {
      let columns = context.trace.tracks[thread.index].spans
      for window in windows.ranges {
        for index in workload.timelines[thread.index].spanIndexes(in: window).indexes
        where !workload.waits[columns.labels[index]] {
          spans[names.representative(of: columns.labels[index]), default: []].append(
            (thread, columns[index].range.intersection(window)))
        }
      }
    }
  }

  /// The work that fills at least `minimum`, with its time, in which several threads at once count once.
  func filling(_ minimum: TimeSpan) -> [LabelID: TimeSpan] {
    spans.mapValues { TimeRangeSet(union: $0.map(\.range)).length }.filter { label, time in
      time >= minimum && !names[label].isFrameOfOtherWork && names[label].name?.isEmpty == false
    }
  }

  /// The shortest of the work that takes about as long as the longest: of nested spans, the innermost says most.
  static func longest(of times: [LabelID: TimeSpan]) -> LabelID? {
    let longest = times.values.max() ?? .zero
    return times.filter { $0.value.isPart(innerShare, of: longest) }
      .min { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// The threads that did the work, the one with most of it first.
  func threads(of label: LabelID) -> [TrackID] {
    Dictionary(grouping: spans[label] ?? [], by: \.thread)
      .mapValues { TimeRangeSet(union: $0.map(\.range)).length }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }
}

/// Work of other threads of the host that fills most of the windows of late frames, and much less of the time of
/// others.
struct WorkMeanwhile {
  /// The part of the windows that it must fill.
  private static let share = 0.5
  /// How many times as much of them as of the rest it must fill: threads that are always busy are beside every
  /// late frame.
  private static let factor = 2.0

  let work: WorkName
  /// The names of the threads that do it, the one with most of it first.
  let threads: [String]
  let time: TimeSpan

  /// Finds the work in `windows`, by spans, or else the function, by samples; returns `nil` if there is none.
  init?(in windows: [TimeRange], on surface: SurfaceAnalysis, _ context: FindingContext) {
    let trace = context.trace
    let late = TimeRangeSet(union: windows)
    let minimum = late.length.scaled(by: Self.share)
    let measured = TimeRangeSet(
      union: surface.interactions.isEmpty ? [trace.range] : surface.interactions.map(\.range))
    let withHitches = measured.intersection(
      TimeRangeSet(union: windows + surface.hitches.compactMap { $0.chargedAttribution?.window }))
    let rest = measured.length - withHitches.length
    guard minimum > .zero, rest > .zero else { return nil }
    func isMore(_ time: TimeSpan, _ other: TimeSpan) -> Bool {
      time.share(of: late.length) >= Self.factor * other.share(of: rest)
    }
    let own = trace.surfaces[surface.surface.index].frames.first?.track
    let others = context.workload.background.filter { $0 != own }
    let found = ThreadWork(of: others, in: late, context)
    let candidates = found.filling(minimum)
    let all = context.ranges(of: candidates, on: others)
    let more = candidates.filter { label, time in
      let ranges = all[label] ?? TimeRangeSet(union: [])
      let other =
        ranges.intersection(measured).length - ranges.intersection(withHitches).length
      return isMore(time, other)
    }
    if let label = ThreadWork.longest(of: more) {
      work = context.workload.names[label]
      threads = found.threads(of: label).map { trace.displayName(of: $0) }
      time = more[label] ?? .zero
      return
    }
    var best: (code: SampledCode, thread: TrackID)?
    for thread in others {
      guard let timeline = SampleTimeline(of: thread, in: trace),
        let code = timeline.code(in: late), code.time >= max(minimum, best?.code.time ?? .zero)
      else { continue }
      func sampled(in windows: TimeRangeSet) -> TimeSpan {
        timeline.samples(of: code.sampledFunction, in: Set(windows.ranges)).values
          .reduce(.zero) { $0 + $1.time }
      }
      if isMore(code.time, sampled(in: measured) - sampled(in: withHitches)) {
        best = (code, thread)
      }
    }
    guard let best else { return nil }
    (work, threads, time) = (best.code.work, [trace.displayName(of: best.thread)], best.code.time)
  }

  func fix(in toolkit: Toolkit?) -> Phrase {
    let topic = WorkTopic(work)
    if topic == .collection { return WorkTopic.allocateLess + "." }
    let draws =
      [.images, .textures, .shaders].contains(topic) || WorkTopic.draws(work)
      || threads.contains(where: \.isNameOfDrawingThread)
    return draws
      ? WorkTopic.fix(ofDrawing: work, in: toolkit)
      : "If these frames need its results, start it earlier, do less of it, or show a placeholder until it is"
        + " done. The main thread needs no change."
  }
}

extension FindingContext {
  /// The times of work on some threads.
  fileprivate func ranges(
    of work: [LabelID: TimeSpan], on threads: [TrackID]
  ) -> [LabelID: TimeRangeSet] {
    guard !work.isEmpty else { return [:] }
    var found: [LabelID: [TimeRange]] = [:]
    for thread in threads {
      for span in trace.tracks[thread.index].spans {
        let label = workload.names.representative(of: span.label)
        if work[label] != nil { found[label, default: []].append(span.range) }
      }
    }
    return found.mapValues { TimeRangeSet(union: $0) }
  }
}

extension SampleTimeline {
  /// The function that most of the time in `windows` is in, or `nil` if there is none, or the thread waits for
  /// events.
  func code(in windows: TimeRangeSet) -> SampledCode? {
    let code = account(of: windows).unrecorded
    return code.flatMap { !$0.isIdle && $0.isMost && $0.isFunction ? $0 : nil }
  }
}

extension Phrase.StringInterpolation {
  /// Adds the names of threads, once what several are named: `4 threads named worker and db`.
  mutating func appendInterpolation(threads names: [String]) {
    appendInterpolation(
      list: names.distinct.map { name in
        Phrase(thread: name, count: names.count { $0 == name })
      })
  }
}

extension Phrase {
  /// Creates the phrase of threads of one name.
  init(thread name: String, count: Int) {
    self = count > 1 ? "\(count) threads named \(name: name)" : "\(name: name)"
  }
}
