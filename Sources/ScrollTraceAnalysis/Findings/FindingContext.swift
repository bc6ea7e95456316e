import ScrollTraceModel

/// The measurements that rules for findings examine.
struct FindingContext {
  let trace: Trace
  let options: AnalysisOptions
  let surfaces: [SurfaceAnalysis]
  let lists: [ListAnalysis]
  /// The windows of hitches that main-thread work can have caused.
  let late: LateWindows
  /// The part of the recording that counts.
  let selection: SelectionResolution
  /// The work of each track.
  let workload: TrackWorkload
  /// What sampled stacks say, or `nil` if there are none.
  let samples: SampleAnalysis?
  /// The idle time before each window of `late`.
  let idle: IdleTimes
  /// The findings of the rules before this one.
  var found: [Finding] = []

  /// Creates a context.
  init(
    trace: Trace, options: AnalysisOptions, surfaces: [SurfaceAnalysis], lists: [ListAnalysis],
    late: LateWindows, selection: SelectionResolution, workload: TrackWorkload,
    samples: SampleAnalysis?
  ) {
    self.trace = trace
    self.options = options
    self.surfaces = surfaces
    self.lists = lists
    self.late = late
    self.selection = selection
    self.workload = workload
    self.samples = samples
    idle = IdleTimes(of: surfaces, before: late)
  }

  /// The surfaces whose frames were evaluated.
  var evaluatedSurfaces: [SurfaceAnalysis] { surfaces.filter(\.isEvaluated) }

  /// Returns a Boolean value indicating whether an earlier rule found something about `work`.
  func hasFinding(_ id: FindingID, about work: WorkName) -> Bool {
    found.contains { $0.id == id && $0.details.work == work }
  }

  // MARK: - Work in late frames

  /// Work of one kind in late frames that fills enough of them to count.
  struct LateWork {
    /// The evidence for findings.
    let evidence: Finding.Evidence
    /// The windows, with the work that fills them.
    let sums: [WindowSums.Sum]
    /// The arguments of the longest occurrence.
    let longest: ArgumentListID
  }

  /// Returns the part of `work` that fills enough of a late frame, or `nil` if there is none.
  func lateWork(_ work: WindowSums, where isCounted: (WindowSums.Sum) -> Bool = { _ in true })
    -> LateWork?
  {
    let sums = work.merged.sums.filter { sum in
      let window = late.windows[sum.window].range.length
      return !late.windows[sum.window].isOffCore
        && Self.isPart(FindingThresholds.lateFrameShare.value, sum.total, of: window)
        && isCounted(sum)
    }
    guard let worst = sums.max(by: { ($0.total, $1.window) < ($1.total, $0.window) }),
      let longest = sums.max(by: { ($0.longest, $1.window) < ($1.longest, $0.window) })
    else { return nil }
    let window = late.windows[worst.window]
    let evidence = Finding.Evidence(
      count: sums.reduce(0) { $0 + $1.count }, total: sums.reduce(.zero) { $0 + $1.total },
      hitches: sums.reduce(0) { $0 + late.windows[$1.window].hitches },
      hitchTime: sums.reduce(.zero) { $0 + late.windows[$1.window].hitchTime },
      worst: Finding.Occurrence(frame: window.frame, time: window.range.start))
    return LateWork(evidence: evidence, sums: sums, longest: longest.arguments)
  }

  /// Returns the item that arguments name, as the source writes it, or `nil` if they name none.
  func item(of arguments: ArgumentListID) -> String? {
    guard let key = trace.strings.firstID(of: "item") else { return nil }
    return trace.arguments.value(of: key, in: arguments).map(trace.text)
  }

  // MARK: - Shares and counts

  /// Returns the evidence of occurrences if there are at least `least` and more than `share` of `all`.
  func evidence(
    of seen: DurationStatistics, of all: Int, share: Double, least: Int
  ) -> Finding.Evidence? {
    guard seen.count >= least, Double(seen.count) > share * Double(all) else { return nil }
    var evidence = Finding.Evidence(count: seen.count)
    evidence.total = seen.total > .zero ? seen.total : nil
    evidence.worst = seen.worst.map { Finding.Occurrence(frame: nil, time: $0) }
    return evidence
  }

  /// Returns a Boolean value indicating whether `part` is at least `share` of `whole`.
  static func isPart(_ share: Double, _ part: TimeSpan, of whole: TimeSpan) -> Bool {
    part > .zero && Double(part.nanoseconds) >= share * Double(whole.nanoseconds)
  }

  /// Returns `part` of `whole`, 0 to 1.
  static func share(_ part: TimeSpan, of whole: TimeSpan) -> Double {
    whole > .zero ? Double(part.nanoseconds) / Double(whole.nanoseconds) : 0
  }
}
