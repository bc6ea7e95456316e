import ScrollTraceModel

/// The stable identifier of a rule and its findings, as JSON has it.
package enum FindingID: String, Sendable {
  case backgroundHoldsCores, blankCells, dataLoss, decodeOnMainThread, endlessFrame
  case expensiveCells, expensiveItem, fewFrames, heavyWillDisplay, hitchesWhileIdle
  case inaccurateSizeEstimates, jumps, lateData, lateStart, loadOnMainThread, longSnapshot
  case longTask, lowHeadroom, machineOverloaded, noReuse, prefetchNotCancelled
  case prefetchedNeverDisplayed, preparedNeverDisplayed, preparedOnDemandWhileIdle
  case reloadInsteadOfReconfigure, renderHitches, slowEveryFrame, slowThread, snapshotReload
  case staleResultInReusedCell, steadilySlowFrames, throttledDevice, unrecordedCode
  case unrecordedWork, waitOnMainThread
}

package enum FindingRules {
  /// The rules. Of equal findings, those of earlier rules come first, and a rule may examine the findings of
  /// those before it: first what names the slow thing, then how it is organized, then what the app cannot
  /// change, then what costs no hitch time.
  static let all: [any FindingRule] = [
    EndlessFrame(), ThrottledDevice(), SlowThread(), DecodeOnMainThread(), LoadOnMainThread(),
    NoReuse(),
    LongSnapshot(),
    SnapshotReload(), ReloadInsteadOfReconfigure(), Jumps(), HeavyWillDisplay(), ExpensiveItem(),
    ExpensiveCells(), WaitOnMainThread(), SlowEveryFrame(), LongTask(), HeavyUnrecordedCode(),
    UnrecordedWork(), PreparedOnDemandWhileIdle(),
    HitchesWhileIdle(), LateStart(), RenderHitches(), BackgroundHoldsCores(), MachineOverloaded(),
    SteadilySlowFrames(), StaleResultInReusedCell(), LateData(), BlankCells(),
    PrefetchNotCancelled(), PrefetchedNeverDisplayed(), PreparedNeverDisplayed(),
    InaccurateSizeEstimates(), LowHeadroom(), DataLoss(), FewFrames(),
  ]

  package static let ids: [FindingID] = all.map { type(of: $0).id }

  private static let ranks = Dictionary(
    ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the findings of all rules in order, and the notice beside them that the machine was busy.
  static func findings(
    in context: FindingContext
  ) -> (findings: [Finding], notices: [AnalysisNotice]) {
    var context = context
    for rule in all { context.found += rule.findings(in: context) }
    return (ordered(context.found), NoFreeCore.notices(in: context))
  }

  /// Returns findings in the order of a report (M-19): by removable hitch time, those that differ by less
  /// than a twentieth by certainty, then by their duration, then by rule.
  static func ordered(_ findings: [Finding]) -> [Finding] {
    groups(findings, by: \.weight).flatMap { equal in
      Dictionary(grouping: equal, by: \.certainty.rawValue).sorted { $0.key < $1.key }.flatMap {
        groups($0.value) { $0.measures.total ?? .zero }
          .flatMap { $0.stablySorted(by: comesBefore) }
      }
    }
  }

  /// Returns findings in groups, the longest time first, whose times differ by less than a twentieth.
  private static func groups(
    _ findings: [Finding], by time: (Finding) -> TimeSpan
  ) -> [[Finding]] {
    var rest = findings.stablySorted { left, right in
      if time(left) != time(right) { return time(left) > time(right) }
      return comesBefore(left, right)
    }[...]
    var groups: [[Finding]] = []
    while let longest = rest.first.map(time)?.nanoseconds {
      let equal = rest.prefix { time($0).nanoseconds >= longest - longest / 20 }
      groups.append(Array(equal))
      rest = rest.dropFirst(equal.count)
    }
    return groups
  }

  /// Whether one of two findings that are equal otherwise comes first.
  private static func comesBefore(_ left: Finding, _ right: Finding) -> Bool {
    let order = (ranks[left.id] ?? all.count, ranks[right.id] ?? all.count)
    if order.0 != order.1 { return order.0 < order.1 }
    return (left.subject.rank, left.subject.name, left.cause?.order ?? "")
      < (right.subject.rank, right.subject.name, right.cause?.order ?? "")
  }
}
