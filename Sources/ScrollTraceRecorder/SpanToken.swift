/// A span that has begun; `TraceRecorder.endSpan(_:)` on the same thread ends it.
///
/// Every token is to be ended once. A span that is ended out of order or on another thread is
/// written as an asynchronous span, which belongs to no thread's stack.
public struct SpanToken: @unchecked Sendable {
  /// Bit 16 of `bits`: the item is set.
  static var hasItemBit: UInt64 { 1 << 16 }

  /// The writer, only followed by the thread it belongs to; `nil` where recording was off.
  @usableFromInline let writer: UnsafeMutableRawPointer?
  /// When the span began.
  @usableFromInline let begin: UInt64
  /// Bits 0…15 the depth, bit 16 the item is set, the rest as in `NameReference`.
  @usableFromInline let bits: UInt64
  /// The item that is worked on.
  let item: UInt64

  /// The token of a span that is not recorded.
  @usableFromInline static var off: SpanToken { SpanToken(writer: nil, begin: 0, bits: 0, item: 0) }

  init(writer: UnsafeMutableRawPointer?, begin: UInt64, bits: UInt64, item: UInt64) {
    self.writer = writer
    self.begin = begin
    self.bits = bits
    self.item = item
  }

  /// How many spans were open around it.
  @inline(__always)
  var depth: Int { Int(bits & 0xFFFF) }

  /// Whether the item is set.
  @inline(__always)
  var hasItem: Bool { bits & Self.hasItemBit != 0 }

  /// The numbers of category and name.
  @inline(__always)
  var reference: NameReference { NameReference(word: bits & ~0x1_FFFF) }
}
