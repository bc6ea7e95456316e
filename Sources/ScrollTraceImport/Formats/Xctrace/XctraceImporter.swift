package import ScrollTraceModel

/// Reads the XML tables that `xcrun xctrace export` writes from an Instruments recording.
///
/// The article *Traces of Instruments* of this module describes the mapping of each table.
package struct XctraceImporter: TraceImporter {
  package static let name = "xctrace"
  package static let files = "Instruments .xml"
  package static let recipe = "xcrun xctrace export --input X.trace ..."

  package static let fileEndings = ["xml"]

  /// Returns whether the root element is that of an export of tables or of the table of contents.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      // The root element comes early; a comment before it can be long, but not endless. One byte of
      // each unit of UTF-16 is enough to reject the encoding by name.
      func everySecondByte(from first: Int) -> [UInt8] {
        let units = bytes.dropFirst(first).prefix(1 << 16)
        return units.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      }
      return switch (bytes.first, bytes.dropFirst().first) {
      case (0xFF, 0xFE): sniff(everySecondByte(from: 2))
      case (0xFE, 0xFF): sniff(everySecondByte(from: 3))
      default: sniff(Array(bytes.prefix(1 << 16)))
      }
    }
  }

  /// Looks for the root element after an optional prolog.
  private static func sniff(_ bytes: [UInt8]) -> Sniff {
    let undecided: Sniff = bytes.count < 1 << 16 ? .needMoreBytes : .no
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop(while: \.isXMLSpace)
      guard !rest.isEmpty else { return undecided }
      let marks = [("<?", "?>"), ("<!--", "-->")].first { rest.starts(with: $0.0.utf8) }
      guard let end = marks?.1.utf8 else { break }
      while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
      guard !rest.isEmpty else { return undecided }
      rest = rest.dropFirst(end.count)
    }
    let openings = [
      "<trace-query-result", "<trace-toc", "<!DOCTYPE trace-query-result", "<!DOCTYPE trace-toc",
    ]
    if openings.contains(where: { rest.starts(with: $0.utf8) }) { return .yes }
    return openings.contains { $0.utf8.starts(with: rest) } ? .needMoreBytes : .no
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = XctraceReader(bytes)
    try reader.read(into: &builder)
  }
}

/// The content of a recording's table of contents that the tables do not contain.
struct XctraceContents {
  /// One recording of the file; Instruments calls it a run.
  struct Run {
    let number: UInt64
    var duration: TimeSpan?
    /// The process that was launched or attached to.
    var target: XctraceProcesses.Process?
    /// The name of the list of hitches, if there is one.
    var hitchTable: String?
  }

  var runs: [Run] = []

  /// Returns the run `number`, or the only one if the tables do not name theirs.
  func run(_ number: UInt64?) -> Run? {
    guard let number else { return runs.count == 1 ? runs[0] : nil }
    return runs.last { $0.number == number }
  }

  /// Returns a decimal number of seconds in nanoseconds, or `nil` for anything else.
  static func duration(_ text: ArraySlice<UInt8>) -> TimeSpan? {
    let parts = text.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap(XctraceReader.number), let seconds = Int64(exactly: whole)
    else { return nil }
    var fraction: UInt64 = 0
    if parts.count == 2 {
      guard let digits = XctraceReader.number(parts[1].prefix(9)) else { return nil }
      fraction = (parts[1].prefix(9).count..<9).reduce(digits) { value, _ in value * 10 }
    }
    return TimeSpan(nanoseconds: 1_000_000_000) * seconds + TimeSpan(nanoseconds: Int64(fraction))
  }
}
