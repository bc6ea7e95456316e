package import ScrollTraceModel

/// Reads what `xcrun xctrace export` writes of a recording of Instruments: tables as XML.
///
/// What becomes of each table is described in the article *Traces of Instruments* of this module.
package struct XctraceImporter: TraceImporter {
  /// `xctrace`
  package static let name = "xctrace"

  /// `xml`
  package static let fileEndings = ["xml"]

  /// An importer; the limits of XML are fixed, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the root element is the one of an export, of tables or of the table of contents.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      switch (bytes.first, bytes.dropFirst().first) {
      case (0xFF, 0xFE): XctraceSniffer(everySecondOf: bytes.dropFirst(2)).answer
      case (0xFE, 0xFF): XctraceSniffer(everySecondOf: bytes.dropFirst(3)).answer
      default: XctraceSniffer(bytes[...]).answer
      }
    }
  }

  /// Adds the content of the tables to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = XctraceReader(bytes)
    try reader.read(into: &builder)
  }
}

/// Looks for the root element of an export behind what may come before it.
struct XctraceSniffer {
  private let bytes: [UInt8]
  private var place = 0

  /// A look at UTF-8.
  init(_ prefix: Slice<UnsafeRawBufferPointer>) {
    // The root element comes early; a comment before it may be long, not endless.
    bytes = Array(prefix.prefix(1 << 16))
  }

  /// A look at one byte of each unit of UTF-16, so that the encoding can be refused by name.
  init(everySecondOf prefix: Slice<UnsafeRawBufferPointer>) {
    bytes = prefix.prefix(1 << 16).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  /// Whether this is an export.
  var answer: Sniff {
    var copy = self
    return copy.look()
  }

  private mutating func look() -> Sniff {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    while true {
      while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
      guard place < bytes.count else { return undecided }
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
    let rest = bytes[place...]
    let mayStart = openings.contains { opening in
      rest.count < opening.utf8CodeUnitCount
        && UnsafeBufferPointer(start: opening.utf8Start, count: rest.count).elementsEqual(rest)
    }
    return mayStart ? .needMoreBytes : .no
  }

  private func starts(with text: StaticString) -> Bool {
    bytes[place...].prefix(text.utf8CodeUnitCount).matches(text)
  }

  /// Passes all bytes up to and with `mark`; `false` where there is none.
  private mutating func pass(until mark: StaticString) -> Bool {
    while place < bytes.count, !starts(with: mark) { place += 1 }
    guard place < bytes.count else { return false }
    place += mark.utf8CodeUnitCount
    return true
  }
}

/// What the table of contents of a recording says, as far as tables do not say it themselves.
struct XctraceContents {
  /// One recording of the file; Instruments calls it a run.
  struct Run {
    /// The run's number.
    let number: UInt64
    /// How long it lasted.
    var duration: TimeSpan?
    /// The process that was launched or attached to.
    var target: XctraceProcesses.Process?
    /// Whether there is a list of hitches, and which.
    var hitchTable: String?
  }

  /// The runs, in order.
  var runs: [Run] = []

  /// What is known of the run `number`; of the only one where the tables do not name theirs.
  func run(_ number: UInt64?) -> Run? {
    guard let number else { return runs.count == 1 ? runs[0] : nil }
    return runs.last { $0.number == number }
  }

  /// Seconds with a decimal point in nanoseconds; `nil` for anything else.
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
    return TimeSpan(nanoseconds: 1_000_000_000) * seconds
      + TimeSpan(nanoseconds: Int64(fraction))
  }
}
