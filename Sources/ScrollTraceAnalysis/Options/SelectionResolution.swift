import ScrollTraceModel

/// The selected time in a trace.
///
/// The selection determines what is counted, but not what is evaluated: gaps and pipelines are
/// evaluated as a whole.
struct SelectionResolution {
  /// The selected time, or `nil` if everything is selected. A selection up to the end of the
  /// recording includes its last instant.
  let time: TimeRangeSet?
  /// The selected time within the recording, or `nil` if everything is selected.
  let shownTime: TimeRangeSet?
  let problem: SelectionProblem?

  static let everything = SelectionResolution()

  private init() {
    (time, shownTime, problem) = (nil, nil, nil)
  }

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
      let held = timeline?.ranges(until: limit)[state.value]
      if held == nil { problem = problem ?? .unknown(state, among: timelines) }
      time = time.intersection(held ?? TimeRangeSet(union: []))
    }
    self.time = time
    shownTime = time.intersection(TimeRangeSet(union: [trace.range]))
    self.problem = problem
  }

  /// Returns whether a time is selected. Events without a time are selected only with everything.
  func holds(_ instant: Timestamp?) -> Bool {
    guard let time else { return true }
    return instant.map { time.index(containing: $0) != nil } ?? false
  }

  /// Returns whether an event at `instant` that was visible in `range` is selected.
  func holds(_ instant: Timestamp?, orPartOf range: TimeRange) -> Bool {
    guard let time else { return true }
    return holds(instant) || time.coveredLength(of: range) > .zero
  }

  func part(of ranges: TimeRangeSet) -> TimeRangeSet { time?.intersection(ranges) ?? ranges }

  func part(of ranges: [TimeRange]) -> TimeRangeSet { part(of: TimeRangeSet(union: ranges)) }

  /// The interactions that can be selected: those of the surface, if one is given.
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
    let known = all.flatMap { [$0.kind, $0.name] }.filter { !$0.isEmpty }.distinct
    return .unknownInteraction(word, count: all.count, known: known)
  }

  fileprivate static func unknown(
    _ state: AnalysisOptions.State, among timelines: [StateTimeline]
  ) -> SelectionProblem {
    let known = timelines.flatMap { timeline in
      timeline.values.map { AnalysisOptions.State(key: timeline.key, value: $0) }
    }
    // If the state exists, only its own values are useful alternatives.
    let same = known.filter { $0.key == state.key }
    return .unknownState(state, known: same.isEmpty ? known : same)
  }
}
