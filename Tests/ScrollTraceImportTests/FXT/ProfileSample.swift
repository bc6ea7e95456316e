import ScrollTraceLayout
import ScrollTraceTestSupport

/// A file of the profile, built record by record as the specification says.
struct ProfileSample: Sendable {
  /// A chunk of the sample.
  struct Chunk: Sendable {
    var sequence: UInt64
    var threadSequence: UInt64 = 0
    var thread: UInt64 = 101
    /// The writer's number; that of the thread where it is `nil`.
    var provider: UInt32?
    var flags: UInt32 = RecordingLayout.ChunkFlag.mainThread
    var isSealed = false
    var isPadded = true
    var drops: UInt64 = 0
    var records: @Sendable (inout FXTWriter) -> Void = { _ in }
  }

  var major: UInt16 = 1
  var incompatibleFlags: UInt64 = 0
  var droppedNoChunk: UInt64 = 0
  var droppedTooBig: UInt64 = 0
  var droppedAfterClose: UInt64 = 0
  var chunksOverwritten: UInt64 = 0
  var ringChunks: UInt64 = 0
  var keptSince: UInt64 = 0
  var state: UInt64 = 1
  /// Whether the first page says how long the finished file is (F-8).
  var saysSize = false
  var chunks: [Chunk] = []

  static let process: UInt64 = 100

  /// Where chunk `index` begins in the file.
  static func offset(_ index: Int) -> Int {
    RecordingLayout.pageSize + index * RecordingLayout.chunkSize
  }

  /// The whole file.
  var bytes: [UInt8] { pageZero + chunks.flatMap { Self.bytes(of: $0) } }

  private var pageZero: [UInt8] {
    typealias Session = RecordingLayout.Session
    // The fields of version 1.1 are there where they say something.
    let isRing = ringChunks > 0
    let isExtended = isRing || saysSize
    var payload = [UInt8](repeating: 0, count: isExtended ? Session.extendedSize : Session.size)
    if saysSize {
      payload.store(UInt16(2), at: Session.minor)
      payload.store(
        RecordingLayout.fileSize(chunkCount: chunks.count), at: Session.finishedSize)
      payload.store(UInt64(chunks.count), at: Session.finishedChunks)
    }
    if isRing {
      payload.store(UInt16(1), at: Session.minor)
      payload.store(ringChunks, at: Session.ringChunks)
      payload.store(keptSince, at: Session.keptSince)
    }
    payload.store(major, at: Session.major)
    payload.store(UInt32(2), at: Session.clock)
    payload.store(incompatibleFlags, at: Session.incompatibleFlags)
    payload.store(Self.process, at: Session.process)
    payload.store(UInt64(1_000_000_000), at: Session.ticksPerSecond)
    payload.store(UInt64(RecordingLayout.chunkSize), at: Session.chunkSize)
    payload.store(UInt64(RecordingLayout.pageSize), at: Session.pageSize)
    payload.store(droppedNoChunk, at: Session.droppedNoChunk)
    payload.store(droppedTooBig, at: Session.droppedTooBig)
    payload.store(droppedAfterClose, at: Session.droppedAfterClose)
    payload.store(chunksOverwritten, at: Session.chunksOverwritten)
    payload.store(state, at: Session.state)
    var writer = FXTWriter()
    writer.appendMagic()
    writer.appendBlob("scrolltrace.session", payload)
    writer.appendPad(words: (RecordingLayout.pageSize - writer.bytes.count) / 8)
    return writer.bytes
  }

  static func bytes(of chunk: Chunk) -> [UInt8] {
    typealias Layout = RecordingLayout.Chunk
    var payload = [UInt8](repeating: 0, count: Layout.size)
    payload.store(Layout.layoutVersion, at: Layout.layout)
    payload.store(chunk.flags, at: Layout.flags)
    payload.store(chunk.sequence, at: Layout.sequence)
    payload.store(chunk.threadSequence, at: Layout.threadSequence)
    payload.store(process, at: Layout.process)
    payload.store(chunk.thread, at: Layout.thread)
    payload.store(chunk.drops, at: Layout.threadDrops)
    var writer = FXTWriter()
    writer.appendProvider(chunk.provider ?? UInt32(chunk.thread))
    writer.appendInitialization()
    writer.appendBlob("scrolltrace.chunk", payload)
    var count: UInt64 = 3
    let ownsEvents = RecordingLayout.ChunkFlag.stacks | RecordingLayout.ChunkFlag.durable
    if chunk.flags & ownsEvents == 0 {
      writer.appendThread(1, process: process, systemID: chunk.thread)
      count += 1
    }
    let before = writer.bytes.count
    chunk.records(&writer)
    if chunk.isSealed {
      count += recordCount(writer.bytes[before...])
      var seal = [UInt8](repeating: 0, count: RecordingLayout.Seal.size)
      seal.store(count, at: RecordingLayout.Seal.recordCount)
      let checksum = writer.bytes.withUnsafeBytes { CRC32C.checksum(of: $0) }
      seal.store(checksum, at: RecordingLayout.Seal.checksum)
      writer.appendBlob("scrolltrace.seal", seal)
    }
    if chunk.isPadded {
      writer.appendPad(words: (RecordingLayout.chunkSize - writer.bytes.count) / 8)
    }
    return writer.bytes
  }

  private static func recordCount(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var position = bytes.startIndex
    var count: UInt64 = 0
    while position < bytes.endIndex {
      let size = (Int(bytes[position]) >> 4 | Int(bytes[position + 1]) << 4) * 8
      position += size
      count += 1
    }
    return count
  }

  /// One chunk of the main thread with a little of everything, small enough to flip every bit of.
  static let compact = ProfileSample(chunks: [
    Chunk(sequence: 0, isSealed: true) { writer in
      writer.appendString(1, "app")
      writer.appendString(2, "layout")
      writer.appendString(3, "scrolltrace.frame")
      writer.appendString(4, "main")
      writer.appendThreadName("main", systemID: 101, process: process)
      writer.append(
        .instant, .index(3), .index(4), at: 1_000,
        [
          ("frame", .uint64(1)), ("begin", .uint64(1_000)), ("deadline", .uint64(9_000)),
          ("target", .uint64(17_000)),
        ])
      writer.append(.complete(end: 4_000), .index(1), .index(2), at: 2_000)
      writer.append(.complete(end: 5_000), .index(3), .index(4), at: 1_500, [("frame", .uint32(1))])
      writer.append(
        .asyncBegin(id: 7), "scrolltrace.interaction", "drag", at: 900,
        [("surface", .string(.index(4)))])
      writer.append(.asyncEnd(id: 7), "scrolltrace.interaction", "drag", at: 20_000)
      writer.append(
        .counter(id: 0), "scrolltrace.counter", "pool", at: 3_000,
        [("size", .int32(3)), ("share", .double(0.5))])
    }
  ])
}

extension [UInt8] {
  /// Writes `value` at `offset`, little-endian.
  mutating func store(_ value: some FixedWidthInteger, at offset: Int) {
    Swift.withUnsafeBytes(of: value.littleEndian) { source in
      for (index, byte) in source.enumerated() { self[offset + index] = byte }
    }
  }
}
