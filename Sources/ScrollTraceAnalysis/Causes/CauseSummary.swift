package import ScrollTraceModel

/// One cause of a surface's hitches over the whole trace, with the hitch time attributed to it (M-16).
package struct CauseSummary: Hashable, Sendable {
  /// What filled the time.
  package enum Kind: Hashable, Sendable {
    /// Work on the main thread.
    case work(category: String, name: String)
    /// The main thread waited.
    case waiting
    /// The main thread was ready to run and had no core.
    case notScheduled
    /// The main thread was blocked inside a span that is not marked as waiting.
    case blocked
    /// The main thread had no core; whether it was ready or blocked is not known.
    case notRunning
    /// The frame's time had begun, and its commit had not.
    case lateStart
    /// The main thread had nothing to do: the cause lies elsewhere.
    case idle
    /// No span explains it.
    case unrecorded
    /// Nothing is known of the window: no main track, no window, or too much to look at.
    case unknown

    /// The kind as one word.
    package var word: String {
      switch self {
      case .work: "work"
      case .waiting: "waiting"
      case .notScheduled: "notScheduled"
      case .blocked: "blocked"
      case .notRunning: "notRunning"
      case .lateStart: "lateStart"
      case .idle: "idle"
      case .unrecorded: "unrecorded"
      case .unknown: "unknown"
      }
    }
  }

  /// What filled the time.
  package let kind: Kind
  /// The hitch time attributed to it; the sum over all causes is the surface's hitch time.
  package var hitchTime = TimeSpan.zero
  /// In how many hitches it was.
  package var hitchCount = 0
  /// How many items were worked on, where the source names them; 0 where it does not.
  package var itemCount = 0
  /// How long it lasted in the windows of those hitches, all together.
  package var time = TimeSpan.zero
  /// The hitch that was charged most to it, by its frame, or `nil` if no frame ended that.
  package var worstFrame: UInt64?
  /// When that hitch was seen first.
  package var worstAt = Timestamp.zero
  /// What was attributed to it there.
  package var worstTime = TimeSpan.zero

  /// Nothing charged yet.
  init(_ kind: Kind) { self.kind = kind }
}
