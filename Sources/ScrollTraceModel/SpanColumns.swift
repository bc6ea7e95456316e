/// The spans of one track, stored in columns.
///
/// Spans are sorted by start; of spans with the same start, the longer one comes first. Spans that
/// a host recorded after the fact may overlap each other.
package struct SpanColumns: Sendable {
  /// The start of each span, in nanoseconds on the trace's clock.
  package internal(set) var begins: [Int64] = []
  /// The end of each span, in nanoseconds on the trace's clock, never before its start.
  package internal(set) var ends: [Int64] = []
  /// The label of each span.
  package internal(set) var labels: [LabelID] = []
  /// The argument list of each span, or empty if no span of the track has arguments.
  package internal(set) var argumentLists: [ArgumentListID] = []

  /// A Boolean value indicating whether the spans must be sorted at the end.
  var isOutOfOrder = false
  /// The number of places by which spans were moved so far.
  var movedCount = 0

  package init() {}

  package var count: Int { begins.count }

  package func arguments(at index: Int) -> ArgumentListID {
    argumentLists.isEmpty ? .none : argumentLists[index]
  }

  package subscript(index: Int) -> WorkSpan {
    WorkSpan(
      range: TimeRange(
        start: Timestamp(clamping: begins[index]), end: Timestamp(clamping: ends[index])),
      label: labels[index], arguments: arguments(at: index))
  }
}

/// A span of work on a track.
package struct WorkSpan: Equatable, Sendable {
  package let range: TimeRange
  package let label: LabelID
  package let arguments: ArgumentListID
}
