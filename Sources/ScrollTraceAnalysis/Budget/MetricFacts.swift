import ScrollTraceModel

/// What one run knows of a budget's subject.
struct MetricFacts {
  /// The counts of its frames.
  var counts: FrameCounts
  /// Its hitch time; `nil` where no frame could be judged.
  var hitchTime: TimeSpan?
  /// The time that the ratio is measured against.
  var duration: TimeSpan
  /// Main-thread and background work; `nil` for states.
  var work: WorkSums?
  /// The surface, where all of it is meant.
  var surface: SurfaceAnalysis?
  /// The surface by whose ledger the run can be evaluated.
  var ratedSurface: SurfaceAnalysis?
  /// What other threads did while frames were late, where a whole surface is meant.
  var backgroundWhileLate: TimeSpan?
  /// The long tasks of the main thread, where a whole surface is meant.
  var longTasks: LongTasks?
  /// What the run's lists did, where a whole surface is meant; empty where nothing was told of them.
  var lists: [ListAnalysis] = []

  /// Whether frames could be judged.
  var isJudged: Bool { hitchTime != nil }

  /// The hitch time ratio in ms/s.
  var ratio: Double? {
    hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: duration) }?.millisecondsPerSecond
  }

  /// The work where any was recorded: silence is not the same as rest.
  var knownWork: WorkSums? { work.flatMap { $0.unionBusy > .zero ? $0 : nil } }

  /// A number of all lists together; `nil` where nothing was told of lists.
  func sum(overLists value: (ListAnalysis) -> Int) -> Double? {
    lists.isEmpty ? nil : lists.reduce(0) { $0 + Double(value($1)) }
  }

  /// What `run` knows of `subject`; `nil` where it has no such thing.
  ///
  /// - Parameter primary: The name of the surface that gives the verdict on several runs; `nil` if
  ///   each run's own does.
  init?(of subject: BudgetSubject, in run: Analysis, primary: String? = nil) {
    let leadingSurface =
      primary.map { name in run.selectedSurfaces.first { $0.name == name } } ?? run.leadingSurface
    switch subject {
    case .leading:
      // What needs no evaluation is known of a surface that could not be evaluated, too.
      guard let surface = primary == nil ? run.toldSurface : leadingSurface else { return nil }
      self.init(surface, in: run)
    case .surface(let text):
      let pattern = NamePattern(text)
      let fitting = run.surfaces.filter { pattern.matches($0.name) }
      let leading = leadingSurface?.surface
      guard
        let surface = fitting.first(where: { $0.surface == leading })
          ?? fitting.first(where: \.isJudged) ?? fitting.first
      else { return nil }
      self.init(surface, in: run)
    case .interaction(let text):
      let pattern = NamePattern(text)
      let fitting = (leadingSurface?.interactions ?? []).filter {
        pattern.matches($0.kind) || (!$0.name.isEmpty && pattern.matches($0.name))
      }
      guard let first = fitting.first else { return nil }
      self.init(first)
      for interaction in fitting.dropFirst() { add(MetricFacts(interaction)) }
      ratedSurface = leadingSurface
    case .state(let key, let value):
      guard
        let state = leadingSurface?.states.first(where: { $0.key == key && $0.value == value })
      else { return nil }
      self.init(counts: state.counts, hitchTime: state.hitchTime, duration: state.duration)
      ratedSurface = leadingSurface
    }
  }

  private init(counts: FrameCounts, hitchTime: TimeSpan?, duration: TimeSpan) {
    self.counts = counts
    self.hitchTime = hitchTime
    self.duration = duration
  }

  private init(_ surface: SurfaceAnalysis, in run: Analysis) {
    self.init(
      counts: surface.counts, hitchTime: surface.hitchTime,
      duration: surface.denominator.duration)
    self.surface = surface
    ratedSurface = surface
    work = run.work.sums
    backgroundWhileLate = run.work.backgroundWhileLate
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
  private mutating func add(_ other: MetricFacts) {
    func sum(_ left: Int?, _ right: Int?) -> Int? {
      left.flatMap { left in right.map { left + $0 } }
    }
    counts.hitches += other.counts.hitches
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
  }
}
