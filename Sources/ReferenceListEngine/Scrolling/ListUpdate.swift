package import ScrollTraceRecorder

/// A change of the items while somebody scrolls.
package struct ListUpdate: Hashable, Sendable {
  /// What changes.
  package enum ProposedChange: Hashable, Sendable {
    /// So many new items come in before the one at a position.
    case insert(Int, at: Int)
    /// So many items go, from a position on.
    case delete(Int, at: Int)
    /// The first so many items in view have other content.
    case change(Int)
  }

  /// When it comes up, from the beginning of the script on; the next frame applies it.
  package let time: Nanoseconds
  /// What changes.
  package let change: ProposedChange

  /// A change that comes up at `time`.
  package init(at time: Nanoseconds, _ change: ProposedChange) {
    self.time = time
    self.change = change
  }
}
