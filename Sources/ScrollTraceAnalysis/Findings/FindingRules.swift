import ScrollTraceModel

/// All rules for findings.
package enum FindingRules {
  /// The rules, the most severe first: rules about frames, then those about what nobody saw, then
  /// those about the recording. A rule may examine the findings of those before it.
  static let all: [any FindingRule] = [
    EndlessFrame(), DecodeOnMainThread(), LoadOnMainThread(), NoReuse(), SnapshotReload(),
    ReloadInsteadOfReconfigure(), PreparedOnDemandWhileIdle(), Jumps(), HeavyWillDisplay(),
    ExpensiveItem(), ExpensiveCells(), LongTask(), ThrottledDevice(), HeavyUnrecordedCode(),
    MachineOverloaded(),
    BackgroundHoldsCores(), BlockedOnMainThread(), LateStart(), HitchesWhileIdle(),
    RenderHitches(), UnrecordedWork(), SteadilySlowFrames(), StaleResultInReusedCell(), LateData(),
    BlankCells(), PrefetchNotCancelled(), PrefetchedNeverDisplayed(),
    PreparedNeverDisplayed(),
    InaccurateSizeEstimates(), LowHeadroom(), DataLoss(), FewFrames(),
  ]

  /// The identifiers of all rules, the most severe first.
  package static let ids: [FindingID] = all.map { type(of: $0).id }

  private static let ranks = Dictionary(
    ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the findings of all rules in order.
  static func findings(in context: FindingContext) -> [Finding] {
    var context = context
    for rule in all { context.found += rule.findings(in: context) }
    return ordered(context.found)
  }

  /// Returns findings in the order of a report: time off a core, or a state of the device, that is the
  /// main cause, then by the hitch time that their change removes, then by their hitch time, then by their
  /// duration, then by severity (M-19).
  package static func ordered(_ findings: [Finding]) -> [Finding] {
    findings.stablySorted(by: comesBefore)
  }

  private static func comesBefore(_ left: Finding, _ right: Finding) -> Bool {
    if left.details.isMainCause != right.details.isMainCause { return left.details.isMainCause }
    let removals = (left.replayedRemoval ?? .zero, right.replayedRemoval ?? .zero)
    if removals.0 != removals.1 { return removals.0 > removals.1 }
    let (evidence, other) = (left.evidence, right.evidence)
    if evidence.hitchTime != other.hitchTime { return evidence.hitchTime > other.hitchTime }
    let totals = (evidence.total ?? .zero, other.total ?? .zero)
    if totals.0 != totals.1 { return totals.0 > totals.1 }
    let places = (ranks[left.id] ?? all.count, ranks[right.id] ?? all.count)
    if places.0 != places.1 { return places.0 < places.1 }
    let (work, otherWork) = (left.details.work, right.details.work)
    return (
      left.subject.rank, left.subject.name, work?.category ?? "", work?.name ?? ""
    ) < (
      right.subject.rank, right.subject.name, otherWork?.category ?? "", otherWork?.name ?? ""
    )
  }
}
