/// The layout of a ScrollTrace recording, "scrolltrace FXT 1".
///
/// Everything is inlinable, so that the recorder's fast paths contain the numbers themselves.
///
/// All numbers are little-endian and naturally aligned. Offsets and sizes are in bytes. The
/// payloads of ScrollTrace's blobs only grow at their end (F-7): a reader uses what it supports and
/// skips the rest.
///
/// ```
/// file     page 0, then chunks; chunk k starts at pageSize + k * chunkSize
/// page 0   magic record | blob "scrolltrace.session" (record at sessionRecordOffset) | pad
/// chunk    provider info | init | blob "scrolltrace.chunk" | thread record, index 1 | records
///          [blob "scrolltrace.seal"] | pad
/// stacks   provider info | init | blob "scrolltrace.chunk" (flag stacks) | blob "scrolltrace.stacks"
///          [pad]
/// pad      blob, name "", type 1, covers the rest of the page or chunk; there is none where the
///          last record ends exactly at the end
/// ```
///
/// The names of our blobs are inline strings; the blob type is 1, that of sampled stacks 3. The payload of the session
/// blob starts at `sessionPayloadOffset` of the file, that of the chunk blob at `chunkPayloadOffset`
/// of its chunk, that of the stacks blob at `stacksPayloadOffset` of its chunk.
@usableFromInline package enum RecordingLayout {
  /// The first eight bytes of a file, as a little-endian word.
  @inlinable package static var magic: UInt64 { 0x0016_5478_4604_0010 }
  /// The major version. A reader rejects a greater one.
  @inlinable package static var majorVersion: UInt16 { 1 }
  /// The minor version, which counts additions. A file without any addition of version 1 has 0.
  @inlinable package static var minorVersion: UInt16 { 3 }
  @inlinable package static var pageSize: Int { 4096 }
  /// The size of a chunk: 4095 words, the maximum that a pad record can cover.
  @inlinable package static var chunkSize: Int { 32_760 }
  /// Where the record of the session blob starts in the file.
  @inlinable package static var sessionRecordOffset: Int { 8 }
  /// Where the payload of the session blob starts in the file: header 8, name 19 padded to 24.
  @inlinable package static var sessionPayloadOffset: Int { 40 }
  /// Where the payload of the chunk blob starts in its chunk.
  ///
  /// Before it: provider info 8, init 16, header 8, name 17 padded to 24.
  @inlinable package static var chunkPayloadOffset: Int { 56 }
  /// Where the records after the chunk blob start in a chunk.
  @inlinable package static var chunkPreambleSize: Int { chunkPayloadOffset + Chunk.size }
  /// Where the payload of the stacks blob starts in its chunk: header 8, name 18 padded to 24.
  @inlinable package static var stacksPayloadOffset: Int { chunkPreambleSize + 32 }

  /// The names of our blobs.
  @usableFromInline package enum BlobName {
    /// Who records, with which clock, and what was lost.
    @inlinable package static var session: StaticString { "scrolltrace.session" }
    /// Whose chunk this is.
    @inlinable package static var chunk: StaticString { "scrolltrace.chunk" }
    /// The open spans of up to 31 threads.
    @inlinable package static var stacks: StaticString { "scrolltrace.stacks" }
    /// Number and checksum of the records before it.
    @inlinable package static var seal: StaticString { "scrolltrace.seal" }
    /// Sampled stacks, as packets of Perfetto in a blob of that type (F-9).
    @inlinable package static var samples: StaticString { "scrolltrace.samples" }
  }

  /// The payload of the session blob: offset of each field from the payload's start.
  @usableFromInline package enum Session {
    /// u16: major version.
    @inlinable package static var major: Int { 0 }
    /// u16: minor version.
    @inlinable package static var minor: Int { 2 }
    /// u32: the clock. 0 the host's own (virtual time), 1 MONOTONIC_RAW or Apple's uptime, 2
    /// MONOTONIC, 3 BOOTTIME or Apple's continuous time.
    @inlinable package static var clock: Int { 4 }
    /// u64: features that an older reader may ignore.
    @inlinable package static var compatibleFlags: Int { 8 }
    /// The compatible flag of a recording whose chunks have no seals.
    @inlinable package static var unsealedFlag: UInt64 { 1 }
    /// u64: features that an older reader must refuse; none yet.
    @inlinable package static var incompatibleFlags: Int { 16 }
    /// 16 bytes: the identifier of this recording.
    @inlinable package static var identifier: Int { 24 }
    /// u64: the process id.
    @inlinable package static var process: Int { 40 }
    /// u64: ticks a second of the stored times, always 1e9.
    @inlinable package static var ticksPerSecond: Int { 48 }
    /// u64: ticks a second of the counter that was read, for information; 0 where times were read in
    /// nanoseconds.
    @inlinable package static var counterFrequency: Int { 56 }
    /// An anchor made at the start, see `Anchor`.
    @inlinable package static var openAnchor: Int { 64 }
    /// An anchor made at the end; before, the last time at which the recorder was alive, or all zero.
    @inlinable package static var closeAnchor: Int { 88 }
    /// u64: `chunkSize`.
    @inlinable package static var chunkSize: Int { 112 }
    /// u64: `pageSize`.
    @inlinable package static var pageSize: Int { 120 }
    /// u64, live: events lost because there was no chunk for them.
    @inlinable package static var droppedNoChunk: Int { 128 }
    /// u64, live: events lost because they, or a text in them, were too large.
    @inlinable package static var droppedTooBig: Int { 136 }
    /// u64, live: events after the recording was finished; ends of spans that were open then do not
    /// count.
    @inlinable package static var droppedAfterClose: Int { 144 }
    /// u64, live: chunks used again (flight recorder).
    @inlinable package static var chunksOverwritten: Int { 152 }
    /// u64: 0 open, 1 finished.
    @inlinable package static var state: Int { 160 }
    /// u64, live: why a chunk was refused. 0 none was, 1 the maximum size is reached, else the
    /// system's error number (`ENOSPC`: the disk is full) plus `writeErrorBase`.
    @inlinable package static var stop: Int { 168 }
    /// The size of the payload in minor version 0: all that a reader may rely on.
    @inlinable package static var size: Int { 176 }
    /// u64: how many chunks the ring of a flight recorder has at least; 0 the file grows.
    @inlinable package static var ringChunks: Int { 176 }
    /// u64, live: the instant from which on nothing is overwritten, in ns; 0 nothing is yet.
    @inlinable package static var keptSince: Int { 184 }
    /// u64, live: events that belong into durable chunks and found no room there.
    @inlinable package static var notDurable: Int { 192 }
    /// u64: what the record of one span costs the host, begin and end, in picoseconds; 0 not measured.
    @inlinable package static var recordCost: Int { 200 }
    /// u64: what one reading of a thread's counts costs the host, in picoseconds; 0 none is made. A frame
    /// has two.
    @inlinable package static var threadTimeCost: Int { 208 }
    /// u64: how many bytes the finished file has, page 0 included; 0 not finished, or unknown. Stored
    /// before `state`.
    @inlinable package static var finishedSize: Int { 216 }
    /// u64: how many chunks the finished file has; a check of `finishedSize`.
    @inlinable package static var finishedChunks: Int { 224 }
    /// u64, live at every change of chunks: events refused because their thread was inside the recorder,
    /// where a signal had interrupted it.
    @inlinable package static var refusedInside: Int { 232 }
    /// The size of the payload in minor version 3.
    @inlinable package static var extendedSize: Int { 240 }
    /// u64, live: how many signals were sent to sample stacks. The payload has this field and those after
    /// it only if stacks are sampled.
    @inlinable package static var sampleSignals: Int { 240 }
    /// u64, live: what the signals cost the sampled threads, in ns.
    @inlinable package static var sampleTime: Int { 248 }
    /// u64, live: how long the thread that samples stacks was on a core, in ns.
    @inlinable package static var samplerTime: Int { 256 }
    /// The size of the payload if stacks are sampled.
    @inlinable package static var sampledSize: Int { 264 }
    /// u64: how many recordings this one stands for; 0 unknown. The payload has this field and the next
    /// one only if not all recordings are kept. Stored before `state`; without an end it does not count.
    @inlinable package static var weight: Int { 264 }
    /// u64: `weight` with all bits changed.
    @inlinable package static var weightCheck: Int { 272 }
    /// The size of the payload if not all recordings are kept.
    @inlinable package static var weightedSize: Int { 280 }
    /// The largest weight.
    @inlinable package static var maximumWeight: UInt64 { 1_000_000_000 }
    /// What is added to an error number in `stop`.
    @inlinable package static var writeErrorBase: UInt64 { 1000 }
  }

  @inlinable package static func fileSize(chunkCount: Int) -> UInt64 {
    UInt64(pageSize) + UInt64(chunkCount) * UInt64(chunkSize)
  }

  /// Two clocks read at one moment: offset of each field from the anchor's start.
  ///
  /// All three zero: there is no anchor.
  @usableFromInline package enum Anchor {
    /// u64: the recording's clock, in ns.
    @inlinable package static var clock: Int { 0 }
    /// i64: wall time in ns since 1970.
    @inlinable package static var wall: Int { 8 }
    /// u64: how far the two may be apart, in ns.
    @inlinable package static var uncertainty: Int { 16 }
    @inlinable package static var size: Int { 24 }
  }

  /// The payload of the chunk blob: offset of each field from the payload's start.
  @usableFromInline package enum Chunk {
    /// u32: the layout of this payload, 1.
    @inlinable package static var layout: Int { 0 }
    /// u32: see `ChunkFlag`.
    @inlinable package static var flags: Int { 4 }
    /// u64: counts all chunks of the recording, from 0.
    @inlinable package static var sequence: Int { 8 }
    /// u64: counts the chunks of one thread, from 0; a gap means that one is lost. 0 in stack chunks.
    @inlinable package static var threadSequence: Int { 16 }
    /// u64: the process id.
    @inlinable package static var process: Int { 24 }
    /// u64: the thread id, 32 bits of it used; 0 in stack chunks.
    @inlinable package static var thread: Int { 32 }
    /// u64: how many events this thread had lost when the chunk was begun.
    @inlinable package static var threadDrops: Int { 40 }
    /// u64: the clock when the chunk was begun.
    @inlinable package static var firstTick: Int { 48 }
    /// u64: reserved, 0.
    @inlinable package static var baseFlags: Int { 56 }
    @inlinable package static var size: Int { 64 }
    /// The value of `layout`.
    @inlinable package static var layoutVersion: UInt32 { 1 }
  }

  @usableFromInline package enum ChunkFlag {
    @inlinable package static var mainThread: UInt32 { 1 }
    /// The chunk holds open spans, not events.
    @inlinable package static var stacks: UInt32 { 2 }
    /// The thread exists in virtual time only: the host recorded in its name.
    @inlinable package static var simulatedThread: UInt32 { 4 }
    /// The chunk is never used again (flight recorder). It belongs to no thread, its thread is 0: its
    /// events say themselves whose they are.
    @inlinable package static var durable: UInt32 { 8 }
    /// The host records all work of the thread: time without a span is idle time (M-16).
    @inlinable package static var completeThread: UInt32 { 16 }
  }

  /// The bit in the id of an asynchronous span that says that it is of no thread's stack: no work of the
  /// thread that wrote it.
  @inlinable package static var apartID: UInt64 { 1 << 63 }

  /// The payload of the seal blob: offset of each field from the payload's start.
  @usableFromInline package enum Seal {
    /// u64: the number of records in the chunk before the seal, all kinds counted.
    @inlinable package static var recordCount: Int { 0 }
    /// u32: the CRC-32C of the bytes from the chunk's start to the seal's; 0 not computed.
    @inlinable package static var checksum: Int { 8 }
    /// u32: reserved, 0.
    @inlinable package static var reserved: Int { 12 }
    @inlinable package static var size: Int { 16 }
    /// The size of the whole record: header 8, name 16, payload.
    @inlinable package static var recordSize: Int { 40 }
  }

  /// The payload of the stacks blob: a header, then `slotCount` slots of `Slot.size`.
  @usableFromInline package enum Stacks {
    /// u32: the layout of this payload, 1.
    @inlinable package static var layout: Int { 0 }
    /// u32: the number of slots, 31.
    @inlinable package static var slots: Int { 4 }
    /// u32: the entries of a slot, 32.
    @inlinable package static var depth: Int { 8 }
    /// u32: the size of a slot.
    @inlinable package static var slotSize: Int { 12 }
    @inlinable package static var headerSize: Int { 16 }
    /// How many threads share one stack chunk.
    @inlinable package static var slotCount: Int { 31 }
    /// How many open spans of a thread are kept.
    @inlinable package static var entryCount: Int { 32 }
    @inlinable package static var size: Int { headerSize + slotCount * Slot.size }
    /// The value of `layout`.
    @inlinable package static var layoutVersion: UInt32 { 1 }
  }

  /// One thread's open spans: offset of each field from the slot's start.
  ///
  /// `depth` and `generation` are one aligned u64, stored with release after the entries.
  @usableFromInline package enum Slot {
    /// u64: the thread id; 0 the slot is free.
    @inlinable package static var thread: Int { 0 }
    /// u32: how many spans are open; entries exist for the outermost 32, deeper ones only count.
    @inlinable package static var depth: Int { 8 }
    /// u32: counts every begin and end, so that a live reader notices that the stack has changed.
    @inlinable package static var generation: Int { 12 }
    /// u32: see `ChunkFlag`: whether the thread is the main thread, or a simulated one.
    @inlinable package static var flags: Int { 16 }
    /// u32: reserved, 0.
    @inlinable package static var reserved: Int { 20 }
    /// The entries, outermost first.
    @inlinable package static var entries: Int { 24 }
    @inlinable package static var size: Int { entries + Stacks.entryCount * Entry.size }
  }

  /// One open span: offset of each field from the entry's start.
  ///
  /// An entry whose `begin` is that of a complete event of the same thread is not open: the writer
  /// died between the event and the stack (begins of one thread differ, F-6). An entry whose `begin`
  /// is 0 was ended by another thread.
  @usableFromInline package enum Entry {
    /// u64: when the span began, in ns.
    @inlinable package static var begin: Int { 0 }
    /// u16: the category's string index; 0 where it has none. The string record is in some chunk of
    /// the thread; indices mean the same in every chunk (W5).
    @inlinable package static var category: Int { 8 }
    /// u16: the name's string index, likewise.
    @inlinable package static var name: Int { 10 }
    /// u32: bit 0: `item` is set.
    @inlinable package static var flags: Int { 12 }
    /// u64: the item that was worked on; the frame's id in category `scrolltrace.frame`.
    @inlinable package static var item: Int { 16 }
    /// u64: reserved, 0.
    @inlinable package static var reserved: Int { 24 }
    @inlinable package static var size: Int { 32 }
    /// Bit 0 of `flags`.
    @inlinable package static var hasItem: UInt32 { 1 }
  }
}
