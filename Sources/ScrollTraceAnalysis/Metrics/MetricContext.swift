package import ScrollTraceModel

/// The data of one run that metrics of a surface, an interaction or a state are computed from.
package struct MetricContext {
  /// The counts of its frames.
  var counts: FrameCounts
  /// Its hitch time, or `nil` if no frame could be evaluated.
  package var hitchTime: TimeSpan?
  /// The time that the ratio is measured against.
  var duration: TimeSpan
  /// Main-thread and background work; `nil` for states.
  var work: WorkSums?
  /// The surface, where all of it is meant.
  var surface: SurfaceAnalysis?
  /// The surface by whose ledger the run can be evaluated.
  package var ratedSurface: SurfaceAnalysis?
  /// What other threads did while frames were late, where a whole surface is meant.
  var backgroundBusyDuringOverruns: TimeSpan?
  /// The long tasks of the main thread, where a whole surface is meant.
  var longTasks: LongTasks?
  /// The time that work was measured in, or `nil` if no whole surface is meant.
  var workWindow: TimeSpan?
  /// The run's lists if a whole surface is meant; empty if the trace names none.
  var lists: [ListAnalysis] = []

  /// A Boolean value indicating whether frames could be evaluated.
  package var isEvaluated: Bool { hitchTime != nil }

  /// The hitch time ratio in ms/s.
  var ratio: Double? {
    hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: duration) }?.millisecondsPerSecond
  }

  /// The work where any was recorded: silence is not the same as rest.
  var knownWork: WorkSums? { work.flatMap { $0.unionBusy > .zero ? $0 : nil } }

  /// What the main thread did by the system's own count, if no more than a twentieth of it is unknown.
  var knownThread: ThreadTimes? {
    (surface?.thread ?? work?.mainThread).flatMap {
      $0.unknown.nanoseconds <= $0.length.nanoseconds / 20 ? $0 : nil
    }
  }

  /// The frames of the time in which the thread was counted.
  var framesInMotion: Int? { (surface?.countsInMotion ?? counts).total }

  /// A number of all lists together, or `nil` if nothing was told of lists.
  func sum(overLists value: (ListAnalysis) -> Int) -> Double? {
    lists.isEmpty ? nil : lists.reduce(0) { $0 + Double(value($1)) }
  }

  /// Busy time in each second that work was measured in.
  func perSecond(_ busy: TimeSpan?) -> MetricValue? {
    guard let busy, let workWindow, workWindow > .zero else { return nil }
    return .millisecondsPerSecond(busy.milliseconds / workWindow.seconds)
  }

  /// Creates the context of `subject` in `run`, or `nil` if the run lacks it.
  ///
  /// - Parameter primary: The name of the surface that gives the verdict on several runs, or `nil` if
  ///   each run's own does.
  package init?(of subject: MetricSubject, in run: Analysis, primary: String? = nil) {
    let evaluated =
      primary.map { name in run.selectedSurfaces.first { $0.name == name } }
      ?? run.evaluatedPrimarySurface
    switch subject {
    case .primary:
      // What needs no evaluation is known of a surface that could not be evaluated, too.
      guard let surface = primary == nil ? run.primarySurface : evaluated else { return nil }
      self.init(surface, in: run)
    case .surface(let text):
      let pattern = NamePattern(text)
      let fitting = run.surfaces.filter { pattern.matches($0.name) }
      let primary = evaluated?.surface
      guard
        let surface = fitting.first(where: { $0.surface == primary })
          ?? fitting.first(where: \.isEvaluated) ?? fitting.first
      else { return nil }
      self.init(surface, in: run)
    case .interaction(let text):
      let pattern = NamePattern(text)
      let fitting = (evaluated?.interactions ?? []).filter {
        pattern.matches($0.kind) || (!$0.name.isEmpty && pattern.matches($0.name))
      }
      guard let first = fitting.first else { return nil }
      self.init(first)
      for interaction in fitting.dropFirst() { add(MetricContext(interaction)) }
      ratedSurface = evaluated
    case .state(let key, let value):
      guard
        let state = evaluated?.states.first(where: { $0.key == key && $0.value == value })
      else { return nil }
      self.init(counts: state.counts, hitchTime: state.hitchTime, duration: state.duration)
      ratedSurface = evaluated
    }
  }

  private init(counts: FrameCounts, hitchTime: TimeSpan?, duration: TimeSpan) {
    self.counts = counts
    self.hitchTime = hitchTime
    self.duration = duration
  }

  /// Creates the context of a surface and the work of its run.
  ///
  /// - Parameter surface: The surface, or `nil` for the work alone.
  package init(_ surface: SurfaceAnalysis?, in run: Analysis) {
    self.init(
      counts: surface?.counts ?? FrameCounts(hitches: 0), hitchTime: surface?.hitchTime,
      duration: surface?.measuredTime.duration ?? .zero)
    self.surface = surface
    ratedSurface = surface
    work = run.work.sums
    workWindow = run.work.window.duration
    backgroundBusyDuringOverruns = run.work.backgroundBusyDuringOverruns
    longTasks = run.work.longTasks
    lists = run.lists
  }

  private init(_ interaction: InteractionAnalysis) {
    self.init(
      counts: interaction.counts, hitchTime: interaction.hitchTime,
      duration: interaction.range.length)
    work = interaction.work
  }

  /// Adds what another interaction knows: sums are added, ratios come from them.
  private mutating func add(_ other: MetricContext) {
    func sum(_ left: Int?, _ right: Int?) -> Int? {
      left.flatMap { left in right.map { left + $0 } }
    }
    counts.hitches += other.counts.hitches
    counts.total = sum(counts.total, other.counts.total)
    counts.deadlineMisses = sum(counts.deadlineMisses, other.counts.deadlineMisses)
    counts.refreshesMissed = sum(counts.refreshesMissed, other.counts.refreshesMissed)
    counts.presented = sum(counts.presented, other.counts.presented)
    counts.dropped = sum(counts.dropped, other.counts.dropped)
    counts.lateWithoutHitch = sum(counts.lateWithoutHitch, other.counts.lateWithoutHitch)
    hitchTime = hitchTime.flatMap { time in other.hitchTime.map { time + $0 } }
    duration += other.duration
    guard let left = work, let right = other.work else { return }
    work = WorkSums(
      mainBusy: left.mainBusy.flatMap { time in right.mainBusy.map { time + $0 } },
      mainWaiting: left.mainWaiting.flatMap { time in right.mainWaiting.map { time + $0 } },
      backgroundBusy: left.backgroundBusy + right.backgroundBusy,
      backgroundWaiting: left.backgroundWaiting + right.backgroundWaiting,
      unionBusy: left.unionBusy + right.unionBusy)
    work?.mainThread = left.mainThread.flatMap { times in right.mainThread.map { times + $0 } }
  }
}
