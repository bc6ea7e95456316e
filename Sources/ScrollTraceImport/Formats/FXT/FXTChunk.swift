internal import ScrollTraceLayout

/// The content of a chunk's blob.
struct FXTChunk {
  /// The writer's number, unique in the recording; a thread's number can be reused.
  let provider: UInt64
  let flags: UInt32
  let sequence: UInt64
  let threadSequence: UInt64
  let process: UInt64
  let thread: UInt64
  let threadDrops: UInt64
  let firstTick: UInt64

  /// Creates the chunk that starts with `bytes`, or returns `nil` if its blob is not in place.
  init?(_ bytes: UnsafeRawBufferPointer) {
    typealias Layout = RecordingLayout.Chunk
    let start = RecordingLayout.chunkPayloadOffset
    guard bytes.count >= RecordingLayout.chunkPreambleSize,
      bytes.isBlob(RecordingLayout.BlobName.chunk, at: FXTChunk.blobOffset)
    else { return nil }
    provider = bytes.word(at: 0).bits(20, 32)
    flags = bytes.word32(at: start + Layout.flags)
    sequence = bytes.word(at: start + Layout.sequence)
    threadSequence = bytes.word(at: start + Layout.threadSequence)
    process = bytes.word(at: start + Layout.process)
    thread = bytes.word(at: start + Layout.thread)
    threadDrops = bytes.word(at: start + Layout.threadDrops)
    firstTick = bytes.word(at: start + Layout.firstTick)
  }

  /// The offset of the chunk blob's record in its chunk, after provider info and initialization.
  static let blobOffset = 24

  /// Whether the chunk contains open spans.
  var holdsStacks: Bool { flags & RecordingLayout.ChunkFlag.stacks != 0 }

  /// Whether the chunk belongs to no thread: its events identify their
  /// own threads.
  var isShared: Bool { thread == 0 && flags & RecordingLayout.ChunkFlag.durable != 0 }

  var isMain: Bool { flags & RecordingLayout.ChunkFlag.mainThread != 0 }

  /// Whether the host records all work of the thread.
  var isComplete: Bool { flags & RecordingLayout.ChunkFlag.completeThread != 0 }
}
