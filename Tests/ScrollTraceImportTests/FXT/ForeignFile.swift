import ScrollTraceLayout
import ScrollTraceTestSupport

extension FXTWriter {
  /// A file of another program: magic, one thread, then `records`.
  static func foreignFile(_ records: (inout FXTWriter) -> Void) -> [UInt8] {
    var writer = FXTWriter()
    writer.appendMagic()
    writer.appendThread(1, process: 1, systemID: 2)
    records(&writer)
    return writer.bytes
  }

  /// Appends a complete event that is whole, on the thread of a foreign file.
  mutating func appendSpan(at time: UInt64 = 10, end: UInt64 = 20) {
    append(.complete(end: end), "app", "work", at: time)
  }

  /// Appends an event of the thread with the index 1.
  mutating func append(
    _ event: Event, _ category: Name, _ name: Name, at time: UInt64,
    _ arguments: [(key: Name, value: Value)] = []
  ) {
    appendEvent(
      event, thread: .index(1), category: category, name: name, at: time, arguments: arguments)
  }
}
