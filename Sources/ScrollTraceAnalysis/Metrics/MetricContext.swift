package import ScrollTraceModel

/// The data of one run that metrics of a surface, an interaction or a state are computed from.
package struct MetricContext {
  var counts: FrameCounts
  /// The hitch time, or `nil` if no frame could be evaluated.
  package var hitchTime: TimeSpan?
  /// The measured time of the ratio.
  var duration: TimeSpan
  /// Main-thread and background work, or `nil` for states.
  var work: WorkSums?
  /// The surfaces of the run, whose storage contexts of many runs share with their runs.
  private var surfaces: [SurfaceAnalysis] = []
  private var surfaceIndex: Int?
  private var ratedIndex: Int?
  /// The background work during overruns, or `nil` if the subject is not a whole surface.
  var backgroundBusyDuringOverruns: TimeSpan?
  /// The long tasks of the main thread, or `nil` if the subject is not a whole surface.
  var longTasks: LongTasks?
  /// The time in which work was measured, or `nil` if the subject is not a whole surface.
  var workWindow: TimeSpan?
  /// The run's lists if the subject is a whole surface.
  var lists: [ListAnalysis] = []

  /// The surface, or `nil` if the subject is not a whole surface.
  var surface: SurfaceAnalysis? { surfaceIndex.map { surfaces[$0] } }

  /// The surface whose ledger applies to the run.
  package var ratedSurface: SurfaceAnalysis? { ratedIndex.map { surfaces[$0] } }

  package var isEvaluated: Bool { hitchTime != nil }

  /// The hitch time ratio in ms/s.
  var ratio: Double? {
    HitchTimeRatio(hitchTime: hitchTime, duration: duration)?.millisecondsPerSecond
  }

  /// What the main thread did by the system's own count, if no more than a tenth of it is unknown.
  var knownThread: ThreadTimes? {
    (surface?.thread ?? work?.mainThread).flatMap {
      $0.unknown.nanoseconds <= $0.length.nanoseconds / 10 ? $0 : nil
    }
  }

  /// The frames of the time in which the thread was counted.
  var framesInMotion: Int? { (surface?.countsInMotion ?? counts).total }

  /// The sum over all lists, or `nil` if the trace contains none.
  func sum(overLists value: (ListAnalysis) -> Int) -> Double? {
    lists.isEmpty ? nil : lists.reduce(0) { $0 + Double(value($1)) }
  }

  /// The busy time per second of the measured time.
  func perSecond(_ busy: TimeSpan?) -> MetricValue? {
    guard let busy, let workWindow, workWindow > .zero else { return nil }
    return .millisecondsPerSecond(busy.milliseconds / workWindow.seconds)
  }

  /// Creates the context of `subject` in `run`, or returns `nil` if the run lacks it.
  ///
  /// - Parameters:
  ///   - subject: The part of the run.
  ///   - run: The run.
  ///   - primary: The surface that gives the verdict on several runs, or `nil` if each run's own
  ///     does.
  package init?(of subject: MetricSubject, in run: Analysis, primary: String? = nil) {
    let evaluated =
      primary.map { name in run.selectedSurfaces.first { $0.name == name } }
      ?? run.evaluatedPrimarySurface
    switch subject {
    case .primary:
      // Metrics that need no evaluation also exist for a surface that could not be evaluated.
      guard let surface = primary == nil ? run.primarySurface : evaluated else { return nil }
      self.init(surface, in: run)
    case .surface(let text):
      let pattern = NamePattern(text)
      let fitting = run.surfaces.filter { pattern.matches($0.name) }
      let primary = evaluated?.surface
      guard
        let surface = fitting.first(where: { $0.name == text })
          ?? fitting.first(where: { $0.surface == primary })
          ?? fitting.first(where: \.isEvaluated) ?? fitting.first
      else { return nil }
      self.init(surface, in: run)
    case .interaction(let text):
      let pattern = NamePattern(text)
      let fitting = (evaluated?.interactions ?? []).filter {
        pattern.matches($0.kind) || (!$0.name.isEmpty && pattern.matches($0.name))
      }
      guard let sums = evaluated?.sums(over: fitting) else { return nil }
      let isKnown = fitting.allSatisfy { $0.hitchTime != nil }
      self.init(
        counts: sums.counts, hitchTime: isKnown ? sums.hitchTime : nil, duration: sums.duration)
      work = sums.work
      rate(evaluated, in: run)
    case .state(let key, let value):
      guard
        let state = evaluated?.states.first(where: { $0.key == key && $0.value == value })
      else { return nil }
      self.init(counts: state.counts, hitchTime: state.hitchTime, duration: state.duration)
      rate(evaluated, in: run)
    }
  }

  private init(counts: FrameCounts, hitchTime: TimeSpan?, duration: TimeSpan) {
    self.counts = counts
    self.hitchTime = hitchTime
    self.duration = duration
  }

  /// Creates the context of a surface and the work of its run.
  ///
  /// - Parameters:
  ///   - surface: The surface, or `nil` for the work alone.
  ///   - run: The run.
  package init(_ surface: SurfaceAnalysis?, in run: Analysis) {
    self.init(
      counts: surface?.counts ?? FrameCounts(), hitchTime: surface?.hitchTime,
      duration: surface?.measuredTime.duration ?? .zero)
    rate(surface, in: run)
    surfaceIndex = ratedIndex
    work = run.work.sums
    workWindow = run.work.window.duration
    backgroundBusyDuringOverruns = run.work.backgroundBusyDuringOverruns
    longTasks = run.work.longTasks
    lists = run.lists
  }

  private mutating func rate(_ surface: SurfaceAnalysis?, in run: Analysis) {
    surfaces = run.surfaces
    ratedIndex = surface.flatMap { surface in
      surfaces.firstIndex { $0.surface == surface.surface }
    }
  }
}
