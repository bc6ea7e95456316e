package import ScrollTraceModel
import ScrollTraceSummary

/// Attributes the hitch time of a surface to the work in the windows of its hitches (M-16).
struct CausePass {
  private var indices: [CauseSummary.Kind: Int] = [:]
  private var summaries: [CauseSummary] = []
  /// The items of each cause.
  private var items: [Int: Set<String>] = [:]

  /// The causes of `hitches`, sorted by attributed hitch time, largest first.
  static func causes(of hitches: [Hitch]) -> [CauseSummary] {
    var pass = CausePass()
    for hitch in hitches where hitch.lengthInMotion > .zero { pass.charge(hitch) }
    return pass.summaries.sorted {
      let (left, right) = ($0.kind.order, $1.kind.order)
      return ($1.hitchTime, $1.time, left.0, left.1, left.2)
        < ($0.hitchTime, $0.time, right.0, right.1, right.2)
    }
  }

  /// Divides the counted part of a hitch among the causes in its window, in proportion to their
  /// time.
  private mutating func charge(_ hitch: Hitch) {
    let length = hitch.lengthInMotion.nanoseconds
    guard !hitch.isAfterCommit, let window = hitch.chargedAttribution, window.window.length > .zero
    else {
      let index = index(of: hitch.isAfterCommit ? .render : .unknown)
      add(length, to: index, time: 0, hitch)
      return
    }
    let parts = parts(of: window)
    let whole = parts.reduce(0) { $0 + $1.time }
    let charges = parts.map {
      Int64(clamping: WideInteger(length) * WideInteger($0.time) / max(1, whole))
    }
    var rest = charges.reduce(length, -)
    // Rounding leaves fewer nanoseconds than there are parts: one for each of the first parts.
    for (index, part) in parts.enumerated() {
      let more: Int64 = rest > 0 ? 1 : 0
      rest -= more
      add(charges[index] + more, to: part.cause, time: part.time, hitch)
    }
  }

  /// The causes in a window, with the items of one cause combined, longest first.
  private mutating func parts(of attribution: Attribution) -> [(cause: Int, time: Int64)] {
    var times: [Int: Int64] = [:]
    for cause in attribution.causes {
      let index = index(of: .work(category: cause.category, name: cause.name))
      times[index, default: 0] += cause.selfTime.nanoseconds
      if let item = cause.item, items[index, default: []].insert(item).inserted {
        summaries[index].itemCount += 1
      }
    }
    for (kind, time) in attribution.rest where time > .zero {
      times[index(of: kind), default: 0] += time.nanoseconds
    }
    return times.map { (cause: $0.key, time: $0.value) }
      .sorted { ($1.time, $0.cause) < ($0.time, $1.cause) }
  }

  private mutating func index(of kind: CauseSummary.Kind) -> Int {
    if let known = indices[kind] { return known }
    indices[kind] = summaries.count
    summaries.append(CauseSummary(kind))
    return summaries.count - 1
  }

  private mutating func add(_ charge: Int64, to index: Int, time: Int64, _ hitch: Hitch) {
    let charge = TimeSpan(nanoseconds: charge)
    summaries[index].hitchTime += charge
    summaries[index].time += TimeSpan(nanoseconds: time)
    summaries[index].hitchCount += 1
    guard summaries[index].hitchCount == 1 || charge > summaries[index].worstTime else { return }
    summaries[index].worstTime = charge
    summaries[index].worstFrame = hitch.frame
    summaries[index].worstAt = hitch.range.start
  }
}

extension CauseSummary.Kind {
  /// The order of equal causes: that of their kinds, then by name.
  fileprivate var order: (Int, String, String) {
    let kind = CauseKind.allCases.firstIndex(of: plain) ?? 0
    return switch self {
    case .work(let category, let name): (kind, category, name)
    case .waiting(let wait):
      (
        kind, "\(wait.span.category)/\(wait.span.name ?? "")",
        wait.owner?.thread ?? wait.kind.rawValue
      )
    default: (kind, "", "")
    }
  }
}

/// The kind of a cause of hitches.
public enum CauseKind: String, Codable, Sendable, CaseIterable {
  /// Work on the main thread.
  case work
  /// Such work for one item.
  case item
  /// The main thread waited.
  case waiting
  /// The main thread was ready to run and had no core.
  case notScheduled
  /// The main thread had no core; whether it was ready or blocked is not known.
  case notRunning
  /// The frame's time had started, and its commit had not.
  case lateStart
  /// The main thread was idle, so the cause is elsewhere.
  case idle
  /// No span explains it.
  case unrecorded
  /// The commit met its deadline, and its picture was late.
  case render
  /// The window is unknown.
  case unknown
}

/// One cause of a surface's hitches over the whole trace, with the hitch time attributed to it (M-16).
package struct CauseSummary: Equatable, Sendable {
  /// The kind of a cause, with its work or wait.
  package enum Kind: Hashable, Sendable {
    case work(category: String, name: String)
    /// In a span marked so, or by the system's own count.
    case waiting(Wait)
    case notScheduled, notRunning, lateStart, idle, unrecorded
    /// The cause comes after the main thread.
    case render
    /// There is no main track or no window, or the limit of examined spans was reached.
    case unknown

    package var plain: CauseKind {
      switch self {
      case .work: .work
      case .waiting: .waiting
      case .notScheduled: .notScheduled
      case .notRunning: .notRunning
      case .lateStart: .lateStart
      case .idle: .idle
      case .unrecorded: .unrecorded
      case .render: .render
      case .unknown: .unknown
      }
    }
  }

  package let kind: Kind
  /// The hitch time attributed to the cause. The sum over all causes is the surface's hitch time.
  package var hitchTime = TimeSpan.zero
  package var hitchCount = 0
  /// The number of items, or 0 if the source does not name them.
  package var itemCount = 0
  /// The total time of the cause in the windows of those hitches.
  package var time = TimeSpan.zero
  /// The frame of the hitch with the most hitch time attributed to the cause, or `nil` if no frame
  /// ended that hitch.
  package var worstFrame: UInt64?
  /// The start of that hitch.
  package var worstAt = Timestamp.zero
  /// The hitch time of that hitch that is attributed to the cause.
  package var worstTime = TimeSpan.zero

  init(_ kind: Kind) { self.kind = kind }
}
