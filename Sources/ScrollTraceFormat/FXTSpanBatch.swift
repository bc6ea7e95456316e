internal import ScrollTraceModel

/// Spans of one track on their way into the builder, many at a time.
struct FXTSpanBatch: ~Copyable {
  /// How many spans the batch holds at most; a chunk of the smallest ones and more.
  static let capacity = 4096

  /// How many times as long as the part that was read the whole source is.
  var growth = 1.0

  /// The track of the spans.
  var track: TrackID?
  private(set) var count = 0
  private let begins: UnsafeMutablePointer<Int64>
  private let ends: UnsafeMutablePointer<Int64>
  private let labels: UnsafeMutablePointer<LabelID>
  private let lists: UnsafeMutablePointer<ArgumentListID>

  init() {
    begins = .allocate(capacity: Self.capacity)
    ends = .allocate(capacity: Self.capacity)
    labels = .allocate(capacity: Self.capacity)
    lists = .allocate(capacity: Self.capacity)
  }

  deinit {
    begins.deallocate()
    ends.deallocate()
    labels.deallocate()
    lists.deallocate()
  }

  /// How many spans still fit.
  var room: Int { Self.capacity - count }

  /// Adds a span; there must be room.
  @inline(__always)
  mutating func append(_ begin: Int64, _ end: Int64, _ label: LabelID, _ list: ArgumentListID) {
    precondition(count < Self.capacity, "the batch has no room")
    (begins + count).initialize(to: begin)
    (ends + count).initialize(to: end)
    (labels + count).initialize(to: label)
    (lists + count).initialize(to: list)
    count += 1
  }

  /// Hands the spans over to `builder`.
  mutating func flush(into builder: inout TraceBuilder) {
    guard count > 0, let track else { return }
    builder.addSpans(
      on: track, begins: UnsafeBufferPointer(start: begins, count: count),
      ends: UnsafeBufferPointer(start: ends, count: count),
      labels: UnsafeBufferPointer(start: labels, count: count),
      arguments: UnsafeBufferPointer(start: lists, count: count), growth: growth)
    count = 0
  }
}
