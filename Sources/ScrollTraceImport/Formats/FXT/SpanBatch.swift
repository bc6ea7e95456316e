package import ScrollTraceModel

/// A batch of one track's spans for the builder.
package struct SpanBatch: ~Copyable {
  /// The maximum number of spans: few enough for the innermost cache.
  package static let capacity = 1024

  /// The ratio of the source's size to the part already read.
  package var growth = 1.0

  /// The track of the spans; the batch is flushed before the track changes.
  private var track: TrackID?
  private(set) var count = 0
  private var hasArguments = false
  private var ascends = true
  private var lastBegin: Int64 = -1
  private var latestEnd: Int64 = 0
  private let times: UnsafeMutablePointer<SpanBounds>
  private let labels: UnsafeMutablePointer<LabelID>
  private let lists: UnsafeMutablePointer<ArgumentListID>

  package init() {
    times = .allocate(capacity: Self.capacity)
    labels = .allocate(capacity: Self.capacity)
    lists = .allocate(capacity: Self.capacity)
  }

  deinit {
    times.deallocate()
    labels.deallocate()
    lists.deallocate()
  }

  /// The number of spans that still fit.
  var room: Int { Self.capacity - count }

  /// Adds a span; the batch must not be full.
  package mutating func append(
    _ start: Int64, _ end: Int64, _ label: LabelID, _ list: ArgumentListID
  ) {
    precondition(count < Self.capacity, "the batch has no room")
    (times + count).initialize(to: SpanBounds(start: start, end: end))
    (labels + count).initialize(to: label)
    if list != .none, !hasArguments {
      lists.initialize(repeating: .none, count: count)
      hasArguments = true
    }
    if hasArguments { (lists + count).initialize(to: list) }
    count += 1
    ascends = ascends && start > lastBegin
    lastBegin = start
    latestEnd = max(latestEnd, end)
  }

  /// Adds the spans without arguments at the front of `words`, three words each, while they belong
  /// to one thread and have known labels without a role; returns their number.
  ///
  /// - Parameter lower: The lower half of their headers.
  mutating func appendPlainSpans(
    _ words: UnsafeRawBufferPointer, lower: UInt32, labels known: RecentValues<UInt64, FXTLabel>,
    epoch: UInt32
  ) -> Int {
    let maximum = min(words.count / 24, room)
    let (times, labels) = (times + count, labels + count)
    var (lastBegin, latestEnd, ascends) = (lastBegin, latestEnd, ascends)
    var added = 0
    while added < maximum {
      let header = words.word(at: added * 24)
      let begin = words.word(at: added * 24 + 8)
      let end = words.word(at: added * 24 + 16)
      // As unsigned numbers: if the end is a valid time and the start is not later, both are valid.
      // The cache contains no references to inline text.
      guard UInt32(truncatingIfNeeded: header) == lower, begin <= end, end <= UInt64(Int64.max),
        let label = known.find(FXTLabel.key(epoch: epoch, header: header)), label.isPlain
      else { break }
      let (from, to) = (Int64(bitPattern: begin), Int64(bitPattern: end))
      (times + added).initialize(to: SpanBounds(start: from, end: to))
      (labels + added).initialize(to: label.id)
      ascends = ascends && from > lastBegin
      lastBegin = from
      latestEnd = max(latestEnd, to)
      added += 1
    }
    if hasArguments { (lists + count).initialize(repeating: .none, count: added) }
    (self.lastBegin, self.latestEnd, self.ascends) = (lastBegin, latestEnd, ascends)
    count += added
    return added
  }

  /// Prepares the batch for `track`, with free space.
  package mutating func select(_ track: TrackID, of builder: inout TraceBuilder) {
    guard self.track != track || room == 0 else { return }
    flush(into: &builder)
    self.track = track
  }

  package mutating func flush(into builder: inout TraceBuilder) {
    guard count > 0, let track else { return }
    builder.addSpans(
      SpanBatchColumns(
        times: UnsafeBufferPointer(start: times, count: count),
        labels: UnsafeBufferPointer(start: labels, count: count),
        argumentLists: UnsafeBufferPointer(start: lists, count: hasArguments ? count : 0),
        latestEnd: latestEnd, ascends: ascends),
      on: track, growth: growth)
    count = 0
    hasArguments = false
    ascends = true
    lastBegin = -1
    latestEnd = 0
  }
}
