/// The spans of one track, stored in columns.
///
/// Spans are sorted by start; of spans with the same start, the longer one comes first. Spans that
/// a host recorded after the fact may overlap each other.
package struct SpanColumns: Sendable {
  /// The start and end of each span.
  package internal(set) var times = SpanTimes()
  /// The label of each span.
  package internal(set) var labels = PackedColumn<LabelID>()
  /// The argument list of each span, or empty if no span of the track has arguments.
  package internal(set) var argumentLists = PackedColumn<ArgumentListID>()

  /// The spans that belong before the tail of `times`, and are placed at the end; see `sort`.
  var late: [WorkSpan] = []
  /// The number of spans that are expected in total, or 0 if nobody said so.
  var expectedCount = 0
  /// The number of places by which spans were moved so far.
  var movedCount = 0

  package init() {}

  package var count: Int { times.count }

  /// The earliest start, or `nil` if there are no spans.
  var firstStart: Int64? {
    guard let first = times.first else { return nil }
    return late.reduce(first.start) { min($0, $1.bounds.start) }
  }

  /// Returns whether a span starts at `start`.
  func hasSpan(startingAt start: Int64) -> Bool {
    let index = times.partitionPoint { $0.start >= start }
    return index < times.count && times[index].start == start
      || late.contains { $0.bounds.start == start }
  }

  package func arguments(at index: Int) -> ArgumentListID {
    argumentLists.isEmpty ? .none : argumentLists[index]
  }

  /// Calls `body` with each block of spans, in order.
  package func forEachBlock(_ body: (SpanBlock) -> Void) {
    times.forEachBlock { first, times in
      labels.withBlock(at: first) { body(SpanBlock(first: first, times: times, labels: $0)) }
    }
  }

  package subscript(index: Int) -> WorkSpan {
    WorkSpan(bounds: times[index], label: labels[index], arguments: arguments(at: index))
  }
}

/// Spans that follow each other, at most `SpanTimes.blockSize`.
package struct SpanBlock {
  /// The position of the first.
  package let first: Int
  package let times: UnsafeBufferPointer<SpanBounds>
  package let labels: UnsafeBufferPointer<LabelID>
}

/// A span of work on a track.
package struct WorkSpan: Equatable, Sendable {
  let bounds: SpanBounds
  package let label: LabelID
  package let arguments: ArgumentListID

  package var range: TimeRange {
    TimeRange(start: Timestamp(clamping: bounds.start), end: Timestamp(clamping: bounds.end))
  }
}
