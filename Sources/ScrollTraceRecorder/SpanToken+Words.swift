/// A token as other languages keep it, who give nothing else back to end the span.
extension SpanToken {
  /// The token as four words; the first is 0 where nothing is recorded.
  @inlinable @inline(__always)
  package var words: (UInt64, UInt64, UInt64, UInt64) {
    (UInt64(UInt(bitPattern: writer)), begin, bits, item)
  }

  /// The token whose `words` are given.
  @inlinable @inline(__always)
  package init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.init(
      writer: UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: words.0)),
      begin: words.1, bits: words.2, item: words.3)
  }

  /// The recorder the span belongs to; `nil` where nothing is recorded.
  package var owner: TraceRecorder? { recorder }

  /// Ends the span without naming its recorder.
  package func end() {
    if writer == nil || endQuickly() { return }
    endSlowly()
  }
}
