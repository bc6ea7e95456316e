/// Work or waiting that does not belong to a thread's stack, such as a pending request.
///
/// It may overlap anything and does not count as work of a track.
package struct AsyncSpan: Equatable, Sendable {
  package let track: TrackID
  package internal(set) var range: TimeRange
  package let label: LabelID
  package internal(set) var arguments: ArgumentListID
  /// -1 if it is `track` or unknown.
  private let rawEndTrack: Int32

  init(
    track: TrackID, range: TimeRange, label: LabelID, arguments: ArgumentListID,
    endTrack: TrackID? = nil
  ) {
    self.track = track
    self.range = range
    self.label = label
    self.arguments = arguments
    rawEndTrack =
      endTrack == track ? -1 : endTrack.map { Int32(truncatingIfNeeded: $0.index) } ?? -1
  }

  /// The track on which the task that started it ended it, or `nil` if it is the same one, or if the
  /// source does not say that one task did both.
  package var endTrack: TrackID? { rawEndTrack >= 0 ? TrackID(index: Int(rawEndTrack)) : nil }
}
