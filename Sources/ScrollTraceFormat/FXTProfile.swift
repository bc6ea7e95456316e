internal import ScrollTraceModel

/// What the session blob of a file says.
struct FXTSession {
  let major: UInt16
  let incompatibleFlags: UInt64
  let process: UInt64
  let droppedNoChunk: UInt64
  let droppedTooBig: UInt64
  let droppedAfterClose: UInt64
  let chunksOverwritten: UInt64
  let state: UInt64
  let stop: UInt64

  /// The session of the file whose first bytes are `page`; `nil` where its blob is not in place.
  init?(page: UnsafeRawBufferPointer) {
    typealias Layout = ProfileLayout.Session
    let start = ProfileLayout.sessionPayloadOffset
    guard page.count >= start + Layout.size,
      page.isBlob(ProfileLayout.BlobName.session, at: ProfileLayout.sessionRecordOffset)
    else { return nil }
    major = page.word16(at: start + Layout.major)
    incompatibleFlags = page.word(at: start + Layout.incompatibleFlags)
    process = page.word(at: start + Layout.process)
    droppedNoChunk = page.word(at: start + Layout.droppedNoChunk)
    droppedTooBig = page.word(at: start + Layout.droppedTooBig)
    droppedAfterClose = page.word(at: start + Layout.droppedAfterClose)
    chunksOverwritten = page.word(at: start + Layout.chunksOverwritten)
    state = page.word(at: start + Layout.state)
    stop = page.word(at: start + Layout.stop)
  }

  /// Refuses a file that says that this version would misread it.
  func checkVersion() throws(ImportError) {
    let advice = "update scrolltrace to read it"
    if major > ProfileLayout.majorVersion {
      throw ImportError(
        "the trace has format version \(major), newer than \(ProfileLayout.majorVersion)",
        at: UInt64(ProfileLayout.sessionPayloadOffset), advice: advice)
    }
    if incompatibleFlags != 0 {
      throw ImportError(
        "the trace uses features that this version does not know "
          + "(flags 0x\(String(incompatibleFlags, radix: 16)))",
        at: UInt64(ProfileLayout.sessionPayloadOffset + ProfileLayout.Session.incompatibleFlags),
        advice: advice)
    }
  }
}

/// What the blob of a chunk says.
struct FXTChunk {
  let flags: UInt32
  let sequence: UInt64
  let threadSequence: UInt64
  let process: UInt64
  let thread: UInt64
  let threadDrops: UInt64

  /// The chunk whose first bytes are `bytes`; `nil` where its blob is not in place.
  init?(_ bytes: UnsafeRawBufferPointer) {
    typealias Layout = ProfileLayout.Chunk
    let start = ProfileLayout.chunkPayloadOffset
    guard bytes.count >= ProfileLayout.chunkPreambleSize,
      bytes.isBlob(ProfileLayout.BlobName.chunk, at: FXTChunk.blobOffset)
    else { return nil }
    flags = bytes.word32(at: start + Layout.flags)
    sequence = bytes.word(at: start + Layout.sequence)
    threadSequence = bytes.word(at: start + Layout.threadSequence)
    process = bytes.word(at: start + Layout.process)
    thread = bytes.word(at: start + Layout.thread)
    threadDrops = bytes.word(at: start + Layout.threadDrops)
  }

  /// Where the record of the chunk blob begins in its chunk: behind provider info and init.
  static let blobOffset = 24

  /// Whether the chunk holds open spans.
  var holdsStacks: Bool { flags & ProfileLayout.ChunkFlag.stacks != 0 }

  /// Whether the chunk's thread is the main thread.
  var isMain: Bool { flags & ProfileLayout.ChunkFlag.mainThread != 0 }

  /// Whether the host records all work of the thread.
  var isComplete: Bool { flags & ProfileLayout.ChunkFlag.completeThread != 0 }
}

/// What is known of a file of the profile apart from its events.
struct FXTProfile {
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

  /// The stack of a thread that had open spans.
  struct Stack {
    let thread: UInt32
    let entries: [Entry]
  }

  /// An open span as it lies in the file.
  struct Entry {
    let begin: UInt64
    let category: UInt16
    let name: UInt16
    let item: UInt64?
    let offset: UInt64
  }

  var session: FXTSession?
  /// The chunk that is being read.
  var chunk: FXTChunk?
  /// The chunks read so far, by their number in the recording.
  var seen: [UInt64: Seen] = [:]
  /// The chunks of each thread, by the thread's number.
  var sequences: [UInt32: Sequence] = [:]
  var stacks: [Stack] = []
}

extension UnsafeRawBufferPointer {
  /// Whether the record at `offset` is a data blob whose inline name is `name`.
  func isBlob(_ name: StaticString, at offset: Int) -> Bool {
    let length = name.utf8CodeUnitCount
    guard count >= offset + 8 + length else { return false }
    let header = word(at: offset)
    guard header.bits(0, 4) == FXT.RecordType.blob.rawValue,
      header.bits(48, 8) == ProfileLayout.blobType,
      header.bits(16, 16) == FXT.inlineBit | UInt64(length),
      FXTRecord.size(header) >= UInt64(8 + FXT.words(forBytes: length) * 8)
    else { return false }
    return self[(offset + 8)..<(offset + 8 + length)].elementsEqual(
      UnsafeBufferPointer(start: name.utf8Start, count: length))
  }
}
