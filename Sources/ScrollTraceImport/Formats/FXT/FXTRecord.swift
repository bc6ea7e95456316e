internal import ScrollTraceLayout

/// The bytes of one complete record in memory.
struct FXTRecord {
  /// The record's bytes, a multiple of eight.
  let bytes: UnsafeRawBufferPointer

  /// The offset of the record in the source.
  let offset: UInt64

  /// The type, size and event type in the header of a complete event of three words.
  static let completeEventOfThreeWords: UInt64 = 0x4_0034

  /// The number of words in the record, including its header.
  var count: Int { bytes.count / 8 }

  var header: UInt64 { self[0] }

  subscript(index: Int) -> UInt64 { bytes.word(at: index * 8) }

  /// Returns `count` bytes from word `index` on, or `nil` if the record ends first.
  func text(at index: Int, count: Int) -> UnsafeBufferPointer<UInt8>? {
    guard index * 8 <= bytes.count, count <= bytes.count - index * 8 else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[(index * 8)..<(index * 8 + count)])
      .assumingMemoryBound(to: UInt8.self)
  }

  /// Whether this is a blob without a name, which covers unused space.
  var isPad: Bool { Self.isPad(header) }

  /// Returns whether `header` belongs to a blob without a name.
  static func isPad(_ header: UInt64) -> Bool {
    header.bits(0, 4) == FXT.RecordType.blob.rawValue && header.bits(16, 16) == 0
      && header.bits(48, 8) == FXT.dataBlob
  }

  /// Returns the size in bytes that `header` contains.
  static func size(_ header: UInt64) -> UInt64 {
    let isLarge = header.bits(0, 4) == FXT.RecordType.large.rawValue
    return header.bits(4, isLarge ? 32 : 12) * 8
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the little-endian word at `offset`, which must be in bounds.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns the little-endian 32-bit number at `offset`, which must be in bounds.
  func word32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Returns the little-endian 16-bit number at `offset`, which must be in bounds.
  func word16(at offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// Returns whether the record at `offset` is a data blob with the inline name `name`.
  func isBlob(_ name: StaticString, at offset: Int) -> Bool {
    let length = name.utf8CodeUnitCount
    guard count >= offset + 8 + length else { return false }
    let header = word(at: offset)
    guard header.bits(0, 4) == FXT.RecordType.blob.rawValue,
      header.bits(48, 8) == FXT.dataBlob,
      header.bits(16, 16) == FXT.inlineBit | UInt64(length),
      FXTRecord.size(header) >= UInt64(8 + FXT.words(forBytes: length) * 8)
    else { return false }
    return self[(offset + 8)..<(offset + 8 + length)].elementsEqual(
      UnsafeBufferPointer(start: name.utf8Start, count: length))
  }
}
