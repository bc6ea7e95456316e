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
      switch (bytes.first, bytes.dropFirst().first) {
      case (0xFF, 0xFE): XctraceSniffer(everySecondOf: bytes.dropFirst(2)).answer
      case (0xFE, 0xFF): XctraceSniffer(everySecondOf: bytes.dropFirst(3)).answer
      default: XctraceSniffer(bytes[...]).answer
      }
    }
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = XctraceReader(bytes)
    try reader.read(into: &builder)
  }
}

/// Looks for the root element of an export after an optional prolog.
struct XctraceSniffer {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ prefix: Slice<UnsafeRawBufferPointer>) {
    // The root element comes early; a comment before it can be long, but not endless.
    bytes = Array(prefix.prefix(1 << 16))
  }

  /// Creates a sniffer of one byte of each UTF-16 unit, so that the encoding can be rejected by
  /// name.
  init(everySecondOf prefix: Slice<UnsafeRawBufferPointer>) {
    bytes = prefix.prefix(1 << 16).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  var answer: Sniff {
    var copy = self
    return copy.look()
  }

  private mutating func look() -> Sniff {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    while true {
      while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
      guard offset < bytes.count else { return undecided }
      if starts(with: "<?") {
        guard pass(until: "?>") else { return undecided }
      } else if starts(with: "<!--") {
        guard pass(until: "-->") else { return undecided }
      } else {
        return root()
      }
    }
  }

  private var undecided: Sniff { bytes.count < 1 << 16 ? .needMoreBytes : .no }

  private func root() -> Sniff {
    let openings: [StaticString] = [
      "<trace-query-result", "<trace-toc", "<!DOCTYPE trace-query-result", "<!DOCTYPE trace-toc",
    ]
    if openings.contains(where: starts) { return .yes }
    let rest = bytes[offset...]
    let mayStart = openings.contains { opening in
      rest.count < opening.utf8CodeUnitCount
        && UnsafeBufferPointer(start: opening.utf8Start, count: rest.count).elementsEqual(rest)
    }
    return mayStart ? .needMoreBytes : .no
  }

  private func starts(with text: StaticString) -> Bool {
    bytes[offset...].prefix(text.utf8CodeUnitCount).matches(text)
  }

  /// Passes all bytes up to and including `mark`; returns `false` if there is none.
  private mutating func pass(until mark: StaticString) -> Bool {
    while offset < bytes.count, !starts(with: mark) { offset += 1 }
    guard offset < bytes.count else { return false }
    offset += mark.utf8CodeUnitCount
    return true
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
