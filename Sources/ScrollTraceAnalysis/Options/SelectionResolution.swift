import ScrollTraceModel

/// The time that a selection stands for in one trace.
///
/// It decides what is counted, never what is evaluated: gaps and pipelines are seen whole.
struct SelectionResolution {
  /// The selected time, or `nil` if nothing narrows it. A selection that reaches the end of the
  /// recording holds its last instant too.
  let time: TimeRangeSet?
  /// The same inside the recording.
  let shownTime: TimeRangeSet?
  /// What is selected and not there.
  let problem: SelectionProblem?

  /// All of the time.
  static let everything = SelectionResolution()

  private init() {
    (time, shownTime, problem) = (nil, nil, nil)
  }

  /// The selection of `options` in `trace`.
  init(
    of trace: Trace, options: AnalysisOptions, interactions: InteractionResolution,
    timelines: [StateTimeline]
  ) {
    let selection = options.selection
    let limit = trace.range.end + TimeSpan(nanoseconds: 1)
    var problem: SelectionProblem?
    if let name = selection.surface, !trace.surfaces.contains(where: { $0.name == name }) {
      problem = .unknownSurface(name, known: trace.surfaces.map(\.name))
    }
    guard selection.narrowsTime else {
      (time, shownTime, self.problem) = (nil, nil, problem)
      return
    }
    let length = trace.range.length
    let from = min(max(.zero, selection.from ?? .zero), length + TimeSpan(nanoseconds: 1))
    let to = selection.to.map { max(.zero, $0) }.flatMap { $0 < length ? $0 : nil }
    var time = TimeRangeSet(union: [
      TimeRange(start: trace.range.start + from, end: to.map { trace.range.start + $0 } ?? limit)
    ])
    if let word = selection.interaction {
      let all = Self.candidates(interactions, of: selection.surface, in: trace)
      let chosen = Self.chosen(all, by: word)
      if chosen.isEmpty { problem = problem ?? .unknown(word, among: all) }
      time = time.intersection(
        TimeRangeSet(union: chosen.map { TimeRange(start: $0.start, end: $0.end ?? limit) }))
    }
    for state in selection.states {
      let timeline = timelines.first { $0.key == state.key }
      let held = timeline?.stretches(until: limit)[state.value]
      if held == nil { problem = problem ?? .unknown(state, among: timelines) }
      time = time.intersection(held ?? TimeRangeSet(union: []))
    }
    self.time = time
    shownTime = time.intersection(TimeRangeSet(union: [trace.range]))
    self.problem = problem
  }

  /// Whether `instant` is selected; what has no place in time is so only where everything is.
  func holds(_ instant: Timestamp?) -> Bool {
    guard let time else { return true }
    return instant.map { time.index(containing: $0) != nil } ?? false
  }

  /// Whether something that happened at `place` and was seen in `range` counts.
  func holds(_ place: Timestamp?, orPartOf range: TimeRange) -> Bool {
    guard let time else { return true }
    return holds(place) || time.coveredLength(of: range) > .zero
  }

  /// The selected part of some ranges.
  func part(of ranges: TimeRangeSet) -> TimeRangeSet { time?.intersection(ranges) ?? ranges }

  /// The selected part of a range.
  func part(of ranges: [TimeRange]) -> TimeRangeSet { part(of: TimeRangeSet(union: ranges)) }

  /// The interactions that can be selected: those of the surface, where one is named.
  private static func candidates(
    _ interactions: InteractionResolution, of surface: String?, in trace: Trace
  ) -> [Interaction] {
    let id = trace.numberedSurfaces.first { $0.surface.name == surface }?.id
    return id.map { interactions.interactions(of: $0) } ?? interactions.interactions
  }

  private static func chosen(_ all: [Interaction], by word: String) -> [Interaction] {
    let named = all.filter { $0.kind == word || (!$0.name.isEmpty && $0.name == word) }
    guard named.isEmpty, let number = Int(word), all.indices.contains(number - 1) else {
      return named
    }
    return [all[number - 1]]
  }
}

extension SelectionProblem {
  fileprivate static func unknown(_ word: String, among all: [Interaction]) -> SelectionProblem {
    var known: [String] = []
    var seen: Set<String> = []
    for word in all.flatMap({ [$0.kind, $0.name] }) where !word.isEmpty {
      if seen.insert(word).inserted { known.append(word) }
    }
    return .unknownInteraction(word, count: all.count, known: known)
  }

  fileprivate static func unknown(
    _ state: AnalysisOptions.State, among timelines: [StateTimeline]
  ) -> SelectionProblem {
    let known = timelines.flatMap { timeline in
      timeline.values.map { AnalysisOptions.State(key: timeline.key, value: $0) }
    }
    // Of a state that is there only its own values help.
    let same = known.filter { $0.key == state.key }
    return .unknownState(state, known: same.isEmpty ? known : same)
  }
}
