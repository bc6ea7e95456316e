internal import ScrollTraceLayout
package import ScrollTraceModel

/// Reads a recording of the profile while it is being written.
///
/// The host notices nothing: the file is only read, and of what was read before nothing is read again.
/// The records go to the same decoder that reads whole files, which is asked for a trace of what it
/// holds, and told to forget what is no longer needed.
///
/// ```swift
/// let reader = try LiveTraceReader(path: "run.fxt")
/// while true {
///   try reader.readOn(atMost: 4 << 20)
///   let trace = reader.trace()
///   …
///   reader.forget(before: trace.range.end - .milliseconds(20_000))
/// }
/// ```
///
/// A class because it owns an open file.
package final class LiveTraceReader {
  /// What a path leads to.
  package enum Place: Sendable {
    /// The file that is being read.
    case there
    /// Another file.
    case replaced
    /// Nothing.
    case removed
  }

  /// The path that was given.
  package let path: String

  let file: LiveFile
  var decoder: FXTDecoder
  /// The names of sampled code, each looked up once.
  var names: CodeNames
  /// The chunks that may still get records, ascending by number.
  var active: [LiveChunk] = []
  /// The chunks of open spans.
  var stacks: [Int: FXTChunk] = [:]
  /// The chunks that have begun and of which nothing has been read, descending by number, so that the
  /// next one is the last.
  var waiting: [WaitingChunk] = []
  /// What each place of a chunk held when it was looked at last: the number of the chunk.
  var known: [Int: UInt64] = [:]
  /// The number of the latest chunk of each thread.
  var latest: [ThreadKey: UInt64] = [:]
  /// The first place that has never held a chunk.
  var firstFree = 0
  /// How many chunks had been used again when it was looked last.
  var reuses: UInt64 = 0
  /// How many chunks had been used again, or were seen to be.
  var seenReuses: UInt64 = 0
  /// Whether chunks that were used again have been looked for since nothing more comes.
  var hasLookedLast = false
  /// Whether what cannot be read is damage, since nothing more comes.
  var isFinal = false

  /// A chunk that nobody has read yet.
  struct WaitingChunk {
    let slot: Int
    let sequence: UInt64
    let firstTick: UInt64
  }

  /// A writer of chunks: a thread, but the system's number of one that ended is used again.
  struct ThreadKey: Hashable {
    let process: UInt64
    let provider: UInt64

    init(_ chunk: FXTChunk) {
      process = chunk.process
      provider = chunk.provider
    }
  }

  /// Opens the recording at `path`.
  ///
  /// - Throws: Where there is none, or it is no recording of the profile; `LiveTraceReader.notBegun`
  ///   where there is a file that has no first page yet.
  package init(path: String, options: ImportOptions = ImportOptions()) throws(ImportError) {
    self.path = path
    names = CodeNames(options)
    file = try LiveFile(path: path)
    var builder = TraceBuilder(format: "fxt")
    builder.source.path = path
    decoder = FXTDecoder(builder)
    decoder.isScrollTraceRecording = true
    guard let session = try readSession() else {
      throw try mayBegin() ? Self.notBegun : Self.notOurs
    }
    try session.checkVersion()
    decoder.profile.session = session
    decoder.profile.liveKeptSince = session.keptSince
    reuses = session.chunksOverwritten
    seenReuses = reuses
  }

  /// Why a file cannot be watched whose writer has not got far enough, if it has one.
  package static let notBegun = ImportError(
    "holds nothing yet", advice: "it has to be recorded by ScrollTrace's recorder")

  static let notOurs = ImportError(
    "is not a recording that can be watched",
    advice: "only those of ScrollTrace's recorder can; see 'scrolltrace analyze'")

  // MARK: - The host

  /// The system's number of the host's process.
  package var process: UInt64 { decoder.profile.session?.process ?? 0 }

  /// The clock of the recording's times, as the file numbers them; 0 for the host's own.
  package var clock: UInt32 { decoder.profile.session?.clock ?? 0 }

  /// Whether the host has closed the recording.
  package var isClosed: Bool { decoder.profile.session?.state == 1 }

  /// What the path leads to now.
  package var place: Place { file.place(of: path) }

  /// Whether there is more to be read than was read the last time.
  package var hasMore: Bool {
    !waiting.isEmpty || (isFinal && LiveChunk.offset(ofSlot: firstFree) < file.size)
  }

  /// How much of the file has begun and was not read yet, in bytes.
  package var waitingByteCount: Int { waiting.count * RecordingLayout.chunkSize }

  /// When the first chunk that was not read yet began, or `nil` if there is none. What is recorded
  /// before it is known, long pieces of work aside, which are recorded when they end.
  package var frontier: Timestamp? {
    waiting.last.flatMap { Int64(exactly: $0.firstTick) }.flatMap(Timestamp.init(nanoseconds:))
  }

  // MARK: - What is known

  /// How many things are held.
  package var itemCount: Int { decoder.builder.itemCount }

  /// The last instant of anything read so far, or `nil` if there is nothing yet.
  package var latestTime: Timestamp? { decoder.builder.latestTime }

  /// The trace of what is held, as if nothing more came; its range is that of all that was read.
  package func trace() -> Trace {
    decoder.profile.byteCount = isFinal ? file.size : nil
    var builder = decoder.snapshot(openStacks())
    builder.source.byteCount = file.size
    return names.name(builder.finish())
  }

  /// Forgets what had ended before `time`.
  package func forget(before time: Timestamp) { decoder.forget(before: time) }

  /// Says that the host will write no more, so that what cannot be read is damage.
  package func end() { isFinal = true }
}
