import ScrollTraceLayout
import ScrollTraceModel

/// Writes records into chunks, each of which is self-contained and sealed.
struct RecordingChunks: ~Copyable {
  /// The kind of a chunk.
  struct Kind {
    /// See `RecordingLayout.ChunkFlag`.
    var flags: UInt32
    /// The track of the chunk, or `nil` if its events have their own.
    var track: TrackID?
  }

  /// An event to write.
  struct Event {
    var event: FXTWriter.Event
    /// The track of the event, or `nil` if it has none.
    var track: TrackID?
    var category: FXTWriter.Name
    var name: FXTWriter.Name
    var time: Timestamp
    var arguments: [(key: FXTWriter.Name, value: FXTWriter.Value)] = []
  }

  private(set) var output: ExportOutput
  var names: RecordingNames
  private(set) var leftOut = ExportOmissions()

  private let process: UInt64
  private let threads: [(process: UInt64, thread: UInt64)]
  private var kind = Kind(flags: RecordingLayout.ChunkFlag.durable)
  private var chunk = FXTWriter()
  private var draft = FXTWriter()
  private var recordCount: UInt64 = 0
  /// The number of chunks so far, which is the number of the last one.
  private var chunkCount: UInt32 = 0
  private var threadChunkCount: UInt64 = 0
  /// The size of an empty chunk.
  private var headSize = 0
  /// The track of each index in the current chunk.
  private var tracks: [TrackID?] = Array(repeating: nil, count: 256)

  /// Creates the chunks of a file.
  init(_ trace: Trace, process: UInt64, _ output: consuming ExportOutput) {
    self.output = output
    self.process = process
    names = RecordingNames(trace.strings)
    threads = trace.tracks.map { (trace.processes[$0.process.index].systemID, $0.systemID) }
  }

  /// Starts chunks of another kind.
  mutating func begin(_ kind: Kind) {
    end()
    self.kind = kind
    threadChunkCount = 0
    beginChunk()
  }

  /// Ends the last chunk.
  mutating func end() {
    guard chunkCount > 0, !chunk.bytes.isEmpty else { return }
    let checksum = chunk.bytes.withUnsafeBytes { CRC32C.checksum(of: $0) }
    var payload = FXTWriter()
    payload.appendWord(recordCount)
    payload.appendWord(UInt64(checksum))
    chunk.appendBlob(
      .inline(RecordingLayout.BlobName.seal.description), payload.bytes)
    chunk.appendPad(words: (RecordingLayout.chunkSize - chunk.bytes.count) / 8)
    output.append(chunk.bytes)
    chunk.removeAll()
  }

  /// Adds an event. If a whole chunk has no room for its arguments, the last ones are omitted.
  ///
  /// - Parameter kind: The kind of object that is lost if there is no room for the event.
  mutating func add(_ event: Event, as kind: ExportOmissions.Kind) {
    guard !output.hasFailed else { return }
    var event = event
    if event.arguments.count > 15 {
      leftOut.add(.argument, event.arguments.count - 15)
      event.arguments.removeLast(event.arguments.count - 15)
    }
    while !append({ $0.write(event) }) {
      guard !event.arguments.isEmpty else { return leftOut.add(kind) }
      event.arguments.removeLast()
      leftOut.add(.argument)
    }
  }

  /// Adds a track with its position in the order of all and its name.
  mutating func add(_ track: TrackID, name: String) {
    let (process, thread) = threads[track.index]
    let key = names.name(Vocabulary.Key.process)
    let name = names.name(name)
    let isNamed = append { chunks in
      _ = chunks.threadIndex(of: track)
      guard !name.isEmpty else { return }
      chunks.define(name)
      chunks.define(key)
      chunks.draft.appendThreadName(name, systemID: thread, process: process, processKey: key)
      chunks.draftedCount += 1
    }
    guard !isNamed else { return }
    leftOut.add(.changedName)
    _ = append { _ = $0.threadIndex(of: track) }
  }

  /// Adds a process with its position in the order of all, its name, and whether it is the host.
  mutating func add(_ process: TraceProcess) {
    let key = names.name(Vocabulary.Key.host)
    for name in [names.name(process.name), .empty] {
      let isNamed = append { chunks in
        chunks.define(key)
        chunks.define(name)
        chunks.draft.appendProcessName(
          name, process: process.systemID, argument: (key, .bool(process.isHost)))
        chunks.draftedCount += 1
      }
      if isNamed { return }
      leftOut.add(.changedName)
    }
  }

