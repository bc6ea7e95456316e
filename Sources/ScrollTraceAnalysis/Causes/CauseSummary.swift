package import ScrollTraceModel

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
  /// The frame's time had begun, and its commit had not.
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

    /// The kind alone.
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
