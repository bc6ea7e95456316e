package import ScrollTraceModel

/// Reads traces in Chrome's JSON format, from Chrome itself and from the many tools that write it.
///
/// Both forms, the object with `traceEvents` and the plain array, are read as a stream, without a
/// document in memory. Frames require Chrome's category
/// `disabled-by-default-devtools.timeline.frame`.
package struct ChromeJSONImporter: TraceImporter {
  package static let name = "chrome-json"
  package static let files = "Chrome .json"
  package static let recipe = "DevTools > Performance > Save profile"

  package static let fileEndings = ["json"]

  /// Returns whether the text is an object with `traceEvents` or an array of objects with `ph`.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let object = JSONSniff.sniff(prefix, of: ["\"traceEvents\""])
    guard object == .no else { return object }
    return JSONSniff.sniff(prefix, of: ["\"ph\""], allowsArray: true)
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var collector = ChromeEventCollector()
    var text = ChromeTraceText(bytes, options: options)
    try text.read(into: &collector, &builder)
    collector.finish(in: &builder)
  }
}

/// Walks over a file in Chrome's JSON format and passes each event to a collector.
///
/// Damage ends the walk: earlier events are kept and the rest is counted as lost, because the start
/// of the next event is unknown after a broken one.
struct ChromeTraceText: ~Copyable {
  private var scanner: JSONScanner
  private var eventCount = 0
  private let options: ImportOptions

  /// The text in `bytes`, read within the limits of `options`.
  init(_ bytes: any ByteSource, options: ImportOptions) {
    self.options = options
    scanner = JSONScanner(bytes)
    scanner.allowsLineFeeds = true
  }

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
      try scanner.passEnd("text after the end of the trace")
    } catch { try scanner.report(error, keeping: eventCount > 0 ? "events" : nil, to: &builder) }
    builder.offset = nil
  }

  private mutating func readObject(
    into collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    var count = eventCount
    let limit = options.maximumLineLength
    var kernel = SystraceReader(isWholeTrace: false)
    defer {
      eventCount = count
      kernel.finish(collector.tracks.owners, in: &collector, &builder)
    }
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "traceEvents" where try scanner.peek() == UInt8(ascii: "["):
        try scanner.passEvents(countingIn: &count, into: &collector, &builder)
      case "systemTraceEvents" where try scanner.peek() == UInt8(ascii: "\""):
        var number = 0
        try scanner.passLines(limit: limit) { line, isTooLong in
          number += 1
          kernel.read(line, number: number, isTooLong: isTooLong, in: &builder)
        }
      case "metadata": try scanner.passView { ChromeTraceStatistics.countLosses(in: $0, &builder) }
      case "samples":
        try scanner.passElements { (scanner) throws(ScanFault) in
          try scanner.passView { collector.samples.plain.addSample($0, in: &builder) }
        }
      case "stackFrames":
        try scanner.passMembers { (id, scanner) throws(ScanFault) in
          try scanner.passView { collector.samples.plain.addFrame(id, $0, in: &builder) }
        }
      default: _ = try scanner.passValue()
      }
    }
  }
}

extension JSONScanner {
  /// Passes the array of events that starts here, and passes each event to `collector`.
  ///
  /// - Parameters:
  ///   - isWholeText: Whether the array is the whole text, so that its closing bracket is optional.
  ///   - count: The number of events so far.
  mutating func passEvents(
    isWholeText: Bool = false, countingIn count: inout Int,
    into collector: inout ChromeEventCollector, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    guard try enters(UInt8(ascii: "["), until: UInt8(ascii: "]")) else { return }
    repeat {
      if try peek() == UInt8(ascii: "{") {
        let event = try passEvent()
        builder.offset = offset - UInt64(position - anchor)
        collector.add(event, in: anchored, to: &builder)
        count += 1
        anchor = -1
      } else if isWholeText, count > 0, isAtEnd {
        return Self.reportMissingBracket(in: &builder)
      } else {
        // A valid value that is not an event, such as null, is ignored.
        _ = try passValue()
        builder.offset = offset
        builder.countLoss(.unknownRecord)
      }
      if isWholeText, try peek() == 0, isAtEnd { return Self.reportMissingBracket(in: &builder) }
    } while try goesOn(until: UInt8(ascii: "]"))
  }

  /// The array form's closing bracket is optional, so that a killed writer leaves a valid file.
  private static func reportMissingBracket(in builder: inout TraceBuilder) {
    builder.source.wasClosed = false
    builder.addNotice(.notClosed)
  }
}

/// The counters of data lost before the trace was written, from a trace's `metadata`.
enum ChromeTraceStatistics {
  /// Words in the names of `trace_processor_stats` counters that count lost data.
  private static let words = [
    "chunks_overwritten", "chunks_discarded", "data_loss", "packet_loss", "packet_skipped",
    "packets_skipped", "patches_failed", "sequences_dropped", "dropped_packets_outside", "_lost",
    "_overrun", "parser_errors", "tokenizer_errors",
  ]

  /// Counts the nonzero counters as losses and names them.
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
    }
    guard !found.isEmpty else { return }
    for (name, value) in found {
      builder.countLoss(.sourceDroppedRecords, count: UInt64(clamping: value))
      if name.includes("chunks_overwritten") { builder.keepsOnlyLastEvents = true }
      if name.includes("chunks_discarded") { builder.keepsOnlyFirstEvents = true }
    }
    let list = found.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    builder.addNotice("the tracing system lost data before the trace was written: \(list)")
  }

  private static func collect(
    from object: JSONView, named prefix: String, into found: inout [(name: String, value: Int64)]
  ) {
    object.forEachMember { name, value in
      let text = String(decoding: name, as: UTF8.self)
      add(text, value, name: "\(prefix).\(text)", to: &found)
    }
  }

  private static func add(
    _ key: String, _ value: JSONView, name: String, to found: inout [(name: String, value: Int64)]
  ) {
    // Bounds a hostile list of counters. One of the tracing service counts what reached the buffers of recordings
    // before this one.
    guard found.count < 64, key != "traced_chunks_discarded", words.contains(where: key.includes)
    else { return }
    guard let count = value.integer, count > 0 else { return }
    found.append((name, count))
  }
}
