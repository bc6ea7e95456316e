/// The words of FXT records; sizes are in words of eight bytes.
///
/// The bits of a header are: 0…3 record type, 4…15 size in words, the rest depending on the type.
@usableFromInline package enum FXTWord {
  /// The header of a thread record that gives index 1 to the thread whose events follow.
  package static var thread: UInt64 { record(.thread, words: 3, fields: 1 << 16) }

  /// The thread reference of every event: index 1, which each chunk defines for its thread.
  @inlinable
  package static var threadReference: UInt64 { 1 << 24 }

  /// The header of any record, with `fields` in place from bit 16.
  @inlinable @inline(__always)
  package static func record(_ type: FXT.RecordType, words: UInt64, fields: UInt64 = 0) -> UInt64 {
    type.rawValue | words << 4 | fields
  }

  /// The header of a kernel object record.
  @inlinable
  package static func object(
    _ kind: FXT.ObjectType, words: Int, name: UInt16, arguments: UInt64
  ) -> UInt64 {
    record(
      .kernelObject, words: UInt64(words),
      fields: kind.rawValue << 16 | UInt64(name) << 24 | arguments << 40)
  }

  /// A blob without a name or content that covers `words` words, including its header.
  @inlinable @inline(__always)
  package static func pad(words: UInt64) -> UInt64 {
    record(.blob, words: words, fields: ((words &- 1) << 3) << 32 | FXT.dataBlob << 48)
  }

  /// A blob without a name or content that covers `bytes` bytes, a multiple of 8, including its
  /// header. It takes one multiplication, because size and payload grow alike.
  @inlinable @inline(__always)
  package static func pad(bytes: UInt64) -> UInt64 {
    (FXT.RecordType.blob.rawValue &- 8 << 32 &+ FXT.dataBlob << 48) &+ bytes &* padGrowth
  }

  /// The growth of a pad's header for each byte.
  @usableFromInline package static var padGrowth: UInt64 {
    @inlinable @inline(__always) get { 2 | 1 << 32 }
  }

  /// The header of a blob with an inline name.
  @inlinable
  package static func blob(
    words: Int, nameLength: Int, payloadLength: Int, type: UInt64 = FXT.dataBlob
  ) -> UInt64 {
    record(
      .blob, words: UInt64(words),
      fields: UInt64(inlineReference(nameLength)) << 16 | UInt64(payloadLength) << 32
        | type << 48)
  }

  /// The header of an event without category and name, which are bits 32…63.
  @inlinable @inline(__always)
  package static func event(_ kind: FXT.EventType, words: UInt64, arguments: UInt64) -> UInt64 {
    record(.event, words: words, fields: eventFields(kind, arguments: arguments) | threadReference)
  }

  /// The fields of an event without thread, category and name.
  @inlinable @inline(__always)
  package static func eventFields(_ kind: FXT.EventType, arguments: UInt64) -> UInt64 {
    kind.rawValue << 16 | arguments << 20
  }

  /// The header of a span without arguments, without category and name.
  @usableFromInline package static var plainSpan: UInt64 {
    @inlinable @inline(__always) get { event(.durationComplete, words: 3, arguments: 0) }
  }

  /// The header of a span with one argument of a whole word, without category and name.
  @usableFromInline package static var itemSpan: UInt64 {
    @inlinable @inline(__always) get { event(.durationComplete, words: 5, arguments: 1) }
  }

  /// The header of an argument without its value, which is bits 32…63 of small types.
  @inlinable @inline(__always)
  package static func argument(_ type: FXT.ArgumentType, words: UInt64, key: UInt16) -> UInt64 {
    type.rawValue | words << 4 | UInt64(key) << 16
  }

  @inlinable
  package static func string(index: UInt32, length: Int) -> UInt64 {
    record(
      .string, words: UInt64(1 + FXT.words(forBytes: length)),
      fields: UInt64(index) << 16 | UInt64(length) << 32)
  }

  /// The reference to a string whose bytes follow inline.
  @inlinable
  package static func inlineReference(_ length: Int) -> UInt16 {
    length == 0 ? 0 : UInt16(FXT.inlineBit) | UInt16(length)
  }
}