  /// Adds a blob of sampled stacks.
  mutating func add(samples payload: [UInt8]) {
    _ = append { chunks in
      chunks.draft.appendBlob(
        .inline(RecordingLayout.BlobName.samples.description), payload, type: FXT.perfettoBlob)
      chunks.draftedCount += 1
    }
  }

  // MARK: - Records

  /// Appends the records that `body` drafts, in a new chunk if the current one is full. Returns
  /// `false` if they are too large for any chunk.
  private mutating func append(_ body: (inout RecordingChunks) -> Void) -> Bool {
    if !draft(body, fittingBehind: chunk.bytes.count) {
      // Another chunk defines all names again, so the current one ends only if the records fit
      // there.
      isForNextChunk = true
      defer { isForNextChunk = false }
      guard draft.tooLargeCount == 0, draft(body, fittingBehind: headSize) else { return false }
      end()
      beginChunk()
    }
    chunk.append(draft.bytes)
    recordCount += UInt64(drafted.count + draftedTracks.count + draftedCount)
    for index in drafted { names.define(index, in: chunkCount) }
    for (slot, track) in draftedTracks { tracks[slot] = track }
    return true
  }

  /// Drafts records and returns whether they fit into a chunk after `count` bytes.
  private mutating func draft(
    _ body: (inout RecordingChunks) -> Void, fittingBehind count: Int
  ) -> Bool {
    drafted = []
    draftedTracks = []
    draftedCount = 0
    draft.removeAll()
    body(&self)
    return draft.tooLargeCount == 0
      && count + draft.bytes.count + RecordingLayout.Seal.recordSize <= RecordingLayout.chunkSize
  }

  /// A Boolean value indicating whether the draft is for the next chunk, in which nothing is
  /// defined yet.
  private var isForNextChunk = false

  /// The indices that the draft defines.
  private var drafted: [UInt16] = []
  private var draftedTracks: [(slot: Int, track: TrackID)] = []
  /// The number of other records in the draft.
  private var draftedCount = 0

  private mutating func define(_ name: FXTWriter.Name) {
    guard case .index(let index) = name, !drafted.contains(index),
      let text = names.undefinedText(index, in: chunkCount + (isForNextChunk ? 1 : 0))
    else { return }
    draft.appendString(index, text)
    drafted.append(index)
  }

  /// Returns the index of a track, which the draft defines if the chunk does not.
  private mutating func threadIndex(of track: TrackID) -> UInt8 {
    let slot = track.index % 255 + 1
    if isForNextChunk || tracks[slot] != track {
      let (process, thread) = threads[track.index]
      draft.appendThread(UInt8(slot), process: process, systemID: thread)
      draftedTracks.append((slot, track))
    }
    return UInt8(slot)
  }

  private mutating func write(_ event: Event) {
    define(event.category)
    define(event.name)
    for argument in event.arguments {
      define(argument.key)
      if case .string(let name) = argument.value { define(name) }
    }
    let thread: FXTWriter.Thread =
      event.track.map { .index(threadIndex(of: $0)) } ?? .inline(process: 0, thread: 0)
    draft.appendEvent(
      event.event, thread: thread, category: event.category, name: event.name,
      at: UInt64(event.time.nanoseconds), arguments: event.arguments)
    draftedCount += 1
  }

  // MARK: - Chunks

  private mutating func beginChunk() {
    typealias Layout = RecordingLayout.Chunk
    let owner = kind.track.map { threads[$0.index] }
    tracks = Array(repeating: nil, count: 256)
    var payload = FXTWriter()
    payload.appendWord(UInt64(Layout.layoutVersion) | UInt64(kind.flags) << 32)
    payload.appendWord(UInt64(chunkCount))
    payload.appendWord(owner == nil ? 0 : threadChunkCount)
    payload.appendWord(owner?.process ?? process)
    payload.appendWord(owner?.thread ?? 0)
    for _ in 0..<3 { payload.appendWord(0) }
    chunk.removeAll()
    chunk.appendProvider(kind.track.map { UInt32(truncatingIfNeeded: $0.index + 2) } ?? 1)
    chunk.appendInitialization()
    chunk.appendBlob(
      .inline(RecordingLayout.BlobName.chunk.description), payload.bytes)
    headSize = chunk.bytes.count
    recordCount = 3
    chunkCount += 1
    threadChunkCount += 1
  }
}

extension FXTWriter.Name {
  /// A Boolean value indicating whether it is the empty name.
  fileprivate var isEmpty: Bool {
    if case .empty = self { return true }
    return false
  }
}
