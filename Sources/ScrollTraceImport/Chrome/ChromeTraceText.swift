import ScrollTraceFormat
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
      try skipByteOrderMark()
      switch try scanner.peek() {
      case UInt8(ascii: "["):
        try readEvents(isWholeText: true, into: &collector, &builder)
      case UInt8(ascii: "{"): try readObject(into: &collector, &builder)
      default: throw scanner.fault("'{' or '[' was expected")
      }
      if builder.source.wasClosed == nil { builder.source.wasClosed = true }
      guard try scanner.peek() == 0, scanner.isAtEnd else {
        throw scanner.fault("text after the end of the trace")
      }
    } catch {
      try report(error, to: &builder)
    }
    builder.offset = nil
  }

  private mutating func skipByteOrderMark() throws(ScanFault) {
    var place = 0
    if try scanner.require(3, at: &place), scanner.rawWord(at: 0) & 0xFF_FFFF == 0xBF_BBEF {
      scanner.position = 3
    }
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
      switch try passName() {
      case "traceEvents" where try scanner.peek() == UInt8(ascii: "["):
        try readEvents(isWholeText: false, into: &collector, &builder)
      case "metadata":
        _ = try scanner.peek()
        scanner.anchor = scanner.position
        _ = try scanner.passValue()
        let length = scanner.position - scanner.anchor
        ChromeTraceStatistics.countLosses(
          in: JSONView(bytes: UnsafeRawBufferPointer(rebasing: scanner.anchored[..<length])),
          &builder)
        scanner.anchor = -1
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

  /// Passes a member's name and colon; an empty name for one that is too long to matter.
  private mutating func passName() throws(ScanFault) -> String {
    guard try scanner.peek() == UInt8(ascii: "\"") else {
      throw scanner.fault("a member's name was expected")
    }
    scanner.anchor = scanner.position
    _ = try scanner.passString()
    let name = scanner.anchored[1..<(scanner.position - scanner.anchor - 1)]
    let text = name.count < 64 ? String(decoding: name, as: UTF8.self) : ""
    scanner.anchor = -1
    try scanner.passColon()
    return text
  }

  private mutating func readEvents(
    isWholeText: Bool, into collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    scanner.outerDepth += 1
    scanner.position += 1
    guard try scanner.peek() != UInt8(ascii: "]") else {
      scanner.position += 1
      scanner.outerDepth -= 1
      return
    }
    while true {
      if try scanner.peek() == UInt8(ascii: "{") {
        let event = try scanner.passEvent()
        builder.offset = scanner.offset - UInt64(scanner.position - scanner.anchor)
        collector.add(event, in: scanner.anchored, to: &builder)
        eventCount += 1
        scanner.anchor = -1
      } else if isWholeText, eventCount > 0, scanner.isAtEnd {
        return noteMissingBracket(in: &builder)
      } else {
        // Something that is no event, such as a null: valid, and nothing.
        _ = try scanner.passValue()
        builder.offset = scanner.offset
        builder.countLoss(.unknownRecord)
      }
      switch try scanner.peek() {
      case UInt8(ascii: ","): scanner.position += 1
      case UInt8(ascii: "]"):
        scanner.position += 1
        scanner.outerDepth -= 1
        return
      case 0 where isWholeText && scanner.isAtEnd:
        return noteMissingBracket(in: &builder)
      default: throw scanner.fault("',' or ']' was expected")
      }
    }
  }

  /// The array form may end without its bracket, so that a killed writer leaves a valid file.
  private func noteMissingBracket(in builder: inout TraceBuilder) {
    builder.source.wasClosed = false
    builder.addNotice(.notClosed)
  }

  /// Counts what a fault lost; throws it where nothing had been read before.
  private func report(
    _ fault: ScanFault, to builder: inout TraceBuilder
  ) throws(ImportError) {
    if fault.kind == .source, let failure = scanner.failure { throw failure }
    guard eventCount > 0 else {
      let what = fault.kind == .limit ? "is beyond the reader's limits" : "is no valid JSON"
      throw ImportError("\(what): \(fault.reason)", at: fault.offset)
    }
    builder.offset = fault.offset
    switch fault.kind {
    case .cutAtEnd:
      builder.countLoss(.cutAtEnd)
      builder.source.wasClosed = false
    case .limit: builder.countLoss(.limitReached)
    case .invalid, .source: builder.countLoss(.damagedBytes)
    }
    builder.addNotice(
      .source(
        "reading stopped at byte \(fault.offset): \(fault.reason); the events before are kept")
    )
  }
}
