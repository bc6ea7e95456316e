internal import ScrollTraceLayout

/// What the blob of a chunk says.
struct FXTChunk {
  /// The writer's number, which no other thread of the recording gets; a thread's may come again.
  let provider: UInt64
  let flags: UInt32
  let sequence: UInt64
  let threadSequence: UInt64
  let process: UInt64
  let thread: UInt64
  let threadDrops: UInt64
  let firstTick: UInt64

  /// The chunk whose first bytes are `bytes`, or `nil` if its blob is not in place.
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

  /// Where the record of the chunk blob begins in its chunk: behind provider info and init.
  static let blobOffset = 24

  /// Whether the chunk holds open spans.
  var holdsStacks: Bool { flags & RecordingLayout.ChunkFlag.stacks != 0 }

  /// Whether the chunk belongs to no thread: its events say themselves whose they are.
  var isShared: Bool { thread == 0 && flags & RecordingLayout.ChunkFlag.durable != 0 }

  /// Whether the chunk's thread is the main thread.
  var isMain: Bool { flags & RecordingLayout.ChunkFlag.mainThread != 0 }

  /// Whether the vocabulary says nothing of the chunk's events.
  var isLiteral: Bool { flags & RecordingLayout.ChunkFlag.literal != 0 }

  /// Whether the chunk's async events are spans of no thread's stack.
  var holdsApart: Bool { flags & RecordingLayout.ChunkFlag.apart != 0 }

  /// Whether the host records all work of the thread.
  var isComplete: Bool { flags & RecordingLayout.ChunkFlag.completeThread != 0 }
}
