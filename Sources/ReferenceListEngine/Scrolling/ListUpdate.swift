package import ScrollTraceRecorder

/// A change of the items during a scroll.
package struct ListUpdate: Equatable, Sendable {
  /// The kind of change.
  package enum ProposedChange: Equatable, Sendable {
    /// Inserts a number of items before a position.
    case insert(Int, at: Int)
    /// Deletes a number of items from a position.
    case delete(Int, at: Int)
    /// Changes the content of the first items in view.
    case change(Int)
  }

  /// The time from the start of the script. The next frame applies the change.
  package let time: Nanoseconds
  package let change: ProposedChange

  package init(at time: Nanoseconds, _ change: ProposedChange) {
    self.time = time
    self.change = change
  }
}
