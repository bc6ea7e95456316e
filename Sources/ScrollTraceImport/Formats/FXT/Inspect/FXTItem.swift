internal import ScrollTraceLayout

/// One item of a file.
package enum FXTItem {
  /// The first page; its session is `nil` if its blob is lost.
  case page(FXTSessionFacts?, offset: UInt64, byteCount: Int)
  /// The start of a chunk.
  case chunk(FXTChunkFacts)
  /// A record, including padding and seals.
  case record(FXTRecordItem)
  /// Bytes that are not records.
  case damage(FXTDamage)
  /// The end of the current chunk.
  case chunkEnd(FXTSealState)
}

/// A record with its position.
package struct FXTRecordItem {
  let record: FXTRecord

  package var offset: UInt64 { record.offset }

  /// The number of bytes.
  package var byteCount: UInt64 { UInt64(record.bytes.count) }

  /// A Boolean value indicating whether the record only covers unused space.
  package var isPad: Bool { record.isPad }

  /// A Boolean value indicating whether the record is an event.
  var isEvent: Bool { record.header & 0xf == FXT.RecordType.event.rawValue }

  /// The event kind and category of an event, equal for events that are counted together while the
  /// tables do not change, or `nil` if the category is inline.
  var countingKey: UInt64? {
    let header = record.header
    return header & 1 << 47 != 0 ? nil : header & 0x0000_ffff_000f_0000
  }

  /// Returns the record's content.
  package func facts(_ names: FXTNames) -> FXTRecordFacts { FXTRecordFacts(record, names) }
}

/// Bytes that are not records.
package struct FXTDamage: Equatable {
  /// The reason the bytes are not records.
  package enum Reason: String {
    /// The record states size zero.
    case zeroSize = "a record of size zero"
    /// A record longer than its container.
    case tooLong = "a record longer than its chunk"
    /// The file ends inside a record.
    case cut = "the file ends inside a record"
    /// A page or chunk does not start like one.
    case noBegin = "neither a chunk nor padding starts here"
    /// The blob of a page or chunk is not in place.
    case noBlob = "the page's or chunk's identifying record is missing"
    /// Zeros between records.
    case zeros = "zeros instead of records"
  }

  /// The offset of the first byte.
  package var offset: UInt64
  /// The number of bytes.
  package var byteCount: UInt64
  /// The reason the bytes are not records.
  package var reason: Reason
}

/// The state of a chunk's seal (W9).
package enum FXTSealState: String {
  /// The number of records and the checksum match.
  case valid
  /// One of them does not match.
  case wrong
  /// The chunk has no seal, so it cannot be checked.
  case missing
}

/// A chunk, or the space for one.
package struct FXTChunkFacts {
  /// The offset of the chunk.
  package var offset: UInt64
  /// The number of its bytes that are present.
  package var byteCount: Int
  /// A Boolean value indicating whether the chunk is pure padding: prepared but never used.
  package var isUnused: Bool
  /// The chunk's identity, or `nil` if its blob is lost.
  package var identity: Identity?

  /// The identity that a chunk contains.
  package struct Identity {
    /// The chunk's number in the recording.
    package var sequence: UInt64
    /// The chunk's number among those of its thread.
    package var threadSequence: UInt64
    /// The chunk's thread.
    package var thread: FXTNames.Thread
    /// The number of events the thread had lost when the chunk was started.
    package var threadDrops: UInt64
    /// The clock at the chunk's start, in nanoseconds.
    package var firstTick: UInt64
    package var isMain: Bool
    /// A Boolean value indicating whether the chunk contains open spans.
    package var holdsStacks: Bool
    /// A Boolean value indicating whether the chunk belongs to no thread: its events identify their
    /// own threads.
    package var isShared: Bool
  }
}

/// The content of the session blob.
package struct FXTSessionFacts {
  /// The wall clock at a time of the recording's clock.
  package struct Anchor {
    /// The recording's clock, in nanoseconds.
    package var clock: UInt64
    /// The wall clock, in nanoseconds since 1970.
    package var wall: Int64
    /// The maximum error of the pair, in nanoseconds.
    package var uncertainty: UInt64
  }

  /// The version of the recording layout.
  package var version: (major: UInt16, minor: UInt16)
  /// Why no reader of this version takes the file, or `nil` if it does.
  var versionError: ImportError?
  /// The number of the clock, see `RecordingLayout.Session.clock`.
  package var clock: UInt32
  /// The recording's 16-byte identifier, as hexadecimal digits.
  package var identifier: String
  /// The process id.
  package var process: UInt64
  /// The ticks per second of the counter that was read, or 0 if none was.
  package var counterFrequency: UInt64
  /// The anchor at the start, or `nil` if there is none.
  package var opened: Anchor?
  /// The anchor at the end, or `nil` if there is none.
  package var closed: Anchor?
  /// A Boolean value indicating whether the recording was finished.
  package var isClosed: Bool
  /// The number of bytes of the finished file, or 0 if the file does not state it (F-8).
  package var finishedSize: UInt64
  /// The reason the recorder ran out of space, or `nil` if it did not.
  package var stopReason: String?
  /// The minimum number of chunks in a flight recorder's ring, or 0 if everything is retained.
  package var ringChunks: UInt64
  /// The number of chunks it has reused.
  package var chunksOverwritten: UInt64
  /// The time from which nothing is overwritten, in nanoseconds, or 0 if nothing is.
  package var keptSince: UInt64
  /// The number of recordings that this one stands for, or `nil` if it does not say so.
  package var weight: UInt64?
  /// The numbers of records lost while recording, by reason.
  package var drops: [(reason: String, count: UInt64)]

  /// Creates the facts of the page that starts with `bytes`, or returns `nil` if its blob is not in
  /// place.
  init?(page bytes: UnsafeRawBufferPointer) {
    typealias Layout = RecordingLayout.Session
    guard let session = FXTSession(page: bytes) else { return nil }
    do throws(ImportError) {
      try session.checkVersion()
    } catch {
      versionError = error
    }
    let start = RecordingLayout.sessionPayloadOffset
    version = (session.major, bytes.word16(at: start + Layout.minor))
    clock = bytes.word32(at: start + Layout.clock)
    identifier = session.identifier
    process = session.process
    counterFrequency = bytes.word(at: start + Layout.counterFrequency)
    opened = Self.anchor(bytes, at: start + Layout.openAnchor)
    isClosed = session.state == 1
    // Before, it is the last time at which the recorder was alive.
    closed = isClosed ? Self.anchor(bytes, at: start + Layout.closeAnchor) : nil
    finishedSize = session.finishedSize
    stopReason = session.stopReason
    ringChunks = session.ringChunks
    chunksOverwritten = session.chunksOverwritten
    keptSince = session.keptSince
    weight = session.weight
    drops = [
      ("out of space", session.droppedNoChunk), ("too large", session.droppedTooBig),
      ("after finish", session.droppedAfterClose),
      ("inside the recorder", session.refusedInside),
    ]
  }

  private static func anchor(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Anchor? {
    let anchor = Anchor(
      clock: bytes.word(at: offset + RecordingLayout.Anchor.clock),
      wall: Int64(bitPattern: bytes.word(at: offset + RecordingLayout.Anchor.wall)),
      uncertainty: bytes.word(at: offset + RecordingLayout.Anchor.uncertainty))
    return anchor.clock == 0 && anchor.wall == 0 && anchor.uncertainty == 0 ? nil : anchor
  }
}
