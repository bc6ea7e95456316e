package import ScrollTraceModel

/// Reads the kernel's trace as text, which ftrace, `atrace` and `trace-cmd report -R` print.
///
/// What becomes of each line is described in the article *Traces of the kernel as text* of this module.
package struct SystraceImporter: TraceImporter {
  private let options: ImportOptions

  package static let name = "systrace"
  package static let files = "atrace, ftrace text"
  package static let recipe = "adb shell atrace -t 5 gfx view sched"

  package static let fileEndings = ["systrace", "ftrace"]

  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether a line near the start names the kernel's tracer, or is one of its events.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      var rest = bytes.prefix(Sniff.searchedByteCount)
      let answer: Sniff? = Sniff.answer(ofLinesIn: &rest) { line in
        guard let first = line.first else { return nil }
        // Another format is recognized by its first characters, and no text has such bytes.
        if "{[<".utf8.contains(first) || line.contains(where: { $0 < 0x09 }) { return .no }
        if line.hasPrefix("# tracer:") || FtraceLine(line) != nil { return .yes }
        return nil
      }
      if let answer { return answer }
      let isText = !rest.contains { $0 < 0x09 } && !bytes.isEmpty
      return isText && bytes.count < Sniff.searchedByteCount ? .needMoreBytes : .no
    }
  }

  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var reader = SystraceReader(isWholeTrace: true)
    while let line = try lines.next() {
      builder.offset = lines.offset
      guard !lines.isUnfinished || lines.isTooLong else {
        // Its last number may be the start of one.
        if line.contains(where: { $0 > 0x20 }) { builder.countLoss(.cutAtEnd) }
        continue
      }
      reader.read(line, number: lines.number, isTooLong: lines.isTooLong, in: &builder)
    }
    builder.offset = nil
    guard reader.readCount > 0 else {
      throw ImportError(
        "has no line of an event with its time in seconds",
        advice: "record with a clock that counts time, such as mono or boot in trace_clock")
    }
    var collector = ChromeEventCollector()
    reader.finish(in: &collector, &builder)
    collector.finish(in: &builder)
  }
}
