internal import ScrollTraceModel

/// What is known of a file of the profile apart from its events.
struct FXTRecordingMetadata {
  /// A chunk that was read.
  struct Seen {
    var offset: UInt64
    var isSealed: Bool
  }

  /// The numbers of a thread's chunks.
  struct Sequence {
    var highest: UInt64
    var count: UInt64
    var drops: UInt64
    var firstOffset: UInt64
  }

  /// An open span as it lies in the file.
  struct Entry {
    let start: UInt64
    let category: UInt16
    let name: UInt16
    let item: UInt64?
    let offset: UInt64
  }

  var session: FXTSession?
  /// How many bytes the file has from its first page on, once that is known.
  var byteCount: UInt64?
  /// How many chunks were left out since their checksums do not match.
  var rejectedCount: UInt64 = 0
  /// From when to when it can go.
  var bounds = FXTTimeBounds()
  /// Whether it is the first of several files that follow one another.
  var isFirstFile = true
  /// The chunk that is being read.
  var chunk: FXTChunk?
  /// The chunks read so far, by their number in the recording.
  var seen: [UInt64: Seen] = [:]
  /// The chunks of each thread, by the thread's number.
  var sequences: [UInt32: Sequence] = [:]
  /// The spans that had not ended, by the thread's number.
  var open: [UInt32: [Entry]] = [:]
  /// How many more spans were open than the recorder keeps.
  var deeperCount = 0
  /// How many records of events there are.
  var eventCount: UInt64 = 0
  /// How many of them the main thread wrote.
  var mainEventCount: UInt64 = 0
  /// How many records have the counts of their thread, and how many of them the main thread wrote.
  var readingCount: UInt64 = 0
  var mainReadingCount: UInt64 = 0
  /// What the trace that the file was made from said of itself, or `nil` if it is a recording.
  var origin: FXTOrigin?
  /// For how long the machine slept, in nanoseconds.
  var slept: Int64 = 0

  /// Since when everything is known that was there when a live reader came, or that it missed since;
  /// `nil` where the file is not read live.
  var liveKeptSince: UInt64?

  /// Since when everything is known (W8).
  var keptSince: UInt64 { liveKeptSince ?? session?.keptSince ?? 0 }

  /// Where the recording begins, if what was before is overwritten (W8); else `nil`.
  var overwrittenBefore: Timestamp? {
    guard let session, session.chunksOverwritten > 0, keptSince > 0 || liveKeptSince == nil else {
      return nil
    }
    return Int64(exactly: keptSince).flatMap(Timestamp.init(nanoseconds:))
  }
}
