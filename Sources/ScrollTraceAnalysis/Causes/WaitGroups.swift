import ScrollTraceModel

/// One name for all waits of a surface in one span for the same work of one thread (M-16).
///
/// Whether that work began before a wait or after it, and whether it had just ended, is chance: the kind of most
/// of the time stands for all, and the work of most of them for those that ended without any.
struct WaitGroups {
  /// The waits of a group, of which one is for a lock, and another for a result.
  private struct Key: Hashable {
    let span: WorkName
    let owner: Wait.Owner

    /// Creates the key of a wait, or `nil` if it is not for a thread of the host.
    init?(_ wait: Wait) {
      guard wait.kind == .lock || wait.kind == .result, let owner = wait.owner else { return nil }
      self.init(wait.span, owner)
    }

    private init(_ span: WorkName, _ owner: Wait.Owner) {
      (self.span, self.owner) = (span, owner)
    }

    var withoutWork: Key { Key(span, Wait.Owner(thread: owner.thread, work: nil)) }

    /// The order among those of one span and thread.
    var order: String { owner.work.map { "=\($0)" } ?? "" }
  }

  private var names: [Key: Wait] = [:]

  init(of hitches: [Hitch]) {
    var kinds: [Key: [Wait.Kind: TimeSpan]] = [:]
    for attribution in hitches.lazy.compactMap(\.chargedAttribution) {
      for occupant in attribution.occupants {
        guard let wait = occupant.wait, let key = Key(wait) else { continue }
        kinds[key, default: [:]][wait.kind, default: .zero] += occupant.waited
      }
    }
    // The key with most time of each span and thread.
    var most: [Key: Key] = [:]
    let times = kinds.mapValues { $0.values.reduce(TimeSpan.zero) { $0 + $1 } }
    let sorted = times.sorted { ($1.value, $0.key.order) < ($0.value, $1.key.order) }
    for (key, _) in sorted where most[key.withoutWork] == nil { most[key.withoutWork] = key }
    var sums: [Key: [Wait.Kind: TimeSpan]] = [:]
    for (key, times) in kinds {
      sums[most[key] ?? key, default: [:]].merge(times) { $0 + $1 }
    }
    for key in kinds.keys {
      let named = most[key] ?? key
      let kind = sums[named]?.max {
        ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue)
      }
      guard let kind else { continue }
      names[key] = Wait(span: key.span, kind: kind.key, owner: named.owner)
    }
  }

  /// Returns the name that a wait has with the others of its group.
  private func name(of wait: Wait) -> Wait { Key(wait).flatMap { names[$0] } ?? wait }

  func named(_ attribution: Attribution?) -> Attribution? {
    guard var attribution, !names.isEmpty else { return attribution }
    for index in attribution.occupants.indices {
      guard let wait = attribution.occupants[index].wait else { continue }
      attribution.occupants[index].wait = name(of: wait)
    }
    return attribution
  }

  func named(_ hitch: Hitch) -> Hitch {
    var hitch = hitch
    hitch.attribution = named(hitch.attribution)
    hitch.originAttribution = named(hitch.originAttribution)
    return hitch
  }

  func named(_ frame: LateFrame) -> LateFrame {
    var frame = frame
    frame.attribution = named(frame.attribution)
    frame.commit = named(frame.commit)
    return frame
  }
}
