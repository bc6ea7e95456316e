internal import ScrollTraceModel

/// Decodes records into the builder, independently of files, pages and chunks.
struct FXTDecoder: ~Copyable {
  var builder: TraceBuilder
  var references = FXTReferences()
  var labels = RecentValues<UInt64, FXTLabel>(count: 1024)
  var batch = SpanBatch()
  var threads = FXTThreads()
  var pairing = FXTPairing()
  var schedule = FXTSchedule()
  var arguments: [Argument] = []
  var labelNames: [LabelID: StringID] = [:]
  var surfaces: [LabelID: SurfaceID] = [:]
  var lastSurface: (label: LabelID, surface: SurfaceID)?
  var texts: [StringID: String] = [:]
  let keys: FXTKeys

  /// A Boolean value indicating whether the file has the recording layout, which defines chunks and
  /// spans recorded after the fact.
  var isScrollTraceRecording = false

  /// The thread of the chunk, for events whose thread is undefined.
  var chunkThread: UInt32?

  /// The number of records since this was last reset, for comparison with seals.
  var recordCount: UInt64 = 0

  /// The number of those records that are not events.
  var otherRecordCount: UInt64 = 0

  /// The metadata of a file with the recording layout.
  var profile = FXTRecordingMetadata()

  /// The records of kinds that are not read.
  var unread = FXTUnreadRecords()

  /// Whether the record being read refers to something undefined (R5).
  var hasUndefinedReference = false

  init(_ builder: TraceBuilder) {
    self.builder = builder
    keys = FXTKeys(&self.builder)
  }

  /// The reason `readRecords` stopped.
  enum Stop: Equatable {
    /// Less than a word is left.
    case atEnd
    /// The next record has this many bytes, more than are available.
    case needs(UInt64)
    /// The next record has size zero.
    case zeroSize
  }

  /// Reads the records at the front of `region`, which lies at `offset` of the source, and returns
  /// their size in bytes and the reason it stopped.
  mutating func readRecords(
    _ region: UnsafeRawBufferPointer, from start: Int = 0, at offset: UInt64
  ) -> (consumed: Int, stop: Stop) {
    var position = start
    while region.count - position >= 8 {
      let header = region.word(at: position)
      if FXTDecoder.isPlainSpan(header) {
        let next = readPlainSpans(region, from: position)
        if next > position {
          position = next
          continue
        }
      }
      let read = readSpanOfOneNumber(UnsafeRawBufferPointer(rebasing: region[position...]))
      if read > 0 {
        position += read
        continue
      }
      let size = FXTRecord.size(header)
      guard size > 0 else { return (position, .zeroSize) }
      guard size <= UInt64(region.count - position) else { return (position, .needs(size)) }
      let end = position + Int(size)
      recordCount &+= 1
      readRecord(
        FXTRecord(
          bytes: UnsafeRawBufferPointer(rebasing: region[position..<end]),
          offset: offset + UInt64(position)),
        in: UnsafeRawBufferPointer(rebasing: region[..<position]))
      position = end
    }
    return (position, .atEnd)
  }

  /// Counts a loss at `offset`.
  mutating func lose(_ reason: Loss.Reason, _ count: UInt64 = 1, at offset: UInt64) {
    builder.offset = offset
    builder.countLoss(reason, count: count)
    builder.offset = nil
  }

  /// Returns the time of `ticks` of the selected provider, or `nil` if it cannot be represented
  /// (R6).
  @inline(__always)
  func time(_ ticks: UInt64) -> Timestamp? {
    let perSecond = references.ticksPerSecond
    let nanoseconds =
      perSecond == 1_000_000_000 ? ticks : Self.nanoseconds(ticks, perSecond: perSecond)
    return nanoseconds.flatMap { Int64(exactly: $0) }.flatMap { Timestamp(nanoseconds: $0) }
  }

  /// Returns `ticks * 1e9 / perSecond`, exact and rounded down, or `nil` if it overflows.
  static func nanoseconds(_ ticks: UInt64, perSecond: UInt64) -> UInt64? {
    let product = ticks.multipliedFullWidth(by: 1_000_000_000)
    guard perSecond > product.high else { return nil }
    return perSecond.dividingFullWidth(product).quotient
  }

  // MARK: - Spans without arguments

  /// Returns whether `header` belongs to a complete event without arguments and inline parts.
  @inline(__always)
  private static func isPlainSpan(_ header: UInt64) -> Bool {
    header & 0x8000_8000_00ff_ffff == FXTRecord.completeEventOfThreeWords
      && header & 0xff00_0000 != 0
  }

  /// Reads the complete events from `start` on that have only known labels of one thread, and
  /// returns the offset of the first other record. Most of a file consists of such events.
  private mutating func readPlainSpans(_ region: UnsafeRawBufferPointer, from start: Int) -> Int {
    let lower = UInt32(truncatingIfNeeded: region.word(at: start))
    let epoch = references.epoch
    guard references.ticksPerSecond == 1_000_000_000,
      let thread = references.thread(Int(lower >> 24))
    else { return start }
    select(threads.tracks[Int(thread)])
    let count = batch.appendPlainSpans(
      UnsafeRawBufferPointer(rebasing: region[start...]), lower: lower, labels: labels,
      epoch: epoch)
    recordCount &+= UInt64(count)
    return start + count * 24
  }

  /// Prepares the batch for `track`, with free space.
  mutating func select(_ track: TrackID) {
    batch.select(track, of: &builder)
  }

  /// Pairs begins and ends, names the threads, and returns the builder.
  consuming func finish() -> TraceBuilder {
    batch.flush(into: &builder)
    resolveDurations()
    resolveAsyncs()
    resolveSchedule()
    finishProfile()
    threads.applyNames(to: &builder)
    unread.note(in: &builder)
    return builder
  }
}
