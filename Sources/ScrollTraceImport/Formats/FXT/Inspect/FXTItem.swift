internal import ScrollTraceLayout

/// One thing that lies in a file.
package enum FXTItem {
  /// The first page; its session is `nil` where its blob is lost.
  case page(FXTSessionFacts?, offset: UInt64, byteCount: Int)
  /// A chunk begins.
  case chunk(FXTChunkFacts)
  /// A record, pads and seals among them.
  case record(FXTRecordItem)
  /// Bytes that are no records.
  case damage(FXTDamage)
  /// The chunk that began last ends.
  case chunkEnd(FXTSealState)
}

/// A record where it lies.
package struct FXTRecordItem {
  let record: FXTRecord

  /// Where it begins.
  package var offset: UInt64 { record.offset }

  /// How many bytes it has.
  package var byteCount: UInt64 { UInt64(record.bytes.count) }

  /// Whether it only covers what is not used.
  package var isPad: Bool { record.isPad }

  /// Type, kind of event and category as they stand in the header: alike for records that are counted
  /// together, as long as the tables stay the same, or `nil` if the category stands in the record.
  var countingKey: UInt64? {
    let header = record.header
    guard header & 0xf == FXT.RecordType.event.rawValue else { return header & 0xf }
    return header & 1 << 47 != 0 ? nil : header & 0x0000_ffff_000f_000f
  }

  /// What it says.
  package func facts(_ names: FXTNames) -> FXTRecordFacts { FXTRecordFacts(record, names) }
}

/// Bytes that are no records.
package struct FXTDamage: Hashable {
  /// Why they are none.
  package enum Reason: String {
    /// A record that says that it has no size.
    case zeroSize = "a record without a size"
    /// A record that is longer than what it lies in.
    case tooLong = "a record that is longer than its chunk"
    /// The file ends inside a record.
    case cut = "the file ends inside a record"
    /// A page or chunk that does not begin as one.
    case noBegin = "neither a chunk nor a pad begins here"
    /// The blob of a page or chunk is not in its place.
    case noBlob = "the page's or chunk's identifying record is missing"
    /// Zeros between records.
    case zeros = "zeros in place of records"
  }

  /// Where they begin.
  package var offset: UInt64
  /// How many there are.
  package var byteCount: UInt64
  /// Why they are none.
  package var reason: Reason
}

/// Whether a chunk is sealed (W9).
package enum FXTSealState: String {
  /// Number of records and checksum fit.
  case valid
  /// One of them does not.
  case wrong
  /// It has no seal: nobody has checked it.
  case missing
}

/// A chunk, or the place of one.
package struct FXTChunkFacts {
  /// Where it begins.
  package var offset: UInt64
  /// How many of its bytes are there.
  package var byteCount: Int
  /// Whether it is one pad: prepared, and never used.
  package var isUnused: Bool
  /// Its number in the recording, its number among its thread's, its thread and flags, or `nil` if its
  /// blob is lost.
  package var identity: Identity?

  /// What a chunk says of itself.
  package struct Identity {
    /// The chunk's number in the recording.
    package var sequence: UInt64
    /// The chunk's number among its thread's.
    package var threadSequence: UInt64
    /// Whose it is.
    package var thread: FXTNames.Thread
    /// How many events the thread had lost when it was begun.
    package var threadDrops: UInt64
    /// The clock when it was begun, in nanoseconds.
    package var firstTick: UInt64
    /// Whether the thread is the main thread.
    package var isMain: Bool
    /// Whether it holds open spans.
    package var holdsStacks: Bool
    /// Whether it belongs to no thread: its events say themselves whose they are.
    package var isShared: Bool
  }
}

/// What the session blob says.
package struct FXTSessionFacts {
  /// The wall clock at an instant of the recording's clock.
  package struct Anchor {
    /// The recording's clock, in nanoseconds.
    package var clock: UInt64
    /// Nanoseconds since 1970.
    package var wall: Int64
    /// How far the two may be apart, in nanoseconds.
    package var uncertainty: UInt64
  }

  /// The version of the profile.
  package var version: (major: UInt16, minor: UInt16)
  /// Why no reader of this version takes the file, or `nil` if it does.
  var versionError: ImportError?
  /// The number of the clock, see `RecordingLayout.Session.clock`.
  package var clock: UInt32
  /// The recording's 16-byte identifier, as hexadecimal digits.
  package var identifier: String
  /// The process id.
  package var process: UInt64
  /// Ticks a second of the counter that was read; 0 where none was.
  package var counterFrequency: UInt64
  /// The anchor made at the start; `nil` for none.
  package var opened: Anchor?
  /// The anchor made at the end; `nil` for none.
  package var closed: Anchor?
  /// Whether the recording was finished.
  package var isClosed: Bool
  /// How many bytes the finished file has; 0 where it does not say so (F-8).
  package var finishedSize: UInt64
  /// Why the recorder found no more room, or `nil` if it did.
  package var stopReason: String?
  /// How many chunks the ring of a flight recorder has at least; 0 where everything is kept.
  package var ringChunks: UInt64
  /// How many chunks it has used again.
  package var chunksOverwritten: UInt64
  /// The instant from which on nothing is overwritten, in nanoseconds; 0 nothing is.
  package var keptSince: UInt64
  /// What was lost while recording, by cause.
  package var drops: [(reason: String, count: UInt64)]

  /// The facts of the page that begins with `bytes`, or `nil` if its blob is not in place.
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
    identifier = (0..<16).map { index in
      let byte = bytes[start + Layout.identifier + index]
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    process = session.process
    counterFrequency = bytes.word(at: start + Layout.counterFrequency)
    opened = Self.anchor(bytes, at: start + Layout.openAnchor)
    closed = Self.anchor(bytes, at: start + Layout.closeAnchor)
    isClosed = session.state == 1
    finishedSize = session.finishedSize
    stopReason = session.stopReason
    ringChunks = session.ringChunks
    chunksOverwritten = session.chunksOverwritten
    keptSince = session.keptSince
    drops = [
      ("no room", session.droppedNoChunk), ("too big", session.droppedTooBig),
      ("after the end", session.droppedAfterClose),
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
