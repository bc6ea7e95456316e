internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The content of a file's session blob.
package struct FXTSession {
  /// The wall clock at a time of the recording's clock.
  package struct Anchor {
    /// The recording's clock, in nanoseconds.
    package let clock: UInt64
    /// The wall clock, in nanoseconds since 1970.
    package let wall: Int64
    /// The maximum error of the pair, in nanoseconds.
    package let uncertainty: UInt64

    fileprivate init(_ page: UnsafeRawBufferPointer, at offset: Int) {
      clock = page.word(at: offset + RecordingLayout.Anchor.clock)
      wall = Int64(bitPattern: page.word(at: offset + RecordingLayout.Anchor.wall))
      uncertainty = page.word(at: offset + RecordingLayout.Anchor.uncertainty)
    }

    fileprivate var isEmpty: Bool { clock == 0 && wall == 0 && uncertainty == 0 }
  }

  package let major: UInt16
  package let minor: UInt16
  /// The number of the clock, see `RecordingLayout.Session.clock`.
  package let clock: UInt32
  let incompatibleFlags: UInt64
  package let process: UInt64
  /// The ticks per second of the counter that was read, or 0 if none was.
  package let counterFrequency: UInt64
  let droppedNoChunk: UInt64
  let droppedTooBig: UInt64
  let droppedAfterClose: UInt64
  /// The number of chunks that a flight recorder has reused.
  package let chunksOverwritten: UInt64
  let state: UInt64
  let stop: UInt64
  /// The minimum number of chunks in a flight recorder's ring, or 0 if everything is retained.
  package let ringChunks: UInt64
  /// The time from which nothing is overwritten, in nanoseconds, or 0 if nothing is.
  package let keptSince: UInt64
  let notDurable: UInt64
  let recordCost: UInt64
  let threadTimeCost: UInt64
  /// The cost of sampling stacks, or `nil` if none were sampled.
  let sampling: SamplingCost?
  /// The number of recordings that this one stands for, or `nil` if it does not say so.
  package let weight: UInt64?
  /// Whether that number is damaged, so that it does not count.
  let hasWrongWeight: Bool
  let refusedInside: UInt64
  /// The number of bytes of the finished file, or 0 if it does not say so.
  let finishedSize: UInt64
  private let openAnchor: Anchor
  private let closeAnchor: Anchor
  /// The identifier of the recording as hexadecimal digits.
  package let identifier: String
  /// Whether every chunk that its thread left had a seal when the recording was
  /// finished.
  let sealsChunks: Bool
  /// The last time at which the recorder of an unfinished recording was alive, or `nil` if unknown.
  let lastAlive: Timestamp?
  /// Whether the number of chunks contradicts the size, so that neither
  /// counts.
  let hasWrongSize: Bool

  /// Creates the session of the file that starts with `page`, or returns `nil` if its blob is not
  /// in place.
  init?(page: UnsafeRawBufferPointer) {
    typealias Layout = RecordingLayout.Session
    let start = RecordingLayout.sessionPayloadOffset
    guard page.count >= start + Layout.size,
      page.isBlob(RecordingLayout.BlobName.session, at: RecordingLayout.sessionRecordOffset)
    else { return nil }
    major = page.word16(at: start + Layout.major)
    let flags = page.word(at: start + Layout.compatibleFlags)
    minor = page.word16(at: start + Layout.minor)
    sealsChunks = minor >= 3 && flags & Layout.unsealedFlag == 0
    clock = page.word32(at: start + Layout.clock)
    incompatibleFlags = page.word(at: start + Layout.incompatibleFlags)
    process = page.word(at: start + Layout.process)
    counterFrequency = page.word(at: start + Layout.counterFrequency)
    droppedNoChunk = page.word(at: start + Layout.droppedNoChunk)
    droppedTooBig = page.word(at: start + Layout.droppedTooBig)
    droppedAfterClose = page.word(at: start + Layout.droppedAfterClose)
    chunksOverwritten = page.word(at: start + Layout.chunksOverwritten)
    state = page.word(at: start + Layout.state)
    openAnchor = Anchor(page, at: start + Layout.openAnchor)
    closeAnchor = Anchor(page, at: start + Layout.closeAnchor)
    let first = start + Layout.identifier
    identifier = HexadecimalDigits.text(page[first..<first + 16])
    let alive = closeAnchor.clock
    let isAlive =
      state != 1 && alive > openAnchor.clock && closeAnchor.uncertainty == ~alive
    lastAlive = isAlive ? Int64(exactly: alive).map { Timestamp(clamping: $0) } : nil
    stop = page.word(at: start + Layout.stop)
    let size = Int(page.word(at: RecordingLayout.sessionRecordOffset).bits(32, 15))
    /// Returns a field that payloads of older versions lack.
    func later(_ field: Int) -> UInt64 {
      field + 8 <= size && start + field + 8 <= page.count ? page.word(at: start + field) : 0
    }
    ringChunks = later(Layout.ringChunks)
    keptSince = later(Layout.keptSince)
    notDurable = later(Layout.notDurable)
    recordCost = later(Layout.recordCost)
    threadTimeCost = later(Layout.threadTimeCost)
    refusedInside = later(Layout.refusedInside)
    let cost = SamplingCost(
      signalCount: later(Layout.sampleSignals), nanoseconds: later(Layout.sampleTime),
      samplerNanoseconds: later(Layout.samplerTime))
    // A payload with a weight has the fields of sampling too, which are zero without it.
    let hasWeight = size >= Layout.weightedSize
    let isEmpty = (cost.signalCount, cost.nanoseconds, cost.samplerNanoseconds) == (0, 0, 0)
    sampling = size < Layout.sampledSize || hasWeight && isEmpty ? nil : cost
    // A recording without an end stands for itself, whatever it was about to write.
    let stated = state == 1 ? (later(Layout.weight), later(Layout.weightCheck)) : (0, 0)
    let isValid = stated.1 == ~stated.0 && 1...Layout.maximumWeight ~= stated.0
    weight = isValid ? stated.0 : nil
    hasWrongWeight = !isValid && stated != (0, 0)
    let (bytes, chunks) = (later(Layout.finishedSize), later(Layout.finishedChunks))
    hasWrongSize =
      (bytes, chunks) != (0, 0)
      && (bytes < UInt64(RecordingLayout.pageSize)
        || bytes - UInt64(RecordingLayout.pageSize)
          != chunks.times(UInt64(RecordingLayout.chunkSize)))
    finishedSize = hasWrongSize ? 0 : bytes
  }

  /// Whether the recording was finished.
  package var isClosed: Bool { state == 1 }

  /// The clock at the start of the recording; 0 if there is no anchor.
  var openClock: UInt64 { openAnchor.clock }

  /// The clock at the end of the recording; 0 if there is no anchor.
  var closeClock: UInt64 { closeAnchor.clock }

  /// The wall time at the start in nanoseconds since 1970, or `nil` if there is no anchor.
  var openWall: Int64? {
    openAnchor.clock == 0 && openAnchor.wall == 0 ? nil : openAnchor.wall
  }

  package var opened: Anchor? { openAnchor.isEmpty ? nil : openAnchor }

  /// The anchor at the end, or `nil` if there is none. Before, it is the last time at which the recorder was
  /// alive.
  package var closed: Anchor? { isClosed && !closeAnchor.isEmpty ? closeAnchor : nil }

  /// The numbers of records lost while recording, by reason.
  package var drops: [(reason: String, count: UInt64)] {
    [
      ("out of space", droppedNoChunk), ("too large", droppedTooBig),
      ("after finish", droppedAfterClose), ("inside the recorder", refusedInside),
    ]
  }

  /// The reason no more chunks were available, for messages, or `nil` if they were.
  package var stopReason: String? {
    let base = RecordingLayout.Session.writeErrorBase
    return switch stop {
    case 0: nil
    case 1: "the file reached its maximum size"
    case base + 28: "the disk was full"
    case base + 27: "the system allows no larger file"
    case base...: "the system reported error \(stop - base)"
    default: "reason \(stop)"
    }
  }

  /// Rejects a file that this version would misread.
  func checkVersion() throws(ImportError) {
    let advice = "update scrolltrace to read it"
    if major > RecordingLayout.majorVersion {
      throw ImportError(
        "the trace has format version \(major), newer than \(RecordingLayout.majorVersion)",
        at: UInt64(RecordingLayout.sessionPayloadOffset), advice: advice)
    }
    if incompatibleFlags != 0 {
      throw ImportError(
        "the trace uses features unknown to this version "
          + "(flags 0x\(String(incompatibleFlags, radix: 16)))",
        at: UInt64(
          RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.incompatibleFlags),
        advice: advice)
    }
  }
}
