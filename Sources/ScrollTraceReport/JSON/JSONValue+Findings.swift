import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONValue {
  /// A finding in a trace that starts at `start`.
  static func finding(_ finding: Finding, from start: Timestamp) -> JSONValue {
    let words = FindingMessages(start: start)
    let (surface, list): (String?, String?) =
      switch finding.subject {
      case .surface(let name): (name, nil)
      case .list(let name): (nil, name)
      case .trace: (nil, nil)
      }
    let evidence = finding.evidence
    return .object(
      [
        ("kind", .string(JSONWord.kind(of: finding))),
        ("surface", .name(surface)), ("list", .name(list)),
        ("count", .count(evidence.count)), ("totalNs", .nanoseconds(evidence.total)),
        ("hitches", .count(evidence.hitches)), ("hitchTimeNs", .nanoseconds(evidence.hitchTime)),
        ("predictedRemovedNs", .nanoseconds(finding.predictedRemoval)),
        ("worstFrame", evidence.worst?.frame.map { .unsigned($0) } ?? .null),
        ("worstAtNs", .nanoseconds(evidence.worst?.time, from: start)),
      ] + FindingDetails(finding.kind).members + [
        ("title", .string(words.title(of: finding))),
        ("text", .string(words.evidence(of: finding))),
        ("action", .string(words.action(of: finding))),
      ])
  }
}

/// Details that only some kinds of findings have; null in all others.
private struct FindingDetails {
  private var item: String?
  private var category: String?
  private var name: String?
  private var of: Int?
  private var share: Double?
  private var time: TimeSpan?

  /// The details of `kind`.
  init(_ kind: Finding.Kind) {
    switch kind {
    case .decodeOnMainThread(let item), .loadOnMainThread(let item): self.item = item
    case .preparedOnDemandWhileIdle(let spare): time = spare
    case .reloadInsteadOfReconfigure(let count), .snapshotReload(let count): of = count
    case .heavyWillDisplay(let category, let name):
      (self.category, self.name) = (category, name)
    case .preparedNeverShown(let all), .prefetchedNeverShown(let all), .lateData(let all),
      .prefetchNotCancelled(let all):
      of = all
    case .inaccurateSizeEstimates(let all, let error): (of, share) = (all, error)
    case .steadilySlowFrames(let spacing, _): time = spacing
    case .renderHitches(let share), .hitchesWhileIdle(let share): self.share = share
    case .lowHeadroom(let slack, _): time = slack
    case .longTask(let category, let name, let share):
      (self.category, self.name, self.share) = (category, name, share)
    case .noReuse, .staleResultInReusedCell, .fewFrames, .dataLoss: break
    }
  }

  /// The members of the object.
  var members: [(String, JSONValue)] {
    [
      ("item", .name(item)), ("category", .name(category)), ("name", .name(name)),
      ("of", .count(of)), ("share", .number(share)), ("timeNs", .nanoseconds(time)),
    ]
  }
}
