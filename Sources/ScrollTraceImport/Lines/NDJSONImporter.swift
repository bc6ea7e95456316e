package import ScrollTraceModel

/// Reads frames, spans and more from lines of JSON, one object a line: what any host can print.
///
/// The keys are described in the article *Lines of JSON and CSV* of this module.
package struct NDJSONImporter: TraceImporter {
  private let options: ImportOptions

  /// `ndjson`
  package static let name = "ndjson"

  /// `ndjson`, `jsonl`
  package static let fileEndings = ["ndjson", "jsonl"]

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether the first line is an object that says of itself that it is one of ours, or is a frame, a
  /// span, a mark, a counter, an interaction, a state, a hitch or a thread.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      let first = bytes.firstIndex { ![0x20, 0x09, 0x0D, 0x0A, 0xEF, 0xBB, 0xBF].contains($0) }
      guard let first else { return .needMoreBytes }
      guard bytes[first] == UInt8(ascii: "{") else { return .no }
      let end = bytes[first...].firstIndex(of: 0x0A)
      guard end != nil || bytes.count < 1 << 20 else { return .no }
      var line = UnsafeRawBufferPointer(rebasing: bytes[first..<(end ?? bytes.count)])
      if line.last == 0x0D { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
      var row = LineRow()
      var reader = NDJSONLine()
      do throws(LineFault) {
        try reader.read(line, into: &row)
      } catch {
        return end == nil ? .needMoreBytes : .no
      }
      let ours: [LineKey] = [
        .scrolltrace, .frame, .span, .mark, .counter, .interaction, .state, .hitch,
        .thread,
      ]
      let isChrome = row.extras.contains { ["ph", "traceEvents"].contains(row.text($0.key)) }
      return !isChrome && ours.contains { row.has($0) } ? .yes : .no
    }
  }

  /// Adds everything the lines tell to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var parser = NDJSONLine()
    var row = LineRow()
    var lineImport = LineImport(&builder)
    while let line = try lines.next() {
      if line.isEmpty, !lines.isTooLong { continue }
      do throws(LineFault) {
        try parser.read(line, into: &row)
        if row.has(.scrolltrace) {
          try Self.readHeader(&row)
          for key in [LineKey.start, .end] {
            if let time = try row.time(key).flatMap(Timestamp.init(nanoseconds:)) {
              builder.extend(to: time)
            }
          }
          if let process = row.extras.first(where: { row.text($0.key) == "process" }) {
            lineImport.setProcessName(row.text(process.value), in: &builder)
          }
          if let length = row.extras.first(where: { row.text($0.key) == "tellsLength" }) {
            builder.source.tellsLength = row.text(length.value) != "false"
          }
          continue
        }
      } catch {
        lineImport.lose(error, of: lines, in: &builder)
        continue
      }
      lineImport.add(row, of: lines, to: &builder)
    }
    try lineImport.finish(in: &builder)
  }

  /// Takes the unit of times from a line that says what the lines are.
  private static func readHeader(_ row: inout LineRow) throws(LineFault) {
    guard row.text(.scrolltrace) == "ndjson/1" else {
      throw LineFault("only scrolltrace ndjson/1 is known", at: 0)
    }
    guard let name = row.text(.unit) else { return }
    guard let unit = LineUnit(rawValue: name) else {
      throw LineFault("the unit is none of ns, us, ms, s", at: 0)
    }
    for key in LineKey.allCases where key.isTime { row.powers[Int(key.rawValue)] = unit.power }
  }
}
