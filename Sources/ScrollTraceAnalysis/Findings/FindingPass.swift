import ScrollTraceModel

/// Concludes from what was measured what would help (M-19).
struct FindingPass {
  let trace: Trace
  let options: AnalysisOptions
  let surfaces: [SurfaceAnalysis]
  let lists: [ListAnalysis]
  let late: LateWindows
  /// The part of the recording that counts.
  let selection: SelectionResolution

  /// All findings, what costs most hitch time first; none where there is nothing to say.
  func findings() -> [Finding] {
    var found: [Finding] = []
    let spare = IdleTimes(of: surfaces, before: late)
    for list in lists {
      found += lateWork(of: list, spare)
      found += reloads(of: list)
      found += waste(of: list)
      found += contents(of: list)
    }
    for surface in surfaces where surface.isEvaluated {
      found += causes(of: surface)
      found += frameSpacing(of: surface)
    }
    found += heavyWillDisplay()
    found += recording()
    return Self.withoutRepeats(found.sorted { $0.comesBefore($1) })
  }

  /// Without work that was named for another surface already, where it costs more.
  private static func withoutRepeats(_ findings: [Finding]) -> [Finding] {
    var named: Set<[String]> = []
    return findings.filter { finding in
      guard case .longTask(let category, let name, _) = finding.kind else { return true }
      return named.insert([category, name]).inserted
    }
  }

  // MARK: - The recording

  /// What keeps the numbers from being trusted, where the next recording can do better.
  private func recording() -> [Finding] {
    var found: [Finding] = []
    let primary = surfaces.filter(\.isEvaluated).max {
      ($0.counts.evaluated ?? 0) < ($1.counts.evaluated ?? 0)
    }
    if let primary, let evaluated = primary.counts.evaluated, evaluated > 0,
      evaluated < NoticePass.fewFrames
    {
      found.append(
        Finding(
          kind: .fewFrames, subject: .surface(primary.name),
          evidence: Finding.Evidence(count: evaluated)))
    }
    let causes: Set<Loss.Cause> = [
      .recorderOutOfSpace, .recordTooLarge, .recordedAfterClose, .sourceDroppedRecords,
    ]
    let lost = trace.losses.filter { causes.contains($0.cause) }.reduce(into: 0) {
      $0.add(upToMost: Int(clamping: $1.count))
    }
    if lost > 0 {
      found.append(
        Finding(
          kind: .dataLoss, subject: .trace, evidence: Finding.Evidence(count: lost)))
    }
    return found
  }

  // MARK: - Work in late frames

  /// Work of one kind in late frames, as far as it fills a part of them that counts.
  struct LateWork {
    /// What findings say of it.
    let evidence: Finding.Evidence
    /// The windows, with what fills them.
    let sums: [WindowSums.Sum]
    /// The arguments of the longest piece.
    let longest: ArgumentListID
  }

  /// What of `work` fills a part of a late frame that counts; `nil` where nothing does.
  func lateWork(_ work: WindowSums, where isCounted: (WindowSums.Sum) -> Bool = { _ in true })
    -> LateWork?
  {
    let sums = work.merged.sums.filter { sum in
      let window = late.windows[sum.window].range.length
      return Self.isPart(FindingThresholds.share, sum.total, of: window) && isCounted(sum)
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

  /// Whether `part` is at least `share` of `whole`.
  static func isPart(_ share: Double, _ part: TimeSpan, of whole: TimeSpan) -> Bool {
    part > .zero && Double(part.nanoseconds) >= share * Double(whole.nanoseconds)
  }

  /// `part` of `whole`, 0 ... 1.
  static func share(_ part: TimeSpan, of whole: TimeSpan) -> Double {
    whole > .zero ? Double(part.nanoseconds) / Double(whole.nanoseconds) : 0
  }
}
