package import ScrollTraceModel

/// Reads traces of Chrome's JSON format: of Chrome itself, and of the many tools that write it.
///
/// Both forms are read, the object with `traceEvents` and the plain array, from a stream and
/// without a document in memory. Frames come out of a trace of Chrome with the category
/// `disabled-by-default-devtools.timeline.frame`.
package struct ChromeJSONImporter: TraceImporter {
  private let options: ImportOptions

  /// `chrome-json`
  package static let name = "chrome-json"

  /// `json`
  package static let fileEndings = ["json"]

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether the text is an object with `traceEvents` or an array of objects with `ph`.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let object = JSONSniff.sniff(prefix, of: ["\"traceEvents\""])
    guard object == .no else { return object }
    return JSONSniff.sniff(prefix, of: ["\"ph\""], allowsArray: true)
  }

  /// Adds the content of the trace to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var collector = ChromeEventCollector()
    var text = ChromeTraceText(bytes)
    try text.read(into: &collector, &builder)
    collector.finish(in: &builder)
  }
}

/// Walks over a trace file of Chrome's JSON format and hands each event to a collector.
///
/// Damage ends the walk: what was read before it is kept and the rest counted as lost, because
/// after a broken event nothing says where the next one starts.
struct ChromeTraceText: ~Copyable {
  private var scanner: JSONScanner
  private var eventCount = 0

  init(_ bytes: any ByteSource) {
    scanner = JSONScanner(bytes)
    scanner.allowsLineFeeds = true
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
    var count = eventCount
    defer { eventCount = count }
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "traceEvents" where try scanner.peek() == UInt8(ascii: "["):
        try scanner.passEvents(countingIn: &count, into: &collector, &builder)
      case "metadata":
        try scanner.passView { ChromeTraceStatistics.countLosses(in: $0, &builder) }
      case "samples":
        try scanner.passElements { (scanner) throws(ScanFault) in
          try scanner.passView { collector.samples.addSample($0, in: &builder) }
        }
      case "stackFrames":
        try scanner.passMembers { (id, scanner) throws(ScanFault) in
          try scanner.passView { collector.samples.addFrame(id, $0, in: &builder) }
        }
      default: _ = try scanner.passValue()
      }
    }
  }
}

extension JSONScanner {
  /// Passes the array of events that starts here, and hands each one to `collector`.
  ///
  /// - Parameters:
  ///   - isWholeText: Whether the array is all there is, so that it may end without its bracket.
  ///   - count: How many events there are so far.
  mutating func passEvents(
    isWholeText: Bool = false, countingIn count: inout Int,
    into collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    outerDepth += 1
    position += 1
    guard try peek() != UInt8(ascii: "]") else {
      position += 1
      outerDepth -= 1
      return
    }
    while true {
      if try peek() == UInt8(ascii: "{") {
        let event = try passEvent()
        builder.offset = offset - UInt64(position - anchor)
        collector.add(event, in: anchored, to: &builder)
        count += 1
        anchor = -1
      } else if isWholeText, count > 0, isAtEnd {
        return Self.noteMissingBracket(in: &builder)
      } else {
        // Something that is no event, such as a null: valid, and nothing.
        _ = try passValue()
        builder.offset = offset
        builder.countLoss(.unknownRecord)
      }
      switch try peek() {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "]"):
        position += 1
        outerDepth -= 1
        return
      case 0 where isWholeText && isAtEnd: return Self.noteMissingBracket(in: &builder)
      default: throw fault("',' or ']' was expected")
      }
    }
  }

  /// The array form may end without its bracket, so that a killed writer leaves a valid file.
  private static func noteMissingBracket(in builder: inout TraceBuilder) {
    builder.source.wasClosed = false
    builder.addNotice(.notClosed)
  }
}

/// What a trace's `metadata` says about data that was lost before the trace was written.
enum ChromeTraceStatistics {
  /// Words in the names of counters of `trace_processor_stats` that count lost data.
  private static let words = [
    "chunks_overwritten", "chunks_discarded", "data_loss", "packet_loss", "packet_skipped",
    "packets_skipped", "patches_failed", "sequences_dropped", "dropped_packets_outside", "_lost",
    "_overrun", "parser_errors", "tokenizer_errors",
  ]

  /// Counts as lost what the counters that are not zero say, and names them.
  static func countLosses(in metadata: JSONView, _ builder: inout TraceBuilder) {
    var found: [(name: String, value: Int64)] = []
    metadata.member("trace_processor_stats")?.forEachMember { name, value in
      let text = String(decoding: name, as: UTF8.self)
      if value.kind == .array {
        var index = 0
        value.forEachElement { element in
          collect(from: element, named: "\(text)[\(index)]", into: &found)
          index += 1
        }
      } else if value.kind == .object {
        collect(from: value, named: text, into: &found)
      } else {
        add(text, value, name: text, to: &found)
      }
      return true
    }
    guard !found.isEmpty else { return }
    for (_, value) in found {
      builder.countLoss(.sourceDroppedRecords, count: UInt64(clamping: value))
    }
    let list = found.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    builder.addNotice(.source("the tracing system lost data before the trace was written: \(list)"))
  }

  private static func collect(
    from object: JSONView, named prefix: String, into found: inout [(name: String, value: Int64)]
  ) {
    object.forEachMember { name, value in
      let text = String(decoding: name, as: UTF8.self)
      add(text, value, name: "\(prefix).\(text)", to: &found)
      return true
    }
  }

  private static func add(
    _ key: String, _ value: JSONView, name: String, to found: inout [(name: String, value: Int64)]
  ) {
    // A hostile list of counters ends here.
    guard found.count < 64, words.contains(where: key.contains) else { return }
    guard let count = value.integer, count > 0 else { return }
    found.append((name, count))
  }
}
