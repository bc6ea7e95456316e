/// A span that was open when the recording stopped.
package struct OpenSpan: Equatable, Sendable {
  package let track: TrackID
  package let label: LabelID
  /// The item that the span was for, or `nil` if unknown.
  package let item: ArgumentValue?
  package let since: Timestamp
  /// The latest possible end, or `nil` if the span was still open when the recording stopped.
  ///
  /// If a source may lose the end of a span, the span can last at most until the next event of its
  /// track or the end of the span around it.
  package internal(set) var until: Timestamp?
  /// Whether the source may have lost the span's end.
  let mayHaveEnded: Bool
}
