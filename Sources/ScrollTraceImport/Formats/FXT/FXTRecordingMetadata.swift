internal import ScrollTraceModel

/// The metadata of a recording, apart from its events.
struct FXTRecordingMetadata {
  /// A chunk that was read.
  struct Seen {
    var offset: UInt64
    /// Whether its seal is right, or it was read before the recording was finished, which seals it.
    var isSealed: Bool
    /// The thread and the chunk's number among its chunks, or `nil` if it belongs to none.
    var place: (thread: UInt32, number: UInt64)?
  }

  /// The numbers of a thread's chunks.
  struct Sequence {
    var highest: UInt64
    var count: UInt64
    var drops: UInt64
    var firstOffset: UInt64
  }

  /// An open span, as encoded in the file.
  struct Entry {
    let start: UInt64
    let category: UInt16
    let name: UInt16
    let item: UInt64?
    let offset: UInt64
  }

  var session: FXTSession?
  /// The number of bytes of the file from its first page on, once known.
  var byteCount: UInt64?
  /// The number of chunks rejected because their checksums do not match.
  var rejectedCount: UInt64 = 0
  /// The possible times of the recording.
  var bounds = FXTTimeBounds()
  /// A Boolean value indicating whether this is the first of several concatenated files.
  var isFirstFile = true
  /// The chunk that is being read.
  var chunk: FXTChunk?
  /// The chunks read so far, by their number in the recording.
  var seen: [UInt64: Seen] = [:]
  /// The chunks of each thread, by the thread's number.
  var sequences: [UInt32: Sequence] = [:]
  /// The open spans, by the thread's number.
  var open: [UInt32: [Entry]] = [:]
  /// The number of spans deeper than the recorder keeps.
  var deeperCount = 0
  /// The number of event records.
  var eventCount: UInt64 = 0
  /// The number of those that the main thread wrote.
  var mainEventCount: UInt64 = 0
  /// How many records have the counts of their thread, and how many of them the main thread wrote.
  var readingCount: UInt64 = 0
  var mainReadingCount: UInt64 = 0
  /// The time the machine slept, in nanoseconds.
  var slept: Int64 = 0

  /// The time from which a live reader has missed nothing, or `nil` if the file is not read live.
  var liveKeptSince: UInt64?

  /// The time from which everything is known (W8).
  var keptSince: UInt64 { liveKeptSince ?? session?.keptSince ?? 0 }

  /// The start of the recording if earlier data is overwritten (W8), or else `nil`.
  var overwrittenBefore: Timestamp? {
    guard let session, session.chunksOverwritten > 0, keptSince > 0 || liveKeptSince == nil else {
      return nil
    }
    return Int64(exactly: keptSince).flatMap(Timestamp.init(nanoseconds:))
  }
}
