/// A span that has begun; `TraceRecorder.endSpan(_:)` on the same thread ends it.
///
/// Every token is to be ended once. A span that is ended out of order or on another thread is
/// written as an asynchronous span, which belongs to no thread's stack.
public struct SpanToken: @unchecked Sendable {
  /// The writer, only followed by the thread it belongs to; `nil` where recording was off.
  @usableFromInline let writer: UnsafeMutableRawPointer?
  /// When the span began.
  @usableFromInline let begin: UInt64
  /// The header of the record the span will have. Where a text has no index or the stack of open
  /// spans no entry: bits 0…15 the depth, bit 16 the item is set, the rest as in `NameReference`.
  @usableFromInline let bits: UInt64
  /// The item that is worked on; of a span without, where `bits` are a header, the word of the stack of
  /// open spans when it was the innermost.
  @usableFromInline let item: UInt64

  /// The token of a span that is not recorded.
  @usableFromInline static var off: SpanToken { SpanToken(writer: nil, begin: 0, bits: 0, item: 0) }

  @usableFromInline
  init(writer: UnsafeMutableRawPointer?, begin: UInt64, bits: UInt64, item: UInt64) {
    self.writer = writer
    self.begin = begin
    self.bits = bits
    self.item = item
  }

  /// The bits of a span that no header says everything of.
  static func bits(_ reference: NameReference, depth: Int, hasItem: Bool) -> UInt64 {
    let depth = UInt64(truncatingIfNeeded: min(depth, 0xFFFF))
    return reference.word | depth | (hasItem ? 1 << 16 : 0)
  }

  /// Whether `bits` are the header of a record: that of a complete event, whose bit 18 is set.
  @inline(__always)
  var isHeader: Bool { bits & 1 << 18 != 0 }

  /// How many spans were open around it; `nil` where the stack of open spans has its entry.
  var depth: Int? { isHeader ? nil : Int(bits & 0xFFFF) }

  /// Whether the item is set.
  var hasItem: Bool {
    isHeader ? bits & ~UInt64(UInt32.max) | FXTWord.itemSpan == bits : bits & 1 << 16 != 0
  }

  /// The numbers of category and name.
  var reference: NameReference {
    isHeader ? NameReference(header: bits) : NameReference(word: bits & ~0x1_FFFF)
  }
}
