import ScrollTraceModel

/// Walks over a trace file of Chrome's JSON format and hands each event to a collector.
///
/// Damage ends the walk: what was read before it is kept and the rest counted as lost, because
/// after a broken event nothing says where the next one starts.
struct ChromeTraceText: ~Copyable {
  private var scanner: JSONScanner
  private var eventCount = 0

  init(_ bytes: any ByteSource) {
    scanner = JSONScanner(bytes)
  }

  /// Reads all events, and what the trace says about itself.
  mutating func read(
    into collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) throws(ImportError) {
    do throws(ScanFault) {
      try scanner.skipByteOrderMark()
      switch try scanner.peek() {
      case UInt8(ascii: "["):
        try scanner.passEvents(
          isWholeText: true, countingIn: &eventCount, into: &collector, &builder)
      case UInt8(ascii: "{"): try readObject(into: &collector, &builder)
      default: throw scanner.fault("'{' or '[' was expected")
      }
      if builder.source.wasClosed == nil { builder.source.wasClosed = true }
      guard try scanner.peek() == 0, scanner.isAtEnd else {
        throw scanner.fault("text after the end of the trace")
      }
    } catch {
      try scanner.report(error, keeping: eventCount > 0 ? "events" : nil, to: &builder)
    }
    builder.offset = nil
  }

  private mutating func readObject(
    into collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    scanner.outerDepth = 1
    scanner.position += 1
    guard try scanner.peek() != UInt8(ascii: "}") else {
      scanner.position += 1
      return
    }
    while true {
      switch try scanner.passName() {
      case "traceEvents" where try scanner.peek() == UInt8(ascii: "["):
        try scanner.passEvents(countingIn: &eventCount, into: &collector, &builder)
      case "metadata":
        try scanner.passView { ChromeTraceStatistics.countLosses(in: $0, &builder) }
      default: _ = try scanner.passValue()
      }
      switch try scanner.peek() {
      case UInt8(ascii: ","): scanner.position += 1
      case UInt8(ascii: "}"):
        scanner.position += 1
        return
      default: throw scanner.fault("',' or '}' was expected")
      }
    }
  }
}
