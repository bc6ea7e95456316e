internal import ScrollTraceLayout

/// Spans that lie deeper than the entries of the stack reach: only when they began is kept, so that
/// a token tells whether its span is open.
extension ThreadWriter {
  /// Spans at this depth and below are told apart no more; the greatest depth a token holds.
  static var deepest: Int { 0xFFFF }

  /// Keeps the begin of a span.
  mutating func keepDeepBegin(_ begin: UInt64, at depth: Int) {
    // Address space: the system gives memory to as much of it as is used.
    let begins = deepBegins ?? .allocate(capacity: Self.deepest)
    deepBegins = begins
    begins[depth] = begin
  }

  /// The begin of the open span at `depth`.
  func deepBegin(at depth: Int) -> UInt64? { deepBegins?[depth] }
}
