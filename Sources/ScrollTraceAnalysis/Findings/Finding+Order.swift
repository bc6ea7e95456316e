import ScrollTraceModel

extension Finding {
  /// Whether this one is to be told before `other`: what would remove most hitch time first (M-19),
  /// then what was seen in most of it, then the longest.
  func comesBefore(_ other: Finding) -> Bool {
    let (removal, otherRemoval) = (predictedRemoval ?? .zero, other.predictedRemoval ?? .zero)
    if removal != otherRemoval { return removal > otherRemoval }
    if evidence.hitchTime != other.evidence.hitchTime {
      return evidence.hitchTime > other.evidence.hitchTime
    }
    let (total, otherTotal) = (evidence.total ?? .zero, other.evidence.total ?? .zero)
    if total != otherTotal { return total > otherTotal }
    if kind.rank != other.kind.rank { return kind.rank < other.kind.rank }
    let (left, right) = (kind.names, other.kind.names)
    return (subject.rank, subject.name, left.category, left.name)
      < (other.subject.rank, other.subject.name, right.category, right.name)
  }
}

extension Finding.Kind {
  /// The place among equal ones: what costs frames first, what is about the recording last.
  fileprivate var rank: Int {
    switch self {
    case .decodeOnMainThread: 0
    case .loadOnMainThread: 1
    case .noReuse: 2
    case .snapshotReload: 3
    case .reloadInsteadOfReconfigure: 4
    case .preparedOnDemandWhileIdle: 5
    case .heavyWillDisplay: 6
    case .longTask: 7
    case .hitchesWhileIdle: 8
    case .renderHitches: 9
    case .steadilySlowFrames: 10
    case .staleResultInReusedCell: 11
    case .lateData: 12
    case .prefetchNotCancelled: 13
    case .prefetchedNeverShown: 14
    case .preparedNeverShown: 15
    case .inaccurateSizeEstimates: 16
    case .lowHeadroom: 17
    case .dataLoss: 18
    case .fewFrames: 19
    }
  }

  /// The names that tell findings of one kind apart.
  fileprivate var names: (category: String, name: String) {
    switch self {
    case .heavyWillDisplay(let category, let name), .longTask(let category, let name, _):
      (category, name)
    default: ("", "")
    }
  }
}

extension Finding.Subject {
  fileprivate var rank: Int {
    switch self {
    case .surface: 0
    case .list: 1
    case .trace: 2
    }
  }

  fileprivate var name: String {
    switch self {
    case .surface(let name), .list(let name): name
    case .trace: ""
    }
  }
}
