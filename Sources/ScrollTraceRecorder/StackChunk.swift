internal import CRecorderShims
internal import ScrollTraceLayout

/// What was running when the process died (F-5): the open spans of up to 31 threads, in mapped
/// memory that is changed in place and never sealed.
///
/// A stack chunk is a chunk of the file's grid (32760 bytes), all numbers little-endian:
///
/// ```
/// offset  size  what
///      0     8  provider info, id 0, name ""
///      8    16  init record, 1e9 ticks a second
///     24   8+24  blob header, inline name "scrolltrace.chunk" (17 bytes, zero padded)
///     56    64  chunk payload; flags has bit 1 (stacks), thread and threadSequence are 0
///    120   8+24  blob header, inline name "scrolltrace.stacks" (18 bytes, zero padded)
///    152    16  u32 layout = 1 | u32 slots = 31 | u32 entries a slot = 32 | u32 slot size = 1048
///    168  1048  slot 0
///   1216  1048  slot 1 … slot 30
///  32656   104  pad
///
/// slot:    0     8  u64 thread id; 0 the slot is free, whatever else it holds
///          8     4  u32 depth: how many spans are open; the outermost 32 have entries
///         12     4  u32 generation: counts every begin and end
///         16     4  u32 flags of the thread: bit 0 main thread, bit 2 simulated thread
///         20     4  u32 0
///         24 32*32  entries, outermost first
///
/// entry:   0     8  u64 begin in ns; 0 the span was ended by another thread
///          8     2  u16 category: string index, 0 unknown
///         10     2  u16 name: string index, 0 unknown
///         12     4  u32 flags: bit 0 the item is set
///         16     8  u64 item; the frame's id in category "scrolltrace.frame"
///         24     8  0
/// ```
///
/// Depth and generation are one word that is stored with release after the entry. A live reader
/// copies the word, the entries below the depth and the word again; the copy holds if the words are
/// equal. An entry that becomes another in place changes its begin last, when the event of the first
/// is written. The event of a span is written before its entry is taken off, so an entry whose `begin`
/// is that of a complete event of the thread is not open.
enum StackChunk {
  /// Writes an empty stack chunk over the pad at `chunk`, behind its preamble.
  static func write(at chunk: UnsafeMutableRawPointer) {
    let record = chunk + RecordingLayout.chunkPreambleSize
    let payload = chunk + RecordingLayout.stacksPayloadOffset
    typealias Stacks = RecordingLayout.Stacks
    (payload + Stacks.layout).storeBytes(of: Stacks.layoutVersion, as: UInt32.self)
    (payload + Stacks.slots).storeBytes(of: UInt32(Stacks.slotCount), as: UInt32.self)
    (payload + Stacks.depth).storeBytes(of: UInt32(Stacks.entryCount), as: UInt32.self)
    (payload + Stacks.slotSize).storeBytes(of: UInt32(RecordingLayout.Slot.size), as: UInt32.self)
    let end = payload + Stacks.size
    RecordBuilder.writePad(from: end, to: chunk + RecordingLayout.chunkSize)
    RecordBuilder.writeBlobName(RecordingLayout.BlobName.stacks, at: record + 8)
    let header = FXTWord.blob(
      words: FXTWord.words(end - record),
      nameLength: RecordingLayout.BlobName.stacks.utf8CodeUnitCount, payloadLength: Stacks.size)
    scrolltrace_store_release(record, header)
  }

  /// The slot number `index` of the stack chunk at `chunk`.
  static func slot(_ index: Int, of chunk: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    chunk + RecordingLayout.stacksPayloadOffset + RecordingLayout.Stacks.headerSize
      + index * RecordingLayout.Slot.size
  }
}
