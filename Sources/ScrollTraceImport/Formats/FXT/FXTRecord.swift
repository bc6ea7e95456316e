internal import ScrollTraceLayout

/// The bytes of one record, all of them at hand.
struct FXTRecord {
  /// The record's bytes, a multiple of eight.
  let bytes: UnsafeRawBufferPointer

  /// Where in the source the record begins.
  let offset: UInt64

  /// How many words the record has, its header included.
  var count: Int { bytes.count / 8 }

  /// The record's first word.
  var header: UInt64 { self[0] }

  /// The word at `index`.
  subscript(index: Int) -> UInt64 { bytes.word(at: index * 8) }

  /// `count` bytes from word `index` on, or `nil` if the record ends before them.
  func text(at index: Int, count: Int) -> UnsafeBufferPointer<UInt8>? {
    guard index * 8 <= bytes.count, count <= bytes.count - index * 8 else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[(index * 8)..<(index * 8 + count)])
      .assumingMemoryBound(to: UInt8.self)
  }

  /// Whether this is a blob without a name, which covers what is not used yet.
  var isPad: Bool { Self.isPad(header) }

  /// Whether `header` is that of a blob without a name.
  static func isPad(_ header: UInt64) -> Bool {
    header.bits(0, 4) == FXT.RecordType.blob.rawValue && header.bits(16, 16) == 0
      && header.bits(48, 8) == FXT.dataBlob
  }

  /// The size in bytes that `header` says.
  static func size(_ header: UInt64) -> UInt64 {
    let isLarge = header.bits(0, 4) == FXT.RecordType.large.rawValue
    return header.bits(4, isLarge ? 32 : 12) * 8
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian word at `offset`, which must be at hand.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The little-endian number of 32 bits at `offset`, which must be at hand.
  func word32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The little-endian number of 16 bits at `offset`, which must be at hand.
  func word16(at offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// Whether the record at `offset` is a data blob whose inline name is `name`.
  func isBlob(_ name: StaticString, at offset: Int) -> Bool {
    let length = name.utf8CodeUnitCount
    guard count >= offset + 8 + length else { return false }
    let header = word(at: offset)
    guard header.bits(0, 4) == FXT.RecordType.blob.rawValue,
      header.bits(48, 8) == RecordingLayout.blobType,
      header.bits(16, 16) == FXT.inlineBit | UInt64(length),
      FXTRecord.size(header) >= UInt64(8 + FXT.words(forBytes: length) * 8)
    else { return false }
    return self[(offset + 8)..<(offset + 8 + length)].elementsEqual(
      UnsafeBufferPointer(start: name.utf8Start, count: length))
  }
}
