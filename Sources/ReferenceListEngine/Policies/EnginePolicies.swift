/// How the engine does what can be done in several ways; each choice is independent of the others.
package struct EnginePolicies: Equatable, Sendable {
  /// When cells are prepared.
  package enum Cells: String, CaseIterable, Sendable {
    /// When their line is displayed, the whole line in one frame.
    case onDemand = "on-demand"
    /// One in each frame, some lines before it is needed, and on demand where that was too late.
    case oneAhead = "one-ahead"
    /// One after each short commit, in the time that is left, so that the next commit may start late;
    /// none while the content moves too fast.
    case idle
  }

  /// When data is asked for.
  package enum Data: String, CaseIterable, Sendable {
    /// When its cell is prepared.
    case onDemand = "on-demand"
    /// In order, some lines ahead in the direction of the scroll; what is not needed any more when
    /// that turns round is cancelled.
    case ahead
  }

  /// Where images become bitmaps.
  package enum Images: String, CaseIterable, Sendable {
    /// In the commit, on the main thread.
    case main
    /// On the threads that load them, at their full size.
    case background
    /// On the threads that load them, at the size at which they are shown.
    case thumbnails
  }

  /// What happens when the data of an item comes or changes.
  package enum Updates: String, CaseIterable, Sendable {
    /// The cell that shows the item gets the new content.
    case reconfigure
    /// The cell is thrown away and another one is prepared.
    case reload
    /// The content is written into the cell that was there when the data was asked for, whatever it
    /// shows by now: wrong.
    case captured
  }

  /// How a new snapshot of the data is applied.
  package enum Snapshots: String, CaseIterable, Sendable {
    /// Only what is different changes.
    case differences
    /// All cells are thrown away.
    case reload
  }

  /// When cells are registered.
  package enum Registrations: String, CaseIterable, Sendable {
    /// Once for each kind of cell.
    case once
    /// Each time a cell is asked for, so that none is ever used again: wrong.
    case perCell = "per-cell"
  }

  /// When cells are prepared.
  package var cells = Cells.onDemand
  /// When data is asked for.
  package var data = Data.onDemand
  /// Where images become bitmaps.
  package var images = Images.main
  /// What happens when data comes or changes.
  package var updates = Updates.reconfigure
  /// How snapshots are applied.
  package var snapshots = Snapshots.differences
  /// When cells are registered.
  package var registrations = Registrations.once

  /// Everything when it is needed, on the main thread.
  package init() {}

  /// Everything as it should be: cells in spare time, data and images in the background.
  package static var best: EnginePolicies {
    var policies = EnginePolicies()
    policies.cells = .idle
    policies.data = .ahead
    policies.images = .background
    return policies
  }
}
